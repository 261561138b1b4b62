internal import DayLog
internal import Time

/// The lists of a Fitbit account export that its files' names tell apart: `steps-2024-01-01.json` and others, each item a
/// time and a value. Times of day are UTC; daily values stand at midnight and are labels.
struct FitbitTakeoutReader: Reader {
  let format = "fitbit"
  private let source = Source(.imported, "fitbit")

  func recognises(_ head: FileHead) -> Bool {
    head.isJSON && head.firstCharacter == UInt8(ascii: "[") && head.contains("\"dateTime\"")
      && head.contains("\"value\"")
  }

  /// What one kind of file holds.
  private struct Kind {
    let metric: Metric
    var place = ["value"]
    var unit: Unit?
    var fold: Fold?
    /// How long one value lasts, in seconds.
    var length: Int64 = 0
  }

  /// By what their names begin with; the longest that fits counts.
  private static let kinds: [String: Kind] = [
    "steps": Kind(metric: .steps, length: 60),
    "calories": Kind(metric: .totalEnergy, length: 60),
    // Centimetres.
    "distance": Kind(metric: .named("distance_km"), length: 60),
    "heart_rate": Kind(metric: .heartRate, place: ["value", "bpm"]),
    "resting_heart_rate": Kind(metric: .restingHeartRate, place: ["value", "value"]),
    "very_active_minutes": Kind(metric: .named("very_active_minutes"), fold: .sum),
    "moderately_active_minutes": Kind(metric: .named("fairly_active_minutes"), fold: .sum),
    "lightly_active_minutes": Kind(metric: .named("lightly_active_minutes"), fold: .sum),
    "sedentary_minutes": Kind(metric: .named("sedentary_minutes"), fold: .sum),
    "demographic_vo2_max": Kind(metric: .named("vo2_max"), place: ["value", "demographicVO2Max"]),
  ]

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    let file = stream.name.split(separator: "/").last.map(String.init) ?? ""
    let content = try JSONFile.read(&stream)
    guard let items = content.items, let kind = Self.kind(file, items.first) else {
      throw ImportError(
        file: stream.name,
        .unsupported(
          "a list of a Fitbit account export whose kind its name does not tell",
          needed: "leave the files' names as they were exported, such as steps-2024-01-01.json"))
    }
    let times = items.map { $0["dateTime"]?.string.flatMap(Self.time) }
    let areLabels = times.allSatisfy { ($0?.second ?? 0) == 0 }
    let field = MetricRule.rule(for: kind.metric)
    for (index, item) in items.enumerated() {
      let place = ImportError.Place.record(index + 1)
      days.summary.read += 1
      guard let time = times[index] else {
        days.summary.reject("no readable date", at: place)
        continue
      }
      guard var value = item[kind.place]?.quantity else {
        days.summary.reject("no value", at: place)
        continue
      }
      if kind.metric.name == "distance_km" { value /= 100_000 }
      if value == 0, MetricRule.isNeverZero(kind.metric) {
        days.summary.skip("value", "0 of what is never 0")
        continue
      }
      if let range = field?.range, !range.contains(value) {
        days.summary.reject("value beyond what is possible", at: place)
        continue
      }
      let day = areLabels ? time.day : days.day(of: time, options)
      guard days.has(day, at: place) else { continue }
      let span = areLabels ? nil : time.seconds..<(time.seconds + kind.length)
      days.add(
        Reading(identity: nil, span: span, value: value), kind.metric, on: day, source: source,
        fold: kind.fold ?? field?.fold ?? .mean)
      days.summary.used += 1
    }
  }

  private static func kind(_ file: String, _ first: JSON?) -> Kind? {
    let name = file.lowercased()
    if let known = kinds.filter({ name.hasPrefix($0.key) }).max(by: { $0.key.count < $1.key.count })
    {
      return known.value
    }
    // A heart rate is known by its own look.
    return first?["value"]?["bpm"] != nil ? kinds["heart_rate"] : nil
  }

  private static let pattern = DatePattern("MM/dd/yy HH:mm:ss")

  private static func time(_ text: String) -> LocalTime? {
    let bytes = ContiguousArray(text.utf8)
    if let time = pattern?.read(bytes.span) {
      return LocalTime(day: time.day, second: time.second, offset: 0, isUTC: true)
    }
    return LocalTime(text)
  }
}
