internal import Learning

/// W5 to W7 at one shape.
struct LogisticWorkloads: CoreWorkloads {
  let data: CoreData
  private let labels: ContiguousArray<Double>

  init(_ data: CoreData) {
    self.data = data
    labels = data.design.labels.values
  }

  var all: [(name: String, measure: (Measured) throws -> Measured)] {
    [("W5", singleFit), ("W6", folds), ("W7", append)]
  }

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
      ], seconds: seconds, least: 5)
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

  /// The best of a path of penalties by the log loss of five given folds.
  private func folds(_ measured: Measured) throws -> Measured {
    let penalties = ContiguousArray(CoreSuite.logisticPath)
    let folds = CoreSuite.folds(rowCount: design.rowCount)
    let splits = RowSplit.folds(folds.map(Int.init))
    func ours(_ settings: LogisticRegression) throws -> LogisticCrossValidation {
      try LogisticCrossValidation(
        penalties, features, labels: labels, splits: splits, settings: settings)
    }
    let lambdas = Buffer(penalties)
    func raw(_ tolerance: Double) -> ContiguousArray<Double> {
      Raw.logisticFolds(
        design, folds: ContiguousArray(folds), lambdas: lambdas, tolerance: tolerance)
    }
    let samples = try Stopwatch.race(
      [
        Contender { _ = try ours(LogisticRegression(tolerance: 1e-6)) },
        Contender { _ = raw(1e-6) },
      ], seconds: seconds, least: 2)
    var measured = measured
    measured.outcome.take(samples[0], limit: samples[1])
    // The raw work and the rivals take columns as given in every fold; we can as well.
    let losses = try ours(LogisticRegression(standardisation: .centred, tolerance: 1e-6)).logLosses
    measured.outcome.error = Departure.relative(losses, from: raw(1e-12))
    measured.answer = losses
    return measured
  }

  /// Appends rows to a trained state, each with a fit to the gradient's tolerance.
  private func append(_ measured: Measured) throws -> Measured {
    let n = design.rowCount
    let (rows, targets) = (design.laterRows, design.laterLabels)
    let trained = try StreamingLogistic(
      LogisticRegression(penalty: lambda), keys: Array(0..<n), features, labels: labels)
    let session = StreamingSession(trained)
    func ours(_ i: Int) throws {
      try session.state.set(n + i, rows[i], label: targets[i])
      session.intercept = session.state.writeCoefficients(into: &session.coefficients)
    }
    /// The room is made beforehand, as an app does that holds a state for a year.
    func prepare() {
      session.state = trained
      session.state.reserveCapacity(n + editCount)
    }
    let raw = RawAppends(design, count: editCount, lambda: lambda)
    let samples = try Stopwatch.race(
      [
        Contender(count: editCount, before: prepare, ours),
        Contender(count: editCount, before: raw.prepare, raw.append),
      ], seconds: seconds, least: 5)
    var measured = measured
    measured.outcome.take(samples[0], limit: samples[1])

    prepare()
    try ours(0)
    let model = session.state.model
    let answer = model.coefficients + [model.intercept]
    measured.answer = answer
    measured.outcome.error = raw.reference.map { Departure.relative(answer, from: $0) }
    if let before = Raw.allocations {
      let count = editCount - 1
      for i in 1...count { try ours(i) }
      measured.outcome.allocations = Raw.allocations.map { Double($0 - before) / Double(count) }
    }
    return measured
  }
}

/// What a chain of edits works on.
private final class StreamingSession {
  var state: StreamingLogistic
  var coefficients: ContiguousArray<Double>
  var intercept = 0.0

  init(_ state: StreamingLogistic) {
    self.state = state
    coefficients = ContiguousArray(repeating: 0, count: state.featureCount)
  }
}

/// The raw work of appending rows: a rotation of each into the factor of the second derivative at the minimum
/// before, and steps with that factor until the gradient vanishes.
private final class RawAppends {
  private let design: Design
  private let lambda: Double
  /// All rows, those that come later too.
  private let x: Buffer
  private let labels: Buffer
  private let trained: Buffer
  private let factor: Buffer
  private let w: Buffer
  private let work: Buffer
  private let factorAtRest: Buffer
  private var isSound = true

  init(_ design: Design, count: Int, lambda: Double) {
    self.design = design
    self.lambda = lambda
    let (n, p) = (design.rowCount, design.columnCount)
    let total = n + count
    x = Buffer(count: total * p)
    for j in 0..<p {
      for i in 0..<n { x[j * total + i] = design.x[j * n + i] }
      for i in n..<total { x[j * total + i] = design.laterRows[i - n][j] }
    }
    labels = Buffer(design.labels.values + design.laterLabels.prefix(count))
    trained = Buffer(count: p + 1)
    w = Buffer(count: p + 1)
    work = Buffer(count: total * (p + 3) + 4 * (p + 1))
    factor = Buffer(count: (p + 1) * (p + 1))
    factorAtRest = Buffer(count: (p + 1) * (p + 1))
    let fitted = Raw.logistic(
      design, lambda: lambda, tolerance: 1e-8, work: Raw.logisticWorkspace(design), w: trained)
    isSound =
      fitted != nil
      && Raw.logisticFactor(
        x: x, rowCount: n, lead: total, w: trained, lambda: lambda, work: work,
        factor: factorAtRest)
  }

  func prepare() {
    factor.copy(from: factorAtRest)
    w.copy(from: trained)
  }

  func append(_ i: Int) {
    let steps = Raw.logisticAppend(
      x: x, labels: labels, rowCount: design.rowCount + i + 1, lambda: lambda, tolerance: 1e-8,
      factor: factor, work: work, w: w)
    isSound = isSound && steps != nil
  }

  /// Coefficients and intercept after the first append, to rounding; nil where raw work failed.
  var reference: ContiguousArray<Double>? {
    prepare()
    append(0)
    let finer = Raw.logisticAppend(
      x: x, labels: labels, rowCount: design.rowCount + 1, lambda: lambda, tolerance: 1e-14,
      factor: factor, work: work, w: w)
    return isSound && finer != nil ? w.values : nil
  }
}
