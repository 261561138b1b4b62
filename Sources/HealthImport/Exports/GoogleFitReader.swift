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
    guard let set = Self.sets.first(where: { name.hasSuffix(":" + $0.name) }) else {
      throw ImportError(
        file: stream.name,
        .unsupported(
          "a Google Fit data set that is neither merged steps nor merged weight",
          needed: "import the sets named merge_step_deltas and merge_weight"))
    }
    // A set without points lacks the list.
    guard !points.isEmpty else { return }
    let zone = try options.zoneOfBareMoments(&days.summary, file: stream.name)
    for (index, point) in points.enumerated() {
      days.add(
        [set.field], of: point.record, on: point.moment.map { days.day(of: $0, in: zone, options) },
        source: source, identity: "\(set.name) \(point.start) \(point.end)", at: .record(index + 1))
    }
  }

  private static let sets = [
    (name: "merge_step_deltas", field: JSONField("intVal", as: .steps, fold: .sum)),
    (name: "merge_weight", field: JSONField("fpVal", as: .bodyMass, fold: .mean)),
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

    init(_ point: JSON) {
      moment = point.moment("startTimeNanos", perSecond: 1e9)
      start = point["startTimeNanos"]?.quantity ?? .nan
      end = point["endTimeNanos"]?.quantity ?? .nan
      let value = point["value"]?.items?.first ?? point["fitValue"]?.items?.first?["value"]
      integer = value?["intVal"]?.quantity ?? .nan
      fraction = value?["fpVal"]?.quantity ?? .nan
    }

    /// The point's one value: `{"intVal": ...}`.
    var record: JSON {
      let members = ["intVal": integer, "fpVal": fraction].filter { !$0.value.isNaN }
      return .object(members.mapValues { .number($0) })
    }
  }
}
