import DayLog
import HealthImport
import TestSupport
import Testing
import Time

/// An export as records that any number of files can hold.
private struct SplitExport: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let records: [String]
  let file: @Sendable ([String]) -> String

  /// The days of files of these records, whatever order they come in.
  func days(_ files: [[String]]) throws -> [String: Double] {
    let batches = try files.filter { !$0.isEmpty }.map { records in
      try importText(file(records)) {
        $0.zone = Zone.centralEurope
        $0.dayStart = 14_400
      }
    }
    return fold(batches)
  }
}

/// The days that the parts of several files come to, as a log folds them.
private func fold(_ batches: [ImportBatch]) -> [String: Double] {
  var series: [String: [CalendarDay: [[UInt8]]]] = [:]
  for part in batches.flatMap(\.parts) {
    let name = "\(part.key.metric) \(part.key.source.name)"
    series[name, default: [:]][part.key.day, default: []].append(part.bytes)
  }
  var days: [String: Double] = [:]
  for (name, parts) in series {
    for (day, value) in PartFolding.values(parts) { days["\(name) \(day)"] = value }
  }
  return days
}

/// Exports of made-up days, of formats whose files people have in pieces.
private let exports: [SplitExport] = {
  var random = SplitMix64(seed: 16)
  func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  var nights: [String] = []
  var drinks: [String] = []
  var steps: [String] = []
  var segments: [String] = []
  var weights: [String] = []
  for day in 1...12 {
    for part in 0..<3 {
      let start = Int.random(in: 0..<5, using: &random) + part * 8
      let length = Int.random(in: 20...400, using: &random)
      let end = start * 60 + length
      nights.append(
        """
        {"logId": \(day * 10 + part), "dateOfSleep": "2024-05-\(two(day))", \
        "startTime": "2024-05-\(two(day))T\(two(start)):00:00.000", \
        "endTime": "2024-05-\(two(day + end / 1440))T\(two(end / 60 % 24)):\(two(end % 60)):00.000", \
        "minutesAsleep": \(length - 10), "efficiency": \(80 + part)}
        """)
      drinks.append("2024-05-\(two(day)) \(two(start)):\(two(length % 60)),\(length),\(part + 3)")
      weights.append(
        """
        {"grpid": \(day * 10 + part), "category": 1, \
        "date": \(1_714_521_600 + day * 86_400 + part * 9000), \
        "measures": [{"type": 1, "value": \(70_000 + length), "unit": -3}]}
        """)
      for (kind, list) in [("steps", 0), ("sleep", 1)] {
        let from = 1_714_521_600 + day * 86_400 + part * 20_000 + list * 3600
        let point = """
          {"startTimeNanos": "\(from)000000000", "endTimeNanos": "\(from + length * 60)000000000", \
          "value": [{"intVal": \(kind == "steps" ? length : 2)}]}
          """
        if kind == "steps" { steps.append(point) } else { segments.append(point) }
      }
    }
  }
  @Sendable func fit(_ points: [String], _ set: String) -> String {
    #"{"minStartTimeNs": "1", "maxEndTimeNs": "2", "dataSourceId": "\#(set)", "#
      + #""point": [\#(points.joined(separator: ","))]}"#
  }
  return [
    SplitExport(testDescription: "Fitbit sleep", records: nights) {
      "[\($0.joined(separator: ","))]"
    },
    SplitExport(testDescription: "a table of moments", records: drinks) {
      "timestamp,water (ml),mood\n" + $0.joined(separator: "\n")
    },
    SplitExport(testDescription: "Google Fit steps", records: steps) {
      fit($0, "derived:com.google.step_count.delta:com.google.android.gms:merge_step_deltas")
    },
    SplitExport(testDescription: "Google Fit sleep", records: segments) {
      fit($0, "derived:com.google.sleep.segment:com.google.android.gms:merged")
    },
    SplitExport(testDescription: "Withings weights", records: weights) {
      #"{"status": 0, "body": {"timezone": "", "measuregrps": [\#($0.joined(separator: ","))]}}"#
    },
  ]
}()

@Suite struct `Parts of days` {
  @Test(arguments: exports, 0..<6 as Range<UInt64>)
  private func
    `come to the same days however an export is divided, in any order, any number of times`(
      export: SplitExport, seed: UInt64
    ) throws
  {
    let whole = try export.days([export.records])
    #expect(whole.count >= 10)
    var random = SplitMix64(seed: seed)
    var files = [[String]](repeating: [], count: Int.random(in: 2...5, using: &random))
    for record in export.records {
      // Some records stand in two files.
      for _ in 0..<(Int.random(in: 0..<4, using: &random) == 0 ? 2 : 1) {
        files[Int.random(in: 0..<files.count, using: &random)].append(record)
      }
    }
    let once = try export.days(files)
    #expect(once == whole)
    #expect(try export.days(files.shuffled(using: &random)) == whole)
    #expect(try export.days(files + files.reversed()) == whole)
    // What was cut in half by time crosses files as well.
    let middle = export.records.count / 2
    let halves = [Array(export.records[..<middle]), Array(export.records[middle...])]
    #expect(try export.days(halves.reversed()) == whole)
  }

  @Test func `of one day and one label are the later export's, whichever comes first`() throws {
    let early = #"{"activities-steps": [{"dateTime": "2024-05-01", "value": "3000"}]}"#
    let late =
      #"{"activities-steps": [{"dateTime": "2024-05-01", "value": "9000"}, {"dateTime": "2024-05-02", "value": "10"}]}"#
    let batches = try [early, late].map { try importText($0) }
    for order in [batches, batches.reversed()] {
      #expect(fold(order)["steps fitbit 2024-05-01"] == 9000)
    }
  }

  @Test
  func `count a span within another of one device once, and what overlaps in part by its share`()
    throws
  {
    let text = """
      [{"logId": 1, "dateOfSleep": "2026-01-05", "startTime": "2026-01-04T23:00:00.000", \
      "endTime": "2026-01-05T07:00:00.000", "minutesAsleep": 450},
       {"logId": 2, "dateOfSleep": "2026-01-05", "startTime": "2026-01-04T23:10:00.000", \
      "endTime": "2026-01-05T07:00:00.000", "minutesAsleep": 440},
       {"logId": 3, "dateOfSleep": "2026-01-05", "startTime": "2026-01-05T06:00:00.000", \
      "endTime": "2026-01-05T08:00:00.000", "minutesAsleep": 120}]
      """
    #expect(try importText(text).value("sleep_hours", "2026-01-05") == 8.5)
  }
}
