internal import DayLog
import Time

/// Google Fit's data sets of steps and weight, as its interface answers and as an account export has
/// them.
///
/// Only the merged sets are read (`merge_step_deltas`, `merge_weight`): Google makes them from those of
/// all devices without counting a step twice, and one device's own set beside them would. Their moments
/// are nanoseconds without an offset, so their days are those of the zone asked for, else of this machine,
/// of which a remark tells. Steps go to the day on which a span begins; a span or weighing that stands twice
/// counts once.
struct GoogleFitReader: Reader {
  let format = "google-fit"
  private let source = Source(.imported, "google-fit")

  func recognises(_ head: FileHead) -> Bool {
    guard head.isJSON else { return false }
    return (head.contains("\"dataSourceId\"") && head.contains("\"maxEndTimeNs\""))
      || (head.contains("\"Data Source\"") && head.contains("\"Data Points\""))
  }

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    var points: [Point] = []
    let content = try JSONFile.read(&stream, lists: ["point", "Data Points"]) {
      points.append(Point($0))
    }
    let name = (content["dataSourceId"] ?? content["Data Source"])?.string ?? ""
    guard
      let set = Self.sets.first(where: {
        name.hasSuffix(":" + $0.name) || name.hasSuffix($0.name) && $0.name.contains("sleep")
      })
        ?? (name.contains("com.google.sleep.segment")
          ? Self.sets.first { $0.name.contains("sleep") } : nil)
    else {
      throw ImportError(
        file: stream.name,
        .unsupported(
          "a Google Fit data set that is none of the merged ones of steps, weight, heart rate and sleep",
          needed:
            "import the sets named merge_step_deltas, merge_weight, merge_heart_rate_bpm and sleep.segment"
        ))
    }
    if set.name == "merged" || set.name.contains("sleep") {
      try addSleep(points, options, into: &days, file: stream.name)
      return
    }
    // A set without points lacks the list.
    guard !points.isEmpty else { return }
    let zone = try options.zoneOfBareMoments(&days.summary, file: stream.name)
    for (index, point) in points.enumerated() {
      days.add(
        [set.field], of: point.record, on: point.moment.map { days.day(of: $0, in: zone, options) },
        source: source, identity: "\(set.name) \(point.start) \(point.end)", span: point.span,
        at: .record(index + 1))
    }
  }

  /// Adds segments of sleep: 2 asleep, 4 light, 5 deep, 6 REM; 1 awake and 3 out of bed only join them. A night
  /// belongs to the day on which it ends.
  private func addSleep(
    _ points: [Point], _ options: ImportOptions, into days: inout DayCollector, file: String
  ) throws(ImportError) {
    guard !points.isEmpty else { return }
    let zone = try options.zoneOfBareMoments(&days.summary, file: file)
    let hasStages = points.contains { [4, 5, 6].contains($0.stage) }
    for (index, point) in points.enumerated() {
      days.summary.read += 1
      guard let span = point.span, let stage = point.stage, (1...6).contains(stage) else {
        days.summary.reject("no span of sleep", at: .record(index + 1))
        continue
      }
      guard days.isNew("sleep \(span.lowerBound) \(span.upperBound) \(stage)") else { continue }
      let end = Instant(seconds: span.upperBound)
      let day = end.day(utcOffset: zone.utcOffset(at: end))
      guard days.has(day, at: .record(index + 1)) else { continue }
      var reading = Reading(identity: nil, span: span)
      reading.kind = .sleep
      func add(_ counts: Bool, _ metric: Metric) {
        reading.value = counts ? 1 : 0
        days.add(reading, metric, on: day, source: source, fold: .sum)
      }
      add([2, 4, 5, 6].contains(stage), .sleepHours)
      if hasStages {
        add(stage == 4, .sleepLightHours)
        add(stage == 5, .sleepDeepHours)
        add(stage == 6, .sleepREMHours)
      }
      days.summary.used += 1
    }
  }

  private static let sets = [
    (name: "merge_step_deltas", field: JSONField("intVal", as: .steps, fold: .sum)),
    (name: "merge_heart_rate_bpm", field: JSONField("fpVal", as: .heartRate, fold: .mean)),
    (
      name: "com.google.sleep.segment:com.google.android.gms:merged",
      field: JSONField("intVal", as: .sleepHours, fold: .sum)
    ),
    (name: "merge_weight", field: JSONField("fpVal", as: .bodyMass, fold: .last)),
  ]

  /// What counts of a point: a set may hold every minute of years.
  private struct Point {
    let moment: Instant?
    /// Nanoseconds since 1970; NaN where they are not written.
    let start: Double
    let end: Double
    /// NaN where there is none.
    private let integer: Double
    private let fraction: Double

    /// The number that a segment of sleep has for its stage.
    var stage: Int? { Int(exactly: integer) }

    init(_ point: JSON) {
      moment = point.moment("startTimeNanos", perSecond: 1e9)
      start = point["startTimeNanos"]?.quantity ?? .nan
      end = point["endTimeNanos"]?.quantity ?? .nan
      let value = point["value"]?.items?.first ?? point["fitValue"]?.items?.first?["value"]
      integer = value?["intVal"]?.quantity ?? .nan
      fraction = value?["fpVal"]?.quantity ?? .nan
    }

    /// When it is of, in seconds.
    var span: Range<Int64>? {
      let (from, to) = (start / 1e9, end / 1e9)
      guard abs(from) < 1e12, abs(to) < 1e12, to >= from else { return nil }
      return Int64(from)..<Int64(to)
    }

    /// The point's one value: `{"intVal": ...}`.
    var record: JSON {
      let members = ["intVal": integer, "fpVal": fraction].filter { !$0.value.isNaN }
      return .object(members.mapValues { .number($0) })
    }
  }
}
