import DayLog
import FoundationEssentials
import HealthImport
import TestSupport
import Testing
import Time

@Suite struct `Google Fit's JSON` {
  private func points(_ points: String, set name: String = "merge_step_deltas") -> String {
    #"{"minStartTimeNs": "1", "maxEndTimeNs": "2", "dataSourceId": "derived:com.google:gms:\#(name)","#
      + #""point": [\#(points)]}"#
  }

  private func steps(_ seconds: Int, _ count: Int) -> String {
    #"{"startTimeNanos": "\#(seconds)000000000", "endTimeNanos": "\#(seconds + 60)000000000","#
      + #""value": [{"intVal": \#(count)}]}"#
  }

  @Test
  func `IMP_20: gives the steps of a span to the day on which it begins in the zone asked for`()
    throws
  {
    // 2023-10-31 22:59:30 and 23:00 UTC: either side of midnight in Central Europe.
    let text = points(
      [(1_698_793_170, 100), (1_698_793_200, 20)].map(steps).joined(separator: ","))
    let batch = try importText(text) { $0.zone = Zone.centralEurope }
    #expect(batch.format == "google-fit")
    #expect(batch.values("steps") == ["2023-10-31": 100, "2023-11-01": 20])
    #expect(batch.summary.remarks.isEmpty)
  }

  @Test
  func `takes this machine's zone where none is asked for, says so, and is refused without either`()
    throws
  {
    let text = points(steps(1_698_793_200, 20))
    let batch = try importText(text) { $0.localZone = Zone.utc }
    #expect(batch.values("steps") == ["2023-10-31": 20])
    #expect(batch.summary.remarks.contains { $0.contains("--zone") })
    #expect(batch.summary.usesLocalZone)
    #expect(fault { try importText(text) }?.reason == .noZone)
  }

  @Test func `IMP_7: with a span twice counts it once, and keeps 0`() throws {
    let text = points([steps(0, 50), steps(0, 50), steps(86_400, 0)].joined(separator: ","))
    let batch = try importText(text) { $0.zone = Zone.utc }
    #expect(batch.values("steps") == ["1970-01-01": 50, "1970-01-02": 0])
    #expect(batch.summary.duplicates == 1)
  }

  @Test func `of an account export is read as well`() throws {
    let batch = try importText(
      """
      {"Data Source": "derived:com.google.weight:com.google.android.gms:merge_weight", "Data Points": [
        {"fitValue": [{"value": {"fpVal": 72.5}}], "startTimeNanos": 1423785600000000000,
         "endTimeNanos": 1423785600000000000, "dataTypeName": "com.google.weight"},
        {"fitValue": [], "startTimeNanos": 1423785700000000000, "endTimeNanos": 1},
        {"fitValue": [{"value": {"fpVal": 1}}], "startTimeNanos": "soon"}]}
      """
    ) { $0.zone = Zone.utc }
    #expect(batch.values("body_mass") == ["2015-02-13": 72.5])
    #expect(batch.summary.rejections.map(\.reason).sorted() == ["no readable date", "no value"])
  }

  @Test func `has a daily table, of which the places are left out`() throws {
    let batch = try importText(
      """
      Date,Move Minutes count,Calories (kcal),Distance (m),Average heart rate (bpm),Low latitude (deg),\
      Low longitude (deg),Step count,Average weight (kg),Max weight (kg)
      2024-03-05,42,2310.5,6250.0,71.2,52.1,4.3,8123,80.4,81
      2024-03-06,,0,,,,,5000,,

      """)
    #expect(batch.values("steps") == ["2024-03-05": 8123, "2024-03-06": 5000])
    #expect(batch.values("exercise_minutes") == ["2024-03-05": 42])
    #expect(batch.values("total_energy") == ["2024-03-05": 2310.5])
    #expect(batch.values("heart_rate") == ["2024-03-05": 71.2])
    #expect(batch.values("body_mass") == ["2024-03-05": 80.4])
    #expect(!batch.entries.contains { $0.key.metric.name.contains("titude") })
    #expect(batch.entries.first?.key.source.name == "google-fit")
  }

  @Test func `IMP_6: of one device is refused, since its steps are among the merged ones`() {
    let error = fault {
      try importText(points(steps(0, 5), set: "soft_step_counter")) { $0.zone = Zone.utc }
    }
    guard case .unsupported(_, let needed) = error?.reason else {
      Issue.record("a data set of one device is refused by name")
      return
    }
    #expect(needed.contains("merge_step_deltas"))
  }
}

/// The same answers, read in the plainest way.
private struct Answer: Decodable {
  struct Point: Decodable {
    struct Value: Decodable {
      let intVal: Double?
      let fpVal: Double?
    }
    let startTimeNanos: String
    let value: [Value]
  }
  let point: [Point]
}

@Suite(.enabled(if: SharedData.isPresent, .init(rawValue: SharedData.whyAbsent)))
struct `Google Fit's genuine JSON` {
  @Test func `gives the steps and the weight of its days`() throws {
    for (name, metric) in [("step-deltas", "steps"), ("weight", "body_mass")] {
      let path = SharedData.path("exports/google-fit/googlefit-merge-\(name).json")
      let answer = try JSONDecoder().decode(
        Answer.self, from: Data(contentsOf: URL(filePath: path)))
      var expected: [String: Double] = [:]
      for point in answer.point {
        let seconds = try #require(Int64(point.startTimeNanos.dropLast(9)))
        let value = try #require(point.value.first.flatMap { $0.intVal ?? $0.fpVal })
        let day = Instant(seconds: seconds).day(utcOffset: 0).description
        expected[day, default: 0] += value
      }
      let batch = try importFile(path) { $0.zone = Zone.utc }
      #expect(batch.values(metric) == expected)
      #expect(batch.summary.used == answer.point.count)
    }
  }
}
