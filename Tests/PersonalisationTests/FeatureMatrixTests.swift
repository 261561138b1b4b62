import DayLog
import Personalisation
import TestSupport
import Testing
import Time

@Suite struct `A feature matrix` {
  @Test(arguments: 0..<8 as Range<UInt64>)
  func `rebuilt where an edit touches it equals one built from scratch`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let spec = FeatureSpec(everyKind)
    var log = randomTable(
      days: 400, metrics: [.hrv, .steps], firstDay: Int.random(in: -900...20_000, using: &random),
      using: &random)
    let days = log.firstDay..<log.endDay.advanced(by: 1)
    var matrix = FeatureMatrix(spec, of: log, days: days)
    for _ in 0..<12 {
      let row = Int.random(in: 0..<400, using: &random)
      var values = log.values
      values[row] = Bool.random(using: &random) ? .nan : .random(in: 0...1e4, using: &random)
      log = DayTable(firstDay: log.firstDay, dayCount: 400, metrics: log.metrics, values: values)
      matrix.rebuild(matrix.rows(touchedBy: log.firstDay.advanced(by: row)), from: log)
      #expect(matrix == FeatureMatrix(spec, of: log, days: days))
    }
  }

  @Test func `has the same bytes whatever the first day of the log`() throws {
    var random = SplitMix64(seed: 3)
    let spec = FeatureSpec(everyKind)
    let log = randomTable(days: 500, metrics: [.hrv, .steps], using: &random)
    let cut = try #require(spec.memory)
    let from = log.firstDay.advanced(by: cut + 1)
    var later: ContiguousArray<Double> = []
    for metric in log.metrics { later += try #require(log.column(metric)).dropFirst(1) }
    let shorter = DayTable(
      firstDay: log.firstDay.advanced(by: 1), dayCount: 499, metrics: log.metrics, values: later)
    let days = from..<log.endDay
    #expect(
      FeatureMatrix(spec, of: log, days: days) == FeatureMatrix(spec, of: shorter, days: days))
  }

  @Test func `of the benchmark has 283 columns for twelve metrics`() {
    let metrics = (1...12).compactMap { Metric("m\($0)") }.sorted()
    let spec = FeatureSpec.benchmark(metrics)
    #expect(spec.features.count == 283)
    #expect(spec.memory == nil)
  }

  @Test func `of metrics that the log lacks, of empty logs and of extreme values does not fail`() {
    let spec = FeatureSpec(everyKind)
    let empty = DayTable(firstDay: CalendarDay(number: 0), dayCount: 0, metrics: [], values: [])
    let none = FeatureMatrix(spec, of: empty, days: empty.firstDay..<empty.firstDay.advanced(by: 3))
    #expect(none.rowCount == 3 && none[0, 0].isNaN)
    let none2 = FeatureMatrix(spec, of: empty, days: empty.firstDay..<empty.firstDay)
    #expect(none2.values.isEmpty)
    let largest = Double.greatestFiniteMagnitude
    let wild = table([largest, -largest, largest, 0, .leastNonzeroMagnitude], metric: .hrv)
    let matrix = FeatureMatrix(spec, of: wild, days: wild.firstDay..<wild.endDay.advanced(by: 1))
    #expect(matrix.rowCount == 6)
  }
}
