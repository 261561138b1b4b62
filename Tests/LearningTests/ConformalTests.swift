import TestSupport
import Testing

@testable import Learning

/// How far a count of `trials` may be from its mean by chance: five standard deviations, which one run in a
/// million exceeds.
private func chance(_ share: Double, _ trials: Int) -> Double {
  5 * (share * (1 - share) * Double(trials)).squareRoot()
}

@Suite struct `A split conformal interval` {
  @Test func `is the error of rank ⌈(n + 1)(1 − α)⌉`() throws {
    let errors = ContiguousArray((1...19).reversed().map(Double.init))
    #expect(try SplitConformal(absoluteErrors: errors, coverage: 0.9).halfWidth == 18)
    #expect(try SplitConformal(absoluteErrors: errors, coverage: 0.95).halfWidth == 19)
    #expect(try SplitConformal(absoluteErrors: errors, coverage: 0.951).halfWidth == nil)
    #expect(try SplitConformal(absoluteErrors: errors, coverage: 0.55).halfWidth == 11)
    #expect(try SplitConformal(absoluteErrors: [], coverage: 0.5).halfWidth == nil)
  }

  @Test func `is there from the least number of errors on`() throws {
    #expect(SplitConformal.leastErrors(coverage: 0.9) == 9)
    #expect(SplitConformal.leastErrors(coverage: 0.95) == 19)
    #expect(SplitConformal.leastErrors(coverage: 0.5) == 1)
    for coverage in [0.1, 0.3, 0.55, 0.7, 0.8, 0.9, 0.95, 0.99] {
      let count = SplitConformal.leastErrors(coverage: coverage)
      let errors = ContiguousArray((0..<count).map(Double.init))
      #expect(
        try SplitConformal(absoluteErrors: errors, coverage: coverage).halfWidth
          == errors.last)
      #expect(
        try SplitConformal(absoluteErrors: ContiguousArray(errors.dropLast()), coverage: coverage)
          .halfWidth
          == nil)
    }
  }

  /// Of exchangeable errors without ties the next is within the k-th smallest of n with probability
  /// k / (n + 1), whatever their distribution.
  @Test(arguments: [(9, 0.9), (19, 0.5), (30, 0.8), (120, 0.95)])
  func `covers exchangeable errors as often as it says`(count: Int, coverage: Double) throws {
    let trials = 4000
    var hits = 0
    for seed in 0..<trials {
      var random = SplitMix64(seed: UInt64(seed) &* 977 &+ UInt64(count))
      // Heavy tails: one over a uniform number.
      let errors = ContiguousArray(
        (0...count).map { _ in 1 / Double.random(in: 1e-9...1, using: &random) })
      let interval = try SplitConformal(
        absoluteErrors: ContiguousArray(errors.dropLast()), coverage: coverage)
      if let half = interval.halfWidth, errors[count] <= half { hits += 1 }
    }
    let rank = (Double(count + 1) * coverage - 1e-9).rounded(.up)
    let exact = rank / Double(count + 1)
    #expect(exact >= coverage - 1e-12)
    #expect(abs(Double(hits) - exact * Double(trials)) <= chance(exact, trials))
  }

  @Test func `NUM_4: a weight of 2 counts an error twice, 0 leaves it out`() throws {
    let found = try SplitConformal(
      absoluteErrors: [3, 1, 100, 2], coverage: 0.8, weights: [2, 1, 0, 1])
    let repeated = try SplitConformal(absoluteErrors: [3, 3, 1, 2], coverage: 0.8)
    #expect(found.halfWidth == repeated.halfWidth)
    #expect(found.errorCount == 3)
  }

  @Test func `names what is wrong with its input`() {
    for coverage in [0, 1, -0.1, 1.5, .nan] {
      #expect(throws: LearningError.invalidSetting("coverage")) {
        try SplitConformal(absoluteErrors: [1], coverage: coverage)
      }
      #expect(throws: LearningError.invalidSetting("coverage")) {
        try AdaptiveInterval(coverage: coverage)
      }
    }
    #expect(throws: LearningError.nonFiniteForecast(row: 1)) {
      try SplitConformal(absoluteErrors: [1, -1], coverage: 0.5)
    }
    #expect(throws: LearningError.invalidWeight(row: 0)) {
      try SplitConformal(absoluteErrors: [1], coverage: 0.5, weights: [.nan])
    }
    #expect(throws: LearningError.invalidSetting("memory")) {
      try AdaptiveInterval(coverage: 0.9, memory: 5, leastErrors: 6)
    }
    #expect(throws: LearningError.invalidSetting("step")) {
      try AdaptiveInterval(coverage: 0.9, step: 1)
    }
  }
}

