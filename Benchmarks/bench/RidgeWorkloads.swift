internal import Learning
internal import LinearAlgebra

/// W1 to W4b and W9 at one shape.
struct RidgeWorkloads {
  let design: Design
  let shape: CoreSuite.Shape
  let run: Run
  private let features: Matrix
  private let target: ContiguousArray<Double>
  private let lambda = 1.0

  init(design: Design, shape: CoreSuite.Shape, run: Run) throws {
    self.design = design
    self.shape = shape
    self.run = run
    features = try Matrix(
      columnMajor: design.x.values, rowCount: design.rowCount, columnCount: design.columnCount)
    target = design.y.values
  }

  func outcomes() throws -> [Outcome] {
    var outcomes: [Outcome] = []
    for (name, measure) in [("W1", singleFit)] {
      let title = "\(name) \(shape.rawValue)"
      guard run.wants(title) else { continue }
      run.show(title)
      var outcome = Outcome(suite: .core, workload: name, shape: shape.rawValue)
      try measure(&outcome)
      outcomes.append(outcome)
    }
    return outcomes
  }

  /// Seconds that one workload may take at this shape.
  private var seconds: Double { run.options.isQuick ? 0.1 : shape == .large ? 2 : 0.6 }

  private func singleFit(_ outcome: inout Outcome) throws {
    let settings = RidgeRegression(penalty: lambda)
    let gram = Buffer(count: design.columnCount * design.columnCount)
    let w = Buffer(count: design.columnCount)
    let samples = try Stopwatch.race(
      [
        Contender { _ = try settings.fit(features, target: target) },
        Contender { _ = Raw.ridge(design, lambda: lambda, gram: gram, w: w) },
      ], seconds: seconds)
    outcome.take(samples[0], limit: samples[1])
    let model = try settings.fit(features, target: target)
    outcome.error = departure(of: model, from: reference(x: design.x, y: design.y))
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
