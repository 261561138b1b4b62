internal import Learning
internal import LinearAlgebra

/// W5 to W7 at one shape.
struct LogisticWorkloads {
  let design: Design
  let shape: CoreSuite.Shape
  let run: Run
  private let features: Matrix
  private let labels: ContiguousArray<Double>
  private let lambda = CoreSuite.lambda

  init(design: Design, shape: CoreSuite.Shape, run: Run) throws {
    self.design = design
    self.shape = shape
    self.run = run
    features = try Matrix(
      columnMajor: design.x.values, rowCount: design.rowCount, columnCount: design.columnCount)
    labels = design.labels.values
  }

  func measured() throws -> [Measured] {
    let workloads: [(String, (Measured) throws -> Measured)] = [
      ("W5", singleFit)
    ]
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
    let settings = LogisticRegression(penalty: lambda)
    let work = Raw.logisticWorkspace(design)
    let w = Buffer(count: design.columnCount + 1)
    let samples = try Stopwatch.race(
      [
        Contender { _ = try settings.fit(features, labels: labels) },
        Contender { () throws -> Void in
          w.clear()
          _ = Raw.logistic(design, lambda: lambda, tolerance: 1e-8, work: work, w: w)
        },
      ], seconds: seconds, least: 3)
    let fit = try settings.fit(features, labels: labels)
    var measured = measured
    measured.outcome.take(samples[0], limit: samples[1])
    // Newton steps on, until rounding ends them: the solution to compare with.
    guard Raw.logistic(design, lambda: lambda, tolerance: 1e-14, work: work, w: w) != nil else {
      return measured
    }
    measured.outcome.error = Departure.relative(
      fit.model.coefficients + [fit.model.intercept], from: w.values)
    measured.answer = fit.model.coefficients + [fit.model.intercept]
    return measured
  }
}
