import LinearAlgebra
import TestSupport
import Testing

@testable import Learning

/// Rows that would wipe out the digits of all others are held for a while and go again. What is left is judged by
/// ``ExtendedRidge`` on the rows that are left.
@Suite struct `A row that comes and goes` {
  /// A row of two or three features, and its target.
  private static func row(
    _ count: Int, _ random: inout SplitMix64
  ) -> (features: ContiguousArray<Double>, target: Double) {
    let x = ContiguousArray((0..<count).map { _ in Double.random(in: -0.5...0.5, using: &random) })
    return (x, x[0] - 2 * x[1] + Double.random(in: -0.5...0.5, using: &random))
  }

  @Test(arguments: [1e2, 1e4, 1e6, 1e8, 1e12, 1e30, 1e100], [3, 250, 300, 1000])
  func `far out, held over many edits, leaves the model of the others`(size: Double, edits: Int)
    throws
  {
    var random = SplitMix64(seed: UInt64(edits))
    var (rows, target) = ([ContiguousArray<Double>](), ContiguousArray<Double>())
    func next() -> (features: ContiguousArray<Double>, target: Double) {
      let row = Self.row(3, &random)
      rows.append(row.features)
      target.append(row.target)
      return row
    }
    for _ in 0..<60 { _ = next() }
    let ridge = RidgeRegression()
    var stream = try StreamingRidge(ridge, Matrix(rows: rows), target: target)
    try stream.add([size, 0.1, 0.2], target: 0.3)
    try stream.add([0.1, -size, 0.2], target: size)
    for _ in 0..<edits {
      let row = next()
      try stream.add(row.features, target: row.target)
    }
    try stream.remove([size, 0.1, 0.2], target: 0.3)
    try stream.remove([0.1, -size, 0.2], target: size)
    #expect(stream.rowCount == rows.count)
    try stream.restandardise()
    #expect(try ExtendedRidge(rows, target, penalty: 1).shareOfPromise(stream.model) <= 1)
    // On and back again: the sums are as good as new.
    for i in 20..<rows.count { try stream.remove(rows[i], target: target[i]) }
    try stream.restandardise()
    let few = try ExtendedRidge(
      Array(rows[..<20]), ContiguousArray(target[..<20]), penalty: 1)
    #expect(few.shareOfPromise(stream.model) <= 1)
  }

  @Test(arguments: [1e6, 1e8, 1e12])
  func `far out and part of the training, leaves the model of the others`(size: Double) throws {
    var random = SplitMix64(seed: 61)
    let all = (0..<60).map { _ in Self.row(3, &random) }
    let (rows, target) = (all.map(\.features), ContiguousArray(all.map(\.target)))
    var stream = try StreamingRidge(
      RidgeRegression(), Matrix(rows: rows + [[0.3, size, 0.1]]), target: target + [2])
    try stream.remove([0.3, size, 0.1], target: 2)
    try stream.restandardise()
    #expect(try ExtendedRidge(rows, target, penalty: 1).shareOfPromise(stream.model) <= 1)
  }

  @Test(arguments: [1e3, 1e6, 1e9, 1e12, 1e15, 1e18, 1e200, 1e300])
  func `of a large weight leaves the model of the others`(weight: Double) throws {
    let rows = (0..<60).map { [Double($0 % 7), Double(($0 * $0) % 11)] as ContiguousArray }
    let target = ContiguousArray((0..<60).map { 1000 + Double($0 % 5) })
    let expected = try ExtendedRidge(rows, target, penalty: 1)
    for edits in [0, 300] {
      var stream = try StreamingRidge(RidgeRegression(), Matrix(rows: rows), target: target)
      try stream.add([1, 2], target: 500, weight: weight)
      for i in 0..<edits { try stream.add(rows[i % 60], target: target[i % 60]) }
      #expect(stream.model.coefficients.allSatisfy { $0.isFinite })
      // A row of a million times the weight is all but interpolated.
      #expect(try weight < 1e6 || abs(stream.model.predict([1, 2]) - 500) < 1)
      for i in 0..<edits { try stream.remove(rows[i % 60], target: target[i % 60]) }
      try stream.remove([1, 2], target: 500, weight: weight)
      #expect(stream.rowCount == 60)
      #expect(stream.weightSum == 60)
      try stream.restandardise()
      #expect(expected.shareOfPromise(stream.model) <= 1)
      #expect(abs(Double(ExtendedRidge.Number(stream.model.intercept) - expected.intercept)) < 1e-9)
    }
  }

