internal import Learning
internal import LinearAlgebra

/// W1 to W4b at one shape.
struct RidgeWorkloads: CoreWorkloads {
  let data: CoreData
  private let target: ContiguousArray<Double>

  init(_ data: CoreData) {
    self.data = data
    target = data.design.y.values
  }

  var all: [(name: String, measure: (Measured) throws -> Measured)] {
    let shared = [("W1 2 threads", sharedFit)]
    return [
      ("W1", singleFit), ("W2", penaltyPath), ("W3", append), ("W4 remove", remove),
      ("W4 change", change), ("W4b", canonicalEdit),
    ] + (data.shape == .large ? shared : [])
  }

  private func singleFit(_ measured: Measured) throws -> Measured {
    let settings = RidgeRegression(penalty: lambda)
    let gram = Buffer(count: design.columnCount * design.columnCount)
    let w = Buffer(count: design.columnCount)
    let samples = try Stopwatch.race(
      [
        Contender { _ = try settings.fit(features, target: target) },
        Contender { _ = Raw.ridge(design, lambda: lambda, gram: gram, w: w) },
      ], seconds: seconds)
    Raw.resetPeak()
    let resident = Raw.residentBytes
    let model = try settings.fit(features, target: target).model
    var measured = measured
    measured.outcome.addedBytes = Raw.peakBytes - resident
    measured.outcome.take(samples[0], limit: samples[1])
    measured.outcome.error = departure(of: model, from: reference(x: design.x, y: design.y))
    measured.answer = model.coefficients + [model.intercept]
    return measured
  }

  /// The fit of W1 shared by two threads, in elapsed time beside one thread. An error of 0 says that both give
  /// the same bits.
  private func sharedFit(_ measured: Measured) throws -> Measured {
    let settings = RidgeRegression(penalty: lambda)
    let targets = try Matrix(columnMajor: target, rowCount: target.count, columnCount: 1)
    func fit(_ threads: Int) throws -> LinearModel {
      try settings.fit(Moments(features: features, targets: targets, threads: threads)).model
    }
    let samples = try Stopwatch.race(
      [Contender { _ = try fit(2) }, Contender { _ = try fit(1) }], seconds: seconds)
    var measured = measured
    measured.outcome.take(samples[0])
    measured.outcome.medianUs = samples[0].wall(0.5) * 1e6
    measured.outcome.minUs = samples[0].wall(0) * 1e6
    measured.outcome.p90Us = samples[0].wall(0.9) * 1e6
    measured.outcome.limitUs = samples[1].wall(0.5) * 1e6
    measured.outcome.ratioToLimit = samples[0].wall(0.5) / samples[1].wall(0.5)
    measured.outcome.error = try fit(2) == fit(1) ? 0 : .infinity
    return measured
  }

  private func penaltyPath(_ measured: Measured) throws -> Measured {
    let penalties = ContiguousArray(CoreSuite.ridgePath)
    func ours() throws -> (penalty: Double, model: LinearModel) {
      let path = try PenaltyPath(penalties, features, target: target)
      let best = path.bestPenalty()
      let settings = RidgeRegression(penalty: best)
      guard let sums = path.moments else {
        return (best, try settings.fit(features, target: target).model)
      }
      return (best, try settings.fit(sums).model)
    }
    let lambdas = Buffer(penalties)
    let scores = Buffer(count: penalties.count)
    let w = Buffer(count: design.columnCount)
    let work = Raw.pathWorkspace(design, penalties: penalties.count)
    let samples = try Stopwatch.race(
      [
        Contender { _ = try ours() },
        Contender { _ = Raw.ridgePath(design, lambdas: lambdas, work: work, scores: scores, w: w) },
      ], seconds: seconds, least: 3)
    let found = try ours()
    var measured = measured
    measured.outcome.take(samples[0], limit: samples[1])
    let expected = Raw.referenceRidge(
      x: design.x, y: design.y, columnCount: design.columnCount, lambda: found.penalty)
    measured.outcome.error = departure(of: found.model, from: expected)
    measured.answer = [found.penalty] + found.model.coefficients + [found.model.intercept]
    return measured
  }

  private func append(_ measured: Measured) throws -> Measured {
    let (rows, targets) = (design.laterRows, design.laterTargets)
    let after = rowsAfter(leavingOutFirst: false, adding: true)
    return try edits(measured, after: after) { state, i in
      try state.add(rows[i], target: targets[i])
    } raw: { factor, row, i in
      row.copy(from: rows[i])
      Raw.update(factor: factor, by: row)
    }
  }

  private func remove(_ measured: Measured) throws -> Measured {
    let rows = (0..<editCount).map(features.row)
    let after = rowsAfter(leavingOutFirst: true, adding: false)
    return try edits(measured, after: after) { state, i in
      try state.remove(rows[i], target: target[i])
    } raw: { factor, row, i in
      row.copy(from: rows[i])
      _ = Raw.downdate(factor: factor, by: row)
    }
  }

  private func change(_ measured: Measured) throws -> Measured {
    let rows = (0..<editCount).map(features.row)
    let (others, targets) = (design.laterRows, design.laterTargets)
    let after = rowsAfter(leavingOutFirst: true, adding: true)
    return try edits(measured, after: after) { state, i in
      try state.change(rows[i], target: target[i], to: others[i], target: targets[i])
    } raw: { factor, row, i in
      row.copy(from: rows[i])
      _ = Raw.downdate(factor: factor, by: row)
      row.copy(from: others[i])
      Raw.update(factor: factor, by: row)
    }
  }

