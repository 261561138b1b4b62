internal import Learning
internal import LinearAlgebra

/// W1 to W4b and W9 at one shape.
struct RidgeWorkloads {
  let design: Design
  let shape: CoreSuite.Shape
  let run: Run
  private let features: Matrix
  private let target: ContiguousArray<Double>
  private let lambda = CoreSuite.lambda

  init(design: Design, shape: CoreSuite.Shape, run: Run) throws {
    self.design = design
    self.shape = shape
    self.run = run
    features = try Matrix(
      columnMajor: design.x.values, rowCount: design.rowCount, columnCount: design.columnCount)
    target = design.y.values
  }

  func measured() throws -> [Measured] {
    let workloads: [(String, (Measured) throws -> Measured)] = [("W1", singleFit)]
    return try workloads.compactMap { name, measure in
      let title = "\(name) \(shape.rawValue)"
      guard run.wants(title) else { return nil }
      run.show(title)
      return try measure(
        Measured(outcome: Outcome(suite: .core, workload: name, shape: shape.rawValue)))
    }
  }

  /// Seconds that one workload may take at this shape.
  private var seconds: Double { run.options.isQuick ? 0.1 : shape == .large ? 2 : 0.6 }

  private func singleFit(_ measured: Measured) throws -> Measured {
    let settings = RidgeRegression(penalty: lambda)
    let gram = Buffer(count: design.columnCount * design.columnCount)
    let w = Buffer(count: design.columnCount)
    let samples = try Stopwatch.race(
      [
        Contender { _ = try settings.fit(features, target: target) },
        Contender { _ = Raw.ridge(design, lambda: lambda, gram: gram, w: w) },
      ], seconds: seconds)
    let model = try settings.fit(features, target: target)
    var measured = measured
    measured.outcome.take(samples[0], limit: samples[1])
    measured.outcome.error = departure(of: model, from: reference(x: design.x, y: design.y))
    measured.answer = model.coefficients + [model.intercept]
    return measured
  }

  /// Coefficients and intercept by another road, accurate to the last digits.
  private func reference(x: Buffer, y: Buffer) -> ContiguousArray<Double>? {
    Raw.referenceRidge(x: x, y: y, columnCount: design.columnCount, lambda: lambda)
  }

  private func departure(of model: RidgeModel, from reference: ContiguousArray<Double>?) -> Double?
  {
    reference.map { Departure.relative(model.coefficients + [model.intercept], from: $0) }
  }
}

/// An outcome, and the numbers that ours found, to be compared with those of rivals.
struct Measured {
  var outcome: Outcome
  var answer: ContiguousArray<Double>?
}
