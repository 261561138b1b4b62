import LinearAlgebra
import Testing

@testable import Learning

@Suite struct `A streaming ridge regression that starts without rows` {
  /// The state, and the rows of the moment it last took scales at.
  private static func grown(_ rows: RandomRows, to count: Int) throws -> StreamingRidge {
    var state = try StreamingRidge(
      RidgeRegression(penalty: 0.5), featureCount: rows.features.columnCount)
    for i in 0..<count {
      try state.add(rows.features.row(i), target: rows.target[i], weight: rows.weights[i])
    }
    return state
  }

  @Test func `predicts 0 until it has rows`() throws {
    let state = try StreamingRidge(RidgeRegression(penalty: 1), featureCount: 3)
    #expect(state.rowCount == 0)
    #expect(state.model == LinearModel(intercept: 0, coefficients: [0, 0, 0]))
    #expect(state.constantColumns == [0, 1, 2])
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `has the model of a full training whenever its rows have doubled`(seed: UInt64) throws {
    let rows = try RandomRows(seed: seed, rowCount: 64, featureCount: 5)
    for count in [2, 4, 16, 64] {
      let held = Array(0..<count)
      let state = try Self.grown(rows, to: count)
      let fit = try state.settings.fit(
        rows.features.rows(at: held), target: ContiguousArray(rows.target[..<count]),
        weights: ContiguousArray(rows.weights[..<count]))
      #expect(state.constantColumns == fit.constantColumns)
      for i in held {
        let row = rows.features.row(i)
        let (found, wanted) = (try state.model.predict(row), try fit.model.predict(row))
        // The standardised columns of few rows have a condition up to 10⁶ over λ = 0.5.
        #expect(abs(found - wanted) <= 1e-8 * max(1, abs(wanted)), "\(count) rows")
      }
    }
  }

  @Test
  func `agrees to the last digits with one that was trained on the same rows at the same scales`()
    throws
  {
    let rows = try RandomRows(seed: 7, rowCount: 100, featureCount: 4)
    var state = try Self.grown(rows, to: 100)
    try state.restandardise()
    let trained = try StreamingRidge(
      state.settings, rows.features, target: rows.target, weights: rows.weights)
    for (found, wanted) in zip(state.model.coefficients, trained.model.coefficients) {
      #expect(abs(found - wanted) <= 1e-9 * max(1, abs(wanted)))
    }
  }

  @Test func `goes on from a blob as it would have gone on`() throws {
    let rows = try RandomRows(seed: 3, rowCount: 40, featureCount: 4)
    for count in [0, 1, 5, 8] {
      var state = try Self.grown(rows, to: count)
      var copy = try StreamingRidge(decoding: state.encoded())
      for i in count..<40 {
        try state.add(rows.features.row(i), target: rows.target[i])
        try copy.add(rows.features.row(i), target: rows.target[i])
      }
      #expect(state.model == copy.model)
      #expect(state.encoded() == copy.encoded())
    }
  }

  @Test func `takes rows of another state in, and takes scales of them`() throws {
    let rows = try RandomRows(seed: 5, rowCount: 30, featureCount: 3)
    let other = try Self.grown(rows, to: 30)
    var state = try StreamingRidge(other.settings, featureCount: 3)
    try state.merge(try StreamingRidge(other.settings, featureCount: 3))
    #expect(state.rowCount == 0)
    try state.merge(other)
    #expect(state.rowCount == 30 && state.constantColumns.isEmpty)
  }

  @Test(arguments: [1e3, 1e6, 1e8])
  func `knows a level as well as a stream that was trained there`(level: Double) throws {
    let rows = try RandomRows(seed: 11, rowCount: 60, featureCount: 3)
    let moved = (0..<60).map { i in ContiguousArray(rows.features.row(i).map { $0 + level }) }
    let target = ContiguousArray(rows.target.map { $0 - level })
    var state = try StreamingRidge(RidgeRegression(), featureCount: 3)
    for i in 0..<60 { try state.add(moved[i], target: target[i]) }
    try state.restandardise()
    #expect(try ExtendedRidge(moved, target, penalty: 1).shareOfPromise(state.model) <= 1)
  }

  @Test func `refuses what it cannot be, and stays as it was`() throws {
    #expect(throws: LearningError.invalidPenalty(position: 0)) {
      try StreamingRidge(RidgeRegression(penalty: 0), featureCount: 3)
    }
    #expect(throws: LearningError.emptyInput(rowCount: 0, columnCount: -1)) {
      try StreamingRidge(RidgeRegression(penalty: 1), featureCount: -1)
    }
    #expect(throws: LearningError.self) {
      try StreamingRidge(RidgeRegression(penalty: 1), featureCount: .max)
    }
    var state = try StreamingRidge(RidgeRegression(penalty: 1), featureCount: 1)
    #expect(throws: LearningError.tooFewRows(needed: 2, actual: 0)) { try state.restandardise() }
    #expect(throws: LearningError.tooFewRows(needed: 2, actual: 0)) {
      try state.remove([1], target: 1)
    }
    #expect(throws: LearningError.nonFiniteFeature(row: 0, column: 0)) {
      try state.add([.nan], target: 1)
    }
    #expect(state.rowCount == 0)
  }
}
