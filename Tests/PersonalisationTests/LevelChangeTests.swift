import DayLog
import Foundation
import TestSupport
import Testing

@testable import Personalisation

@Suite struct `A change of level` {
  private static let isLong = ProcessInfo.processInfo.environment["DIURNAL_LONG_TESTS"] == "1"

  @Test func `of an input costs the fortnight after it a tenth of its error at most`() throws {
    var (before, after) = (0.0, 0.0)
    // The mean of a hundred fortnights is known to a fortieth.
    for seed in 0..<(Self.isLong ? 300 : 100) as Range<UInt64> {
      let found = try Self.errors(seed: seed)
      before += found.before
      after += found.after
    }
    #expect(after <= 1.1 * before, "\(after / before)")
  }

  /// The mean absolute error of a target that follows yesterday's variability: of the forecasts up to
  /// day 200, and of those in the fortnight from then on, when the input's readings are twice what they
  /// were.
  private static func errors(seed: UInt64) throws -> (before: Double, after: Double) {
    var random = SplitMix64(seed: seed)
    var (hrv, mood): ([Double], [Double]) = ([], [])
    for day in 0..<214 {
      let reading = 50 + 8 * random.normal()
      mood.append(6 + (day > 0 ? 0.1 * (hrv[day - 1] - 50) : 0) + 0.8 * random.normal())
      hrv.append(reading)
    }
    let seen = hrv.enumerated().map { $0 < 200 ? $1 : 2 * $1 }
    let whole = dayTable([(.hrv, seen), (.mood, mood)])
    let first = try train(PersonalLog(beginning(whole, days: 200)), Target(.mood)).model
    let second = try train(PersonalLog(whole), Target(.mood), previous: first)
    #expect(second.mode == .incremental)
    func total(_ report: BacktestReport) -> Double {
      Double(report.scored) * (report.forecast.meanAbsoluteError ?? .nan)
    }
    return (
      total(first.report) / Double(first.report.scored),
      (total(second.model.report) - total(first.report)) / 14
    )
  }

  @Test func `of readings above 0 is taken out by a factor, with its spread`() {
    var random = SplitMix64(seed: 78)
    let column = (0..<200).map { (day: Int) in
      (day < 120 ? 1 : 0.25) * (50 + 3 * random.normal())
    }
    let after = LevelChange.removed(from: column)[150...].filter { !$0.isNaN }
    let mean = after.reduce(0, +) / Double(after.count)
    let squares = after.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    #expect(abs(mean - 50) <= 2)
    // Fifty values know a standard deviation to a tenth.
    #expect(abs((squares / Double(after.count - 1)).squareRoot() - 3) <= 0.9)
  }

  @Test func `of a column that is not all above 0 is taken out by an offset`() {
    var random = SplitMix64(seed: 79)
    let column = (0..<200).map { (day: Int) in (day < 120 ? 0.0 : 40) + 3 * random.normal() }
    let after = LevelChange.removed(from: column)[150...].filter { !$0.isNaN }
    #expect(abs(after.reduce(0, +) / Double(after.count)) <= 2)
  }

  @Test func `is taken out, and what came before it stays as it was`() {
    var random = SplitMix64(seed: 77)
    let column = (0..<200).map { (day: Int) in
      (day < 120 ? 50.0 : 90.0) + 3 * random.normal()
    }
    let levelled = LevelChange.removed(from: column)
    // From the first reading on: it is taken to be a new level until the old one comes back.
    #expect(levelled[120..<123].allSatisfy { abs($0 - 50) <= 12 })
    let after = levelled[124...].filter { !$0.isNaN }
    let mean = after.reduce(0, +) / Double(after.count)
    #expect(abs(mean - 50) <= 2)
    #expect(levelled[..<120].elementsEqual(column[..<120]))
  }

  @Test func `is none where a person's own level drifts`() {
    let column = (0..<300).map { (day: Int) -> Double in
      let swing: Double = day % 2 == 0 ? 2 : -2
      return 50 + 0.05 * Double(day) + swing
    }
    #expect(LevelChange.removed(from: column).elementsEqual(column))
  }

  @Test func `is none at a value as high as one that came and went before`() {
    var random = SplitMix64(seed: 80)
    var column = (0..<200).map { _ in 10 + 2 * max(-2, min(2, random.normal())) }
    for (day, value) in [(60, 18.0), (90, 17), (120, 17)] { column[day] = value }
    let levelled = LevelChange.removed(from: column)
    // The first may be the first of a new level.
    #expect(levelled[60] < 13)
    column[60] = levelled[60]
    #expect(levelled.elementsEqual(column))
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `is judged by medians kept in order that are those of sorting`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var trailing = TrailingMedian(count: 9)
    var all: [Double] = []
    for _ in 0..<60 {
      let value = Double.random(in: 0...1, using: &random) < 0.3 ? 4 : 10 * random.normal()
      all.append(value)
      trailing.append(value)
      let last = ContiguousArray(all.suffix(9))
      let centre = TrailingMedian.median(last)
      #expect(trailing.median == centre)
      #expect(
        trailing.medianDeviation
          == TrailingMedian.median(ContiguousArray(last.map { abs($0 - centre) })))
    }
  }
}
