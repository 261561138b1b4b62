internal import DayLog

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
    let content = try JSONFile.read(&stream)
    let name = (content["dataSourceId"] ?? content["Data Source"])?.string ?? ""
    guard let field = Self.field(ofSet: name) else {
      throw ImportError(
        file: stream.name,
        .unsupported(
          "a Google Fit data set that is neither merged steps nor merged weight",
          needed: "import the sets named merge_step_deltas and merge_weight"))
    }
    // A set without points lacks the list.
    let points = (content["point"] ?? content["Data Points"])?.items ?? []
    guard !points.isEmpty else { return }
    let zone = try options.zoneOfBareMoments(&days.summary, file: stream.name)
    for (index, point) in points.enumerated() {
      let day = point.moment("startTimeNanos", perSecond: 1e9).map {
        days.day(of: $0, in: zone, options)
      }
      let span = ["startTimeNanos", "endTimeNanos"].map { point[$0]?.quantity ?? .nan }
      days.add(
        [field], of: Self.record(point), on: day, source: source,
        identity: "\(name) \(span[0]) \(span[1])", at: .record(index + 1))
    }
  }

  private static func field(ofSet name: String) -> JSONField? {
    if name.hasSuffix(":merge_step_deltas") { return JSONField("intVal", as: .steps, fold: .sum) }
    if name.hasSuffix(":merge_weight") { return JSONField("fpVal", as: .bodyMass, fold: .mean) }
    return nil
  }

  /// The point's one value: `{"intVal": …}`.
  private static func record(_ point: JSON) -> JSON {
    point["value"]?.items?.first ?? point["fitValue"]?.items?.first?["value"] ?? .null
  }
}