  @Test func `must not take the sum of weights out of range`() throws {
    var random = SplitMix64(seed: 62)
    let all = (0..<9).map { _ in Self.row(2, &random) }
    var stream = try StreamingRidge(
      RidgeRegression(), Matrix(rows: all.map(\.features)),
      target: ContiguousArray(all.map(\.target)))
    let before = stream.model
    #expect(throws: LearningError.invalidWeight(row: 0)) {
      try stream.add([0, 1], target: 1, weight: 1e306)
    }
    #expect(stream.model == before)
    var keyed = try KeyedMoments(featureCount: 1)
    #expect(throws: LearningError.invalidWeight(row: 0)) {
      try keyed.set(1, [1], target: 1, weight: 1e306)
    }
    try keyed.set(1, [1], target: 1, weight: 1e290)
    #expect(throws: LearningError.overflow(column: 0)) {
      try keyed.set(2, [1e10], target: 1, weight: 1e290)
    }
    #expect(keyed.rowCount == 1 && keyed.moments.weightSum == 1e290)
  }

  @Test(arguments: [1e3, 1e4, 1e6, 1e8, 1e12])
  func `through a window leaves windows that do not hold it as they are`(size: Double) throws {
    var random = SplitMix64(seed: 63)
    let start = (0..<30).map { _ in Self.row(2, &random) }
    var window = try SlidingWindowRidge(
      RidgeRegression(), Matrix(rows: start.map(\.features)),
      target: ContiguousArray(start.map(\.target)))
    var worst = 0.0
    for k in 0..<2000 {
      switch k % 97 {
      case 5: try window.slide([size, 0.3], target: 1)
      case 15: try window.slide([0.2, -size], target: size)
      default:
        let row = Self.row(2, &random)
        try window.slide(row.features, target: row.target)
      }
      if k % 97 == 60 {
        var own = window
        try own.restandardise()
        let held = window.window
        let expected = try ExtendedRidge(
          (0..<30).map { held.features.row($0) }, held.target, penalty: 1)
        worst = max(worst, expected.shareOfPromise(own.model))
      }
    }
    #expect(worst <= 1)
  }

  @Test(arguments: [0, 1e-3, 0.1, 20, 1e4])
  func `while the level of all drifts, leaves nothing`(drift: Double) throws {
    var random = SplitMix64(seed: 64)
    func row(_ k: Int) -> (features: ContiguousArray<Double>, target: Double, weight: Double) {
      var (x, y) = Self.row(3, &random)
      for j in 0..<3 { x[j] += drift * Double(k) * Double(j + 1) }
      y -= drift * Double(k)
      return (x, y, Double.random(in: 0.5...2, using: &random))
    }
    let start = (0..<40).map { row($0) }
    var window = try SlidingWindowRidge(
      RidgeRegression(), Matrix(rows: start.map(\.features)),
      target: ContiguousArray(start.map(\.target)), weights: ContiguousArray(start.map(\.weight)))
    for k in 40..<3000 {
      let (x, y, weight) = row(k)
      try window.slide(x, target: y, weight: weight)
      guard k % 370 == 0 || k == 2999 else { continue }
      var own = window
      try own.restandardise()
      let held = window.window
      let expected = try ExtendedRidge(
        (0..<40).map { held.features.row($0) }, held.target, weights: held.weights, penalty: 1)
      #expect(expected.shareOfPromise(own.model) <= 1)
    }
  }

  @Test(arguments: [1e3, 1e6, 1e8, 1e12])
  func `before the level of all moves, leaves nothing in a window`(level: Double) throws {
    var random = SplitMix64(seed: 68)
    let start = (0..<90).map { _ in Self.row(2, &random) }
    var window = try SlidingWindowRidge(
      RidgeRegression(), Matrix(rows: start.map(\.features)),
      target: ContiguousArray(start.map(\.target)))
    var moved: [(features: ContiguousArray<Double>, target: Double)] = []
    for _ in 0..<90 {
      var row = Self.row(2, &random)
      for j in 0..<2 { row.features[j] += level }
      row.target -= level
      moved.append(row)
      try window.slide(row.features, target: row.target)
    }
    try window.restandardise()
    let expected = try ExtendedRidge(
      moved.map(\.features), ContiguousArray(moved.map(\.target)), penalty: 1)
    #expect(expected.shareOfPromise(window.model) <= 1)
  }

  @Test
  func `in a crowd of a hundred far out is summed with the others, and still exact to rounding`()
    throws
  {
    var random = SplitMix64(seed: 65)
    let all = (0..<200).map { _ in Self.row(2, &random) }
    let (rows, target) = (all.map(\.features), ContiguousArray(all.map(\.target)))
    var stream = try StreamingRidge(RidgeRegression(), Matrix(rows: rows), target: target)
    let far = (0..<100).map { [1e4 + Double($0), 1e3 * Double($0 % 7)] as ContiguousArray }
    for row in far { try stream.add(row, target: 1) }
    for i in 0..<200 {
      try stream.remove(rows[i], target: target[i])
      try stream.add(rows[i], target: target[i])
    }
    #expect(stream.sums.apart.count <= StreamSums.apartLimit)
    for row in far { try stream.remove(row, target: 1) }
    try stream.restandardise()
    #expect(try ExtendedRidge(rows, target, penalty: 1).shareOfPromise(stream.model) <= 1)
  }

  @Test func `in one of two states that are merged can be removed from both`() throws {
    var random = SplitMix64(seed: 66)
    let all = (0..<80).map { _ in Self.row(2, &random) }
    let (rows, target) = (all.map(\.features), ContiguousArray(all.map(\.target)))
    func part(_ range: Range<Int>) throws -> StreamingRidge {
      try StreamingRidge(
        RidgeRegression(), Matrix(rows: Array(rows[range])), target: ContiguousArray(target[range]))
    }
    var (one, two) = (try part(0..<40), try part(40..<80))
    try two.add([1e9, 2], target: 3)
    try one.merge(two)
    #expect(one.rowCount == 81)
    try one.remove([1e9, 2], target: 3)
    try one.restandardise()
    #expect(try ExtendedRidge(rows, target, penalty: 1).shareOfPromise(one.model) <= 1)
  }

  @Test(arguments: [1e9, 1e12, 1e15])
  func `of a large weight leaves a logistic regression as it was`(weight: Double) throws {
    var random = SplitMix64(seed: 67)
    let rows = (0..<80).map { _ in Self.row(3, &random).features }
    let labels = ContiguousArray(
      rows.map { $0[0] + Double.random(in: -0.5...0.5, using: &random) > 0 ? 1.0 : 0 })
    for tolerance in [1e-8, 1e-11] {
      let settings = LogisticRegression(tolerance: tolerance)
      var stream = try StreamingLogistic(
        settings, keys: Array(0..<80), Matrix(rows: rows), labels: labels)
      let before = stream.model.coefficients
      try stream.set(99, [0.1, 0.2, 0.3], label: 1, weight: weight)
      #expect(stream.gradient <= tolerance)
      try stream.remove(99)
      #expect(stream.gradient <= tolerance)
      // Two points of a gradient below t differ by at most 2 t n √p / λ, in columns of deviation 0.29.
      #expect(agree(stream.model.coefficients, before, within: 2 * tolerance * 80 * 2 / 0.29))
      let fit = try settings.fit(Matrix(rows: rows), labels: labels).model.coefficients
      #expect(agree(stream.model.coefficients, fit, within: 2 * tolerance * 80 * 2 / 0.29))
    }
  }
}
