import LinearAlgebra
import Synchronization
import Testing

@testable import Learning

/// What a handler was told, and when it is to say no.
private final class Told: Sendable {
  private let counts = Mutex<[(done: Int, total: Int)]>([])
  private let limit: Int

  init(limit: Int = .max) { self.limit = limit }

  var handler: ProgressHandler {
    ProgressHandler { done, total in
      self.counts.withLock {
        $0.append((done, total))
        return $0.count < self.limit
      }
    }
  }
  var done: [Int] { counts.withLock { $0.map(\.done) } }
  var totals: Set<Int> { counts.withLock { Set($0.map(\.total)) } }
}

@Suite struct `A long computation` {
  enum Kind: CaseIterable { case penaltyPath, logisticPath, crossValidation, rollingOrigin }

  /// A long computation of one kind, and some numbers of its result.
  private static func compute(_ kind: Kind, _ progress: ProgressHandler?) throws -> [Double] {
    let rows = try RandomRows(seed: 1, rowCount: 400, featureCount: 4)
    let middle = rows.target.reduce(0, +) / 400
    let labels = ContiguousArray(rows.target.map { $0 > middle ? 1.0 : 0 })
    let penalties: ContiguousArray<Double> = [10, 1, 0.1]
    switch kind {
    case .penaltyPath:
      let path = try PenaltyPath(
        penalties, rows.features, target: rows.target, threads: 2, progress: progress)
      return path.penalties.indices.map { path.leaveOneOutMeanSquares[$0, 0] }
    case .logisticPath:
      return try LogisticPath(penalties, rows.features, labels: labels, progress: progress)
        .fits.map(\.model.intercept)
    case .crossValidation:
      return try Array(
        LogisticCrossValidation(
          penalties, rows.features, labels: labels,
          splits: RowSplit.folds((0..<400).map { $0 % 4 }),
          threads: 2, progress: progress
        ).logLosses)
    case .rollingOrigin:
      return try Array(
        RollingOrigin().evaluate(
          RidgeRegression(penalty: 1), rows.features, target: rows.target, progress: progress
        ).forecasts())
    }
  }

  @Test(arguments: Kind.allCases)
  func `tells how far it is up to the end, and has the same result`(kind: Kind) throws {
    let told = Told()
    let followed = try Self.compute(kind, told.handler)
    #expect(followed == (try Self.compute(kind, nil)))
    #expect(told.totals.count == 1)
    #expect(told.done == told.done.sorted())
    #expect(told.done.last == told.totals.first)
    #expect(told.done.count > 1)
  }

  @Test(arguments: Kind.allCases)
  func `ends where it is no longer wanted, and asks no more`(kind: Kind) throws {
    let told = Told(limit: 2)
    #expect(throws: LearningError.cancelled) {
      try Self.compute(kind, told.handler)
    }
    #expect(told.done.count == 2)
  }
}
