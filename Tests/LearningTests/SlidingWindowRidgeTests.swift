import LinearAlgebra
import TestSupport
import Testing

@testable import Learning

@Suite struct `A ridge regression on a sliding window` {
  /// That the model is the one of a fit from scratch on the window, with scales of the window's own.
  private static func expectExact(_ window: SlidingWindowRidge, penalty: Double) throws {
    var own = window
    try own.restandardise()
    let (features, target, weights) = window.window
    let fit = try RidgeRegression(penalty: penalty).fit(features, target: target, weights: weights)
    let moments = try Moments(
      features: features, targets: Matrix(columns: [target]), weights: weights)
    let order = moments.order
    let deviations = (0..<order).map {
      (moments.products[$0 * order + $0] / moments.weightSum).squareRoot()
    }
    var gram = try Matrix(rowCount: order - 1, columnCount: order - 1)
    for j in 0..<order - 1 {
      for i in j..<order - 1 {
        gram[i, j] = moments.products[j * order + i] / deviations[j] / deviations[i]
      }
      gram[j, j] += penalty
    }
    let values = try SymmetricEigen(gram).values
    let bound = 64 * .ulpOfOne * values[order - 2] / values[0]
    var (error, size) = (0.0, 0.0)
    for j in 0..<order - 1 {
      let (found, wanted) = (own.model.coefficients[j], fit.model.coefficients[j])
      error += ((found - wanted) * deviations[j]) * ((found - wanted) * deviations[j])
      size += (wanted * deviations[j]) * (wanted * deviations[j])
    }
    #expect(error.squareRoot() <= bound * max(deviations[order - 1], size.squareRoot()))
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `equals a fresh fit after thousands of steps`(seed: UInt64) throws {
    let rows = try RandomRows(seed: seed, rowCount: 3000, featureCount: 6)
    let count = 40
    let weights = seed % 2 == 0 ? nil : rows.weights
    var window = try SlidingWindowRidge(
      RidgeRegression(penalty: 0.5), rows.features.rows(0..<count),
      target: ContiguousArray(rows.target[..<count]),
      weights: weights.map { ContiguousArray($0[..<count]) })
    for i in count..<3000 {
      try window.slide(rows.row(i), target: rows.target[i], weight: weights?[i] ?? 1)
      if i % 700 == 0 { try Self.expectExact(window, penalty: 0.5) }
    }
    try Self.expectExact(window, penalty: 0.5)
    #expect(window.window.target == ContiguousArray(rows.target.suffix(count)))
    #expect(window.window.features == rows.features.rows(3000 - count..<3000))
    #expect(window.moments.rowCount == count)
  }

  @Test func `follows a level that moves far away`() throws {
    var rows = try RandomRows(seed: 9, rowCount: 400, featureCount: 3)
    for i in 0..<400 {
      for j in 0..<3 { rows.features[i, j] += Double(i) * 20 }
      rows.target[i] -= Double(i) * 3
    }
    var window = try SlidingWindowRidge(
      RidgeRegression(), rows.features.rows(0..<30), target: ContiguousArray(rows.target[..<30]))
    try window.slide(
      rows.features.rows(30..<400), target: ContiguousArray(rows.target[30...]))
    try Self.expectExact(window, penalty: 1)
  }

  @Test func `has as few rows as columns and still slides`() throws {
    let rows = try RandomRows(seed: 10, rowCount: 200, featureCount: 8)
    var window = try SlidingWindowRidge(
      RidgeRegression(), rows.features.rows(0..<5), target: ContiguousArray(rows.target[..<5]))
    for i in 5..<200 { try window.slide(rows.row(i), target: rows.target[i]) }
    try Self.expectExact(window, penalty: 1)
  }

  @Test func `refuses a bad row and stays as it was`() throws {
    let rows = try RandomRows(seed: 11, rowCount: 30, featureCount: 2)
    var window = try SlidingWindowRidge(RidgeRegression(), rows.features, target: rows.target)
    let before = window.model
    #expect(throws: LearningError.nonFiniteFeature(row: 0, column: 1)) {
      try window.slide([1, .nan], target: 1)
    }
    #expect(throws: LearningError.nonFiniteTarget(row: 0, column: 0)) {
      try window.slide([1, 2], target: .infinity)
    }
    #expect(throws: LearningError.invalidWeight(row: 0)) {
      try window.slide([1, 2], target: 1, weight: 0)
    }
    #expect(throws: LearningError.nonFiniteFeature(row: 1, column: 0)) {
      try window.slide(Matrix(rows: [[1, 2], [.nan, 2]]), target: [1, 2])
    }
    #expect(window.model == before)
    #expect(window.window.features == rows.features)
    #expect(throws: LearningError.invalidWeight(row: 1)) {
      try SlidingWindowRidge(
        RidgeRegression(), rows.features.rows(0..<2), target: [1, 2], weights: [1, 0])
    }
  }

  @Test func `goes on to the bit from a blob`() throws {
    let rows = try RandomRows(seed: 12, rowCount: 200, featureCount: 3)
    var window = try SlidingWindowRidge(
      RidgeRegression(), rows.features.rows(0..<20), target: ContiguousArray(rows.target[..<20]))
    for i in 20..<77 { try window.slide(rows.row(i), target: rows.target[i]) }
    let bytes = window.encoded()
    var other = try SlidingWindowRidge(decoding: bytes)
    let again = other.encoded()
    #expect(again == bytes)
    for i in 77..<200 {
      try window.slide(rows.row(i), target: rows.target[i])
      try other.slide(rows.row(i), target: rows.target[i])
      #expect(other.model == window.model)
    }
    #expect(other.window.features == rows.features.rows(180..<200))
  }

  @Test func `a blob that was altered, cut short or is newer is a named error`() throws {
    let rows = try RandomRows(seed: 13, rowCount: 12, featureCount: 2)
    var window = try SlidingWindowRidge(RidgeRegression(), rows.features, target: rows.target)
    let bytes = window.encoded()
    var random = SplitMix64(seed: 13)
    for _ in 0..<2000 {
      var altered = bytes
      altered[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(
        in: 1...255, using: &random)
      #expect(throws: BlobError.self) { try SlidingWindowRidge(decoding: altered) }
    }
    for count in 0..<bytes.count {
      #expect(throws: BlobError.self) {
        try SlidingWindowRidge(decoding: Array(bytes.prefix(count)))
      }
    }
    var newer = bytes
    newer[4] = 2
    #expect(throws: BlobError.newerVersion(found: 2, supported: 1)) {
      try SlidingWindowRidge(decoding: newer)
    }
    #expect(throws: BlobError.malformed("a row that no window holds")) {
      var state = try StreamingRidge(RidgeRegression(), rows.features, target: rows.target)
      var writer = BlobWriter(kind: "DWin", version: 1)
      writer.write(state.encoded())
      for _ in 0..<12 { writer.write([1, 2, 3, 0] as ContiguousArray<Double>) }
      return try SlidingWindowRidge(decoding: writer.finish())
    }
  }
}
