import Learning
import LinearAlgebra
import TestSupport
import Testing

@Suite struct `Training on many threads at once` {
  /// Everything a retrain does: sums, factor, path, stream, log.
  private static func retrain(_ rows: RandomRows, threads: Int) throws -> [UInt8] {
    let ridge = RidgeRegression(penalty: 2)
    let fit = try ridge.fit(
      rows.features, target: rows.target, weights: rows.weights, threads: threads)
    let path = try PenaltyPath(
      [0.1, 1, 10], rows.features, target: rows.target, weights: rows.weights, threads: threads)
    var stream = try StreamingRidge(ridge, rows.features, target: rows.target)
    for i in 0..<8 {
      try stream.add(rows.row(i), target: rows.target[i])
      try stream.remove(rows.row(i), target: rows.target[i])
    }
    var log = try KeyedMoments(
      keys: Array(0..<rows.target.count), rows.features, target: rows.target, threads: threads)
    try log.set(3, rows.row(4), target: 5)
    let scores = path.leaveOneOutMeanSquares.storage + path.generalisedCrossValidation.storage
    let wide = try ridge.fit(
      rows.features.rows(0..<12), target: ContiguousArray(rows.target.prefix(12)))
    return try fit.model.encoded() + stream.encoded() + log.encoded()
      + ridge.fit(log.moments).model.encoded() + wide.model.encoded()
      + LinearModel(intercept: 0, coefficients: scores).encoded()
  }

  @Test func `BLS_5: 64 retrains at once all end, with the same bytes`() throws {
    let rows = try RandomRows(seed: 5, rowCount: 90, featureCount: 24)
    let alone = try Self.retrain(rows, threads: 1)
    // Threads of the system, not tasks: a pool of tasks would run two at a time here.
    let results = Parallel.map(64, threads: 64) { _ in Result { try Self.retrain(rows, threads: 2) }
    }
    for result in results { #expect(try result.get() == alone) }
  }
}