  /// The rows that the first edit leaves behind, for the reference to be fitted on; scales are those of
  /// the training, as the columns are standardised over its rows.
  private func rowsAfter(leavingOutFirst: Bool, adding: Bool) -> (x: Buffer, y: Buffer) {
    var x = ContiguousArray<Double>()
    for j in 0..<design.columnCount {
      x += features.column(j).dropFirst(leavingOutFirst ? 1 : 0)
      if adding { x.append(design.laterRows[0][j]) }
    }
    var y = ContiguousArray(target.dropFirst(leavingOutFirst ? 1 : 0))
    if adding { y.append(design.laterTargets[0]) }
    return (Buffer(x), Buffer(y))
  }

  /// A day of canonical sums set to another row, and a model with scales of its own from what is then there.
  private func canonicalEdit(_ measured: Measured) throws -> Measured {
    let p = design.columnCount
    let settings = RidgeRegression(penalty: lambda)
    var sums = try KeyedMoments(keys: Array(0..<design.rowCount), features, target: target)
    let rows = [features.row(100), design.laterRows[0]]
    let targets = [target[100], design.laterTargets[0]]
    let gram = Buffer(count: p * p)
    let w = Buffer(count: p)
    _ = Raw.ridge(design, lambda: lambda, gram: gram, w: w)
    // The factor's lower triangle is positive definite too: the same work.
    for j in 0..<p { gram[j * p + j] = gram[j * p + j] + 1e6 }
    let factor = Buffer(count: p * p)
    let right = Buffer(w.values)
    var turn = 0
    let samples = try Stopwatch.race(
      [
        Contender { () throws -> Void in
          turn += 1
          try sums.set(100, rows[turn % 2], target: targets[turn % 2])
          _ = try settings.fit(sums.moments)
        },
        Contender { _ = Raw.refactor(gram: gram, moments: right, factor: factor, w: w) },
      ], seconds: seconds, least: 3)
    var measured = measured
    measured.outcome.take(samples[0], limit: samples[1])
    try sums.set(100, rows[0], target: targets[0])
    let model = try settings.fit(sums.moments).model
    measured.outcome.error = departure(of: model, from: reference(x: design.x, y: design.y))
    return measured
  }

  /// Times edits of a trained state, each with fresh coefficients, beside those of a bare factor.
  private func edits(
    _ measured: Measured, after: (x: Buffer, y: Buffer),
    ours: @escaping (inout StreamingRidge, Int) throws -> Void,
    raw: @escaping (Buffer, Buffer, Int) -> Void
  ) throws -> Measured {
    let p = design.columnCount
    let trained = try StreamingRidge(RidgeRegression(penalty: lambda), features, target: target)
    let start = Buffer(count: p * p)
    let w = Buffer(count: p)
    _ = Raw.ridge(design, lambda: lambda, gram: start, w: w)
    let session = Session(trained, factor: start)
    let right = Buffer(w.values)
    let row = Buffer(count: p)
    let samples = try Stopwatch.race(
      [
        Contender(count: editCount) {
          session.state = trained
          // The first change copies what the two states share; it is not what is timed.
          try session.state.restandardise()
        } _: { i in
          try ours(&session.state, i)
          session.intercept = session.state.writeCoefficients(into: &session.coefficients)
        },
        Contender(count: editCount) {
          session.factor.copy(from: start)
        } _: { i in
          raw(session.factor, row, i)
          w.copy(from: right)
          Raw.solve(factor: session.factor, w)
        },
      ], seconds: seconds)
    var measured = measured
    measured.outcome.take(samples[0], limit: samples[1])
    measured.outcome.allocations = try allocations(session, from: trained, ours)
    var state = trained
    try ours(&state, 0)
    measured.outcome.error = departure(of: state.model, from: reference(x: after.x, y: after.y))
    measured.answer = state.model.coefficients + [state.model.intercept]
    return measured
  }

  /// Calls of the allocator in one edit, once the state is its own.
  private func allocations(
    _ session: Session, from trained: StreamingRidge,
    _ ours: (inout StreamingRidge, Int) throws -> Void
  ) throws -> Double? {
    session.state = trained
    try session.state.restandardise()
    try ours(&session.state, 0)
    session.intercept = session.state.writeCoefficients(into: &session.coefficients)
    guard let before = Raw.allocations else { return nil }
    let count = 16
    for i in 1...count {
      try ours(&session.state, i)
      session.intercept = session.state.writeCoefficients(into: &session.coefficients)
    }
    return Raw.allocations.map { Double($0 - before) / Double(count) }
  }

  /// Coefficients and intercept by another road, accurate to the last digits.
  private func reference(x: Buffer, y: Buffer) -> ContiguousArray<Double>? {
    Raw.referenceRidge(x: x, y: y, columnCount: design.columnCount, lambda: lambda)
  }

  private func departure(of model: LinearModel, from reference: ContiguousArray<Double>?) -> Double?
  {
    reference.map { Departure.relative(model.coefficients + [model.intercept], from: $0) }
  }
}

/// What a chain of edits works on.
private final class Session {
  var state: StreamingRidge
  let factor: Buffer
  var coefficients: ContiguousArray<Double>
  var intercept = 0.0

  init(_ state: StreamingRidge, factor: Buffer) {
    self.state = state
    self.factor = Buffer(factor.values)
    coefficients = ContiguousArray(repeating: 0, count: state.featureCount)
  }
}
