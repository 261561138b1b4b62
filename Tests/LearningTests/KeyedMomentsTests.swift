import Learning
import LinearAlgebra
import TestSupport
import Testing

@Suite struct `Sums over keyed rows` {
  /// A log that was built at once from these rows.
  private func built(_ rows: RandomRows, _ held: [(key: Int, row: Int)]) throws -> KeyedMoments {
    try KeyedMoments(
      keys: held.map(\.key), rows.features.rows(at: held.map(\.row)),
      target: ContiguousArray(held.map { rows.target[$0.row] }),
      weights: ContiguousArray(held.map { rows.weights[$0.row] }))
  }

  @Test(arguments: 0..<24 as Range<UInt64>)
  func `are bit for bit those of a build, whatever the edits`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let rows = try RandomRows(seed: seed, rowCount: 60, featureCount: 3)
    let span = [40, 700, 5000, 1 << 40].randomElement(using: &random) ?? 1
    let keys = (0..<60).map { _ in Int.random(in: -span...span, using: &random) }
    var log = try KeyedMoments(featureCount: 3)
    var held: [Int: Int] = [:]
    for step in 0..<240 {
      let key = keys.randomElement(using: &random) ?? 0
      if held[key] != nil, Bool.random(using: &random) {
        try log.remove(key)
        held[key] = nil
      } else {
        let row = Int.random(in: 0..<60, using: &random)
        try log.set(key, rows.row(row), target: rows.target[row], weight: rows.weights[row])
        held[key] = row
      }
      guard step % 20 == 19 else { continue }
      let again = try built(rows, held.map { (key: $0, row: $1) }.shuffled(using: &random))
      #expect(log == again)
      #expect(log.moments == again.moments)
      #expect(log.encoded() == again.encoded())
      #expect(log.keys == held.keys.sorted())
    }
  }

  @Test(arguments: 0..<16 as Range<UInt64>)
  func `of two logs merged are the bytes of building one`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let rows = try RandomRows(seed: seed, rowCount: 90, featureCount: 4)
    let keys = (0..<2000).shuffled(using: &random).prefix(90)
    let held = zip(keys, 0..<90).map { (key: $0, row: $1) }
    // Some rows are in both.
    var (one, other) = (try built(rows, Array(held[..<60])), try built(rows, Array(held[40...])))
    let before = (one, other)
    try one.merge(other)
    try other.merge(before.0)
    let whole = try built(rows, held)
    #expect(one.encoded() == whole.encoded() && one.moments == whole.moments)
    #expect(other.encoded() == whole.encoded() && other.moments == whole.moments)

    var changed = before.1
    try changed.set(held[50].key, rows.row(0), target: 1)
    var log = before.0
    #expect(throws: LearningError.conflictingKey(held[50].key)) { try log.merge(changed) }
    #expect(log == before.0 && log.moments == before.0.moments)
  }

  @Test func `give the fit of the rows`() throws {
    let rows = try RandomRows(seed: 3, rowCount: 500, featureCount: 6)
    let log = try built(rows, (0..<500).map { (key: 19_000 + $0, row: $0) })
    let fit = try RidgeRegression().fit(log.moments).model
    let whole = try RidgeRegression()
      .fit(rows.features, target: rows.target, weights: rows.weights).model
    #expect(agree(fit.coefficients, whole.coefficients, within: 1e-13))
    #expect(log.rows.features == rows.features && log.rows.target == rows.target)
    #expect(log.contains(19_003) && !log.contains(18_999))
  }

  @Test func `are the same to the bit on any number of threads`() throws {
    let rows = try RandomRows(seed: 4, rowCount: 900, featureCount: 3)
    let one = try KeyedMoments(keys: Array(0..<900), rows.features, target: rows.target)
    let three = try KeyedMoments(
      keys: Array(0..<900), rows.features, target: rows.target, threads: 3)
    #expect(one.moments == three.moments)
  }

  @Test func `refuse what is wrong and stay as they were`() throws {
    let rows = try RandomRows(seed: 5, rowCount: 20, featureCount: 2)
    var log = try built(rows, (0..<20).map { (key: $0, row: $0) })
    let before = log
    #expect(throws: LearningError.unknownKey(77)) { try log.remove(77) }
    #expect(throws: LearningError.nonFiniteFeature(row: 0, column: 1)) {
      try log.set(3, [1, .nan], target: 0)
    }
    #expect(throws: LearningError.invalidWeight(row: 0)) {
      try log.set(3, [1, 2], target: 0, weight: 0)
    }
    #expect(throws: LearningError.nonFiniteTarget(row: 1, column: 0)) {
      try log.set([3, 4], rows.features.rows(0..<2), target: [1, .infinity])
    }
    #expect(throws: LearningError.conflictingKey(7)) {
      try KeyedMoments(keys: [7, 8, 7], rows.features.rows(0..<3), target: [1, 2, 3])
    }
    #expect(log == before && log.moments == before.moments)
    try log.set([3, 40], rows.features.rows(0..<2), target: [1, 2])
    #expect(log.rowCount == 21)
  }

  @Test func `NUM_13: forget a row so that nothing of it is left`() throws {
    let rows = try RandomRows(seed: 6, rowCount: 300, featureCount: 3)
    let without = try built(rows, (0..<300).filter { $0 != 150 }.map { (key: $0, row: $0) })
    var log = without
    try log.set(150, [1e12, -1e12, 1e12], target: 1e12)
    try log.remove(150)
    #expect(log.encoded() == without.encoded() && log.moments == without.moments)
    for key in log.keys { try log.remove(key) }
    let empty = try KeyedMoments(featureCount: 3)
    #expect(log == empty && log.moments == empty.moments)
  }
}