@Suite struct `An adaptive interval` {
  /// Half-widths and errors of `count` days whose errors are normal with a scale that depends on the day.
  private static func run(
    seed: UInt64, count: Int, coverage: Double, scale: (Int) -> Double
  ) throws -> (halves: [Double?], errors: [Double]) {
    var random = SplitMix64(seed: seed)
    var interval = try AdaptiveInterval(coverage: coverage)
    var (halves, errors): ([Double?], [Double]) = ([], [])
    for day in 0..<count {
      // The sum of twelve uniform numbers less six is all but normal.
      let normal = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0...1, using: &random)
      }
      let error = abs(normal) * scale(day)
      halves.append(interval.halfWidth)
      errors.append(error)
      try interval.observe(error, halfWidth: interval.halfWidth)
    }
    return (halves, errors)
  }

  private static func coverage(
    _ run: (halves: [Double?], errors: [Double]), _ days: Range<Int>
  ) -> IntervalCoverage? {
    IntervalCoverage(
      nominal: 0.9, forecasts: days.map { _ in 0 }, halfWidths: days.map { run.halves[$0] },
      outcomes: days.map { run.errors[$0] })
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `covers what it should while nothing changes`(seed: UInt64) throws {
    let run = try Self.run(seed: seed, count: 2000, coverage: 0.9) { _ in 3 }
    let coverage = try #require(Self.coverage(run, 0..<2000))
    #expect(coverage.count == 1990)
    // The step of 0.03 pulls hits and misses back: over n days they differ by about 1 / 0.03 at most.
    #expect(abs(coverage.covered.share - 0.9) < 1.5 / 0.03 / 1990)
    // 1.645 standard deviations to both sides cover 90 %.
    #expect(abs(coverage.medianWidth / (2 * 1.645 * 3) - 1) < 0.15)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `returns to its coverage after the errors have trebled`(seed: UInt64) throws {
    let run = try Self.run(seed: seed, count: 900, coverage: 0.9) { $0 < 300 ? 1 : 3 }
    let soon = try #require(Self.coverage(run, 330..<430))
    let later = try #require(Self.coverage(run, 430..<900))
    #expect(soon.covered.share > 0.75)
    #expect(abs(later.covered.share - 0.9) < 0.04)
    // Errors that stay as they were before would have been covered by 42 %.
    let narrow = try SplitConformal(
      absoluteErrors: ContiguousArray(run.errors[..<300]), coverage: 0.9)
    let half = try #require(narrow.halfWidth)
    #expect(run.errors[430...].count { $0 <= half } < 300)
  }

  @Test func `narrows again when errors become small`() throws {
    let run = try Self.run(seed: 3, count: 900, coverage: 0.9) { $0 < 300 ? 3 : 1 }
    let later = try #require(Self.coverage(run, 500..<900))
    #expect(abs(later.covered.share - 0.9) < 0.04)
    #expect(later.medianWidth < 2 * 1.645 * 1.3)
  }

  @Test func `has no width before it knows enough errors`() throws {
    var interval = try AdaptiveInterval(coverage: 0.8, memory: 20, leastErrors: 3)
    for error in [1.0, 2] {
      #expect(interval.halfWidth == nil)
      try interval.observe(error, halfWidth: nil)
    }
    try interval.observe(3, halfWidth: nil)
    #expect(interval.halfWidth != nil)
    #expect(interval.missRate == 1 - 0.8)
  }
}

@Suite struct `The coverage of intervals` {
  @Test func `counts hits, widths and what lay beyond`() throws {
    let coverage = try #require(
      IntervalCoverage(
        nominal: 0.5, forecasts: [0.0, 0, 0, 0], halfWidths: [1.0, 2, nil, 1] as [Double?],
        outcomes: [1.0, -3, 100, 0.5]))
    #expect(coverage.count == 3)
    #expect(coverage.covered.share == 2 / 3.0)
    #expect(coverage.medianWidth == 2)
    // Widths of 2, 4 and 2, and one outcome 1 beyond its interval at a price of 2 / (1 − 0.5).
    #expect(coverage.meanScore == 4)
    let none: [Double?] = [nil]
    let missing = IntervalCoverage(
      nominal: 0.5, forecasts: [1.0], halfWidths: none, outcomes: [1.0])
    #expect(missing == nil)
  }
}

@Suite struct `Intervals of a rolling origin` {
  private static func forecasts(seed: UInt64, horizon: Int) throws -> RollingForecasts {
    let rows = try RandomRows(seed: seed, rowCount: 220, featureCount: 4)
    return try RollingOrigin(leastRows: 20, horizon: horizon).evaluate(
      RidgeRegression(), rows.features, target: rows.target)
  }

  @Test(arguments: [1, 4])
  func `come from the errors known when each forecast was made`(horizon: Int) throws {
    let found = try Self.forecasts(seed: 1, horizon: horizon)
    let errors = found.losses()
    let split = try found.intervals(.split, coverage: 0.8)
    let adaptive = try found.intervals(.adaptive, coverage: 0.8)
    for row in 0..<found.rows.count {
      let known = max(0, row + 1 - horizon)
      let expected = try SplitConformal(
        absoluteErrors: ContiguousArray(errors[..<known]), coverage: 0.8)
      #expect(split.halfWidths[row] == expected.halfWidth)
      var state = try AdaptiveInterval(coverage: 0.8)
      for past in 0..<known {
        try state.observe(errors[past], halfWidth: adaptive.halfWidths[past])
      }
      #expect(adaptive.halfWidths[row] == state.halfWidth)
    }
    #expect(split.coverage?.count == found.rows.count - 4 - (horizon - 1))
  }

  @Test func `cover what they should, wider for rows farther out where asked`() throws {
    var (hits, count) = (0.0, 0)
    for seed in 0..<12 as Range<UInt64> {
      let found = try Self.forecasts(seed: seed, horizon: 1)
      let scaled = try found.intervals(.split, coverage: 0.8, scalesWithLeverage: true)
      let coverage = try #require(scaled.coverage)
      hits += coverage.covered.share * Double(coverage.count)
      count += coverage.count
      let plain = try found.intervals(.split, coverage: 0.8)
      let far = try #require(
        found.leverages().indices.max {
          found.leverages()[$0] < found.leverages()[$1]
        })
      if let wide = scaled.halfWidths[far], let narrow = plain.halfWidths[far] {
        #expect(wide > narrow)
      }
    }
    // Between the nominal share and one error more in each set, within chance.
    #expect(abs(hits / Double(count) - 0.8) < 0.03)
  }

  @Test func `a coverage beyond 0 to 1 is a named error`() throws {
    let found = try Self.forecasts(seed: 2, horizon: 1)
    #expect(throws: LearningError.invalidSetting("coverage")) {
      try found.intervals(coverage: 1)
    }
  }
}
