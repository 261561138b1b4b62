internal import DayLog
import Time

/// Oura's JSON of the second API (`/v2/usercollection`): answers with their documents under `data`, a
/// list of documents, or one document, of the kinds `sleep`, `daily_sleep`, `daily_readiness`,
/// `daily_activity` and `daily_spo2`.
///
/// The daily kinds carry their day, nights already the one on which they end. A sleep period belongs to
/// the day it ends on, by the offset its `bedtime_end` carries, unless a zone is asked for; a period that
/// the person deleted, or that was only rest, is no sleep. Sleep of all periods of a day is added up; heart
/// rate, RMSSD and breathing are those of its longest, so that a nap changes none of them. Scores of 0
/// were not computed.
struct OuraDocumentsReader: Reader {
  let format = "oura"

  func recognises(_ head: FileHead) -> Bool {
    head.isJSON && head.contains("\"day\"")
      && (head.contains("\"contributors\"") || head.contains("\"bedtime_end\"")
        || head.contains("\"spo2_percentage\""))
  }

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    let content = try JSONFile.read(&stream)
    let documents = content["data"]?.items ?? content.items ?? [content]
    try OuraDocuments(documents, options).add(to: &days, file: stream.name)
  }
}

/// The tables of an Oura account export: one document of the second API a row, its parts as JSON in cells,
/// between semicolons.
struct OuraTableReader: Reader {
  let format = "oura"

  func recognises(_ head: FileHead) -> Bool {
    let titles = Set(head.headerLine.split { $0 == ";" || $0 == "," }.map(String.init))
    guard titles.isSuperset(of: ["id", "day"]) else { return false }
    return Self.signatures.contains { titles.isSuperset(of: $0) }
  }

  private static let signatures: [Set<String>] = [
    ["bedtime_end", "total_sleep_duration"], ["steps", "active_calories"],
    ["score", "temperature_deviation"], ["score", "contributors"], ["spo2_percentage"],
  ]

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    let table = try CSVTable(try stream.readAll(limit: CSVTable.byteLimit), name: stream.name)
    let titles = table.row(0)
    let documents = (1..<max(1, table.rowCount)).map { row in
      JSON.object(
        Dictionary(
          zip(titles, table.row(row).map(Self.value)), uniquingKeysWith: { first, _ in first }))
    }
    try OuraDocuments(documents, options).add(to: &days, file: stream.name)
  }

  /// A cell: JSON where it opens as an object, else text, which numbers are read from.
  private static func value(_ cell: String) -> JSON {
    guard cell.hasPrefix("{") else { return .string(cell) }
    do throws(JSON.Failure) {
      return try JSON(Array(cell.utf8)[...])
    } catch {
      return .null
    }
  }
}

/// Documents of one kind or of several, as days.
private struct OuraDocuments {
  private let documents: [JSON]
  private let options: ImportOptions
  private let source = Source(.imported, "oura")

  init(_ documents: [JSON], _ options: ImportOptions) {
    self.documents = documents
    self.options = options
  }

  /// Adds what the documents say.
  ///
  /// - Throws: where there are some, and none is of a kind that is known.
  func add(to days: inout DayCollector, file: String) throws(ImportError) {
    let longest = longestPeriods()
    var isKnown = documents.isEmpty
    for (index, document) in documents.enumerated() {
      guard let kind = Kind(document) else {
        days.summary.skip("element", "document of an unknown kind")
        continue
      }
      isKnown = true
      if kind == .sleep, !Self.isSleep(document) {
        days.summary.read += 1
        days.summary.skip("element", "sleep period that was deleted or only rest")
        continue
      }
      var fields = Self.fields[kind] ?? []
      if longest.contains(index) { fields += Self.nightFields }
      days.add(
        fields, of: document, on: day(of: document, kind), source: source,
        identity: kind == .sleep ? document["id"]?.string.map { "oura \(kind) \($0)" } : nil,
        span: kind == .sleep ? document.span("bedtime_start", "bedtime_end") : nil,
        at: .record(index + 1))
    }
    guard isKnown else {
      throw ImportError(file: file, .malformed("holds no document of Oura that is known"))
    }
  }

  private enum Kind {
    case sleep, dailySleep, readiness, activity, oxygen

    /// What only documents of one kind have tells them apart: they do not name it.
    init?(_ document: JSON) {
      let contributors = document["contributors"]
      if document["bedtime_end"] != nil {
        self = .sleep
      } else if document["steps"] != nil {
        self = .activity
      } else if document["spo2_percentage"] != nil {
        self = .oxygen
      } else if document["temperature_deviation"] != nil
        || contributors?["recovery_index"] != nil
      {
        self = .readiness
      } else if contributors?["total_sleep"] != nil || contributors?["rem_sleep"] != nil {
        self = .dailySleep
      } else {
        return nil
      }
    }
  }

  private static func isSleep(_ document: JSON) -> Bool {
    let type = document["type"]?.string
    return type != "deleted" && type != "rest"
  }

  private func day(of document: JSON, _ kind: Kind) -> CalendarDay? {
    kind == .sleep
      ? document.time("bedtime_end")?.calendarDay(options) : document.time("day")?.day
  }

  /// The places of the documents that are the longest sleep of their day; of equals the first.
  private func longestPeriods() -> Set<Int> {
    var longest: [CalendarDay: (hours: Double, index: Int)] = [:]
    for (index, document) in documents.enumerated()
    where Kind(document) == .sleep && Self.isSleep(document) {
      guard let day = day(of: document, .sleep),
        let seconds = document["total_sleep_duration"]?.quantity
      else { continue }
      if let held = longest[day], held.hours >= seconds { continue }
      longest[day] = (seconds, index)
    }
    return Set(longest.values.map(\.index))
  }

  private static let nightFields = [
    JSONField("average_hrv", as: .hrvRMSSD, fold: .mean),
    JSONField("lowest_heart_rate", as: .restingHeartRate, fold: .mean),
    JSONField("average_breath", as: .respiratoryRate, fold: .mean),
    JSONField("efficiency", as: .sleepEfficiency, fold: .mean, isPositive: true),
  ]

  private static let fields: [Kind: [JSONField]] = [
    .sleep: [
      JSONField("total_sleep_duration", as: .sleepHours, scale: .over(3600), fold: .sum),
      JSONField("deep_sleep_duration", as: .sleepDeepHours, scale: .over(3600), fold: .sum),
      JSONField("light_sleep_duration", as: .sleepLightHours, scale: .over(3600), fold: .sum),
      JSONField("rem_sleep_duration", as: .sleepREMHours, scale: .over(3600), fold: .sum),
    ],
    .dailySleep: [JSONField("score", as: .sleepScore, fold: .max, isPositive: true)],
    .readiness: [
      JSONField("score", as: .readinessScore, fold: .max, isPositive: true),
      JSONField("temperature_deviation", as: .named("temperature_deviation"), fold: .mean),
    ],
    .activity: [
      JSONField("steps", as: .steps, fold: .sum),
      JSONField("active_calories", as: .activeEnergy, fold: .sum),
      JSONField("total_calories", as: .totalEnergy, fold: .sum),
      JSONField("score", as: .named("activity_score"), fold: .max, isPositive: true),
    ],
    // The interface has the mean as an object of one number, some tables as the number itself.
    .oxygen: [
      JSONField(
        "spo2_percentage.average", "spo2_percentage", as: .oxygenSaturation, fold: .mean)
    ],
  ]
}
