internal import DayLog

/// Fitbit's JSON: sleep logs, as an account export or the Web API writes them, and the Web API's
/// daily series of steps and weight and its weight logs.
///
/// A sleep log belongs to its `dateOfSleep`, the day it ends on; a night and its naps are one day's
/// sleep. Times are local and carry no offset, so no zone is applied. A log that stands twice, by
/// its `logId`, counts once. Weights are in kilograms, the Web API's unit unless a request names
/// another. The summary that comes with a list repeats it and is left out.
struct FitbitReader: Reader {
  let format = "fitbit"
  private let source = Source(.imported, "fitbit")

  func recognises(_ head: FileHead) -> Bool {
    guard head.isJSON else { return false }
    return head.contains("\"dateOfSleep\"") || head.contains("\"totalSleepRecords\"")
      || head.contains("\"activities-steps\"") || head.contains("\"body-weight\"")
      || isWeightLog(head) || isDaySummary(head)
  }

  private func isWeightLog(_ head: FileHead) -> Bool {
    head.contains("\"weight\"") && head.contains("\"bmi\"") && head.contains("\"logId\"")
  }

  private func isDaySummary(_ head: FileHead) -> Bool {
    head.contains("\"caloriesOut\"") && head.contains("\"summary\"")
  }

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    let content = try JSONFile.read(&stream)
    if let logs = content.items {
      guard logs.allSatisfy({ $0["dateOfSleep"] != nil }) else {
        throw ImportError(file: stream.name, refusal(of: logs))
      }
      addSleep(logs, into: &days)
      return
    }
    var isKnown = false
    for (name, part) in (content.members ?? [:]).sorted(by: { $0.key < $1.key }) {
      switch (name, part.items) {
      case ("sleep", let logs?): addSleep(logs, into: &days)
      case ("weight", let logs?): addWeight(logs, options, into: &days)
      case ("activities-steps", let items?):
        addSeries(items, JSONField("value", .steps, fold: .largest), into: &days)
      case ("body-weight", let items?):
        addSeries(items, JSONField("value", .bodyMass, fold: .mean), into: &days)
        days.summary.remark(Self.kilograms)
      default:
        if name != "summary" { days.summary.skip("element", name) }
        continue
      }
      isKnown = true
    }
    guard isKnown else { throw ImportError(file: stream.name, refusal(of: content)) }
  }

  private static let kilograms =
    "weights are taken as kilograms, the unit of the Fitbit Web API unless a request names another"

  /// Why a list is not read.
  private func refusal(of logs: [JSON]) -> ImportError.Reason {
    if logs.contains(where: { $0["weight"] != nil && $0["logId"] != nil }) {
      return .unsupported(
        "a weight list of a Fitbit account export",
        needed: "it does not say whether its unit is kilograms or pounds, so make it a CSV table "
          + "of date and weight_kg or weight_lb")
    }
    return .malformed("holds no list of Fitbit sleep logs")
  }

  /// Why an object is not read.
  private func refusal(of content: JSON) -> ImportError.Reason {
    if content["summary"]?["caloriesOut"] != nil {
      return .unsupported(
        "the Fitbit Web API's activity summary of one day",
        needed: "it does not say of which day, so request the daily series activities/steps")
    }
    return .malformed("holds no part of a Fitbit export that is known")
  }

  private static let sleepFields = [
    JSONField("minutesAsleep", .sleepHours, scale: 1 / 60, fold: .sum),
    JSONField("efficiency", "sleep_efficiency", fold: .mean),
  ]

  private static let stages: [(name: String, field: JSONField)] = ["deep", "light", "rem"].map {
    guard let metric = Metric("sleep_\($0)_hours") else { preconditionFailure("a metric's name") }
    return ($0, JSONField("minutes", metric, scale: 1 / 60, fold: .sum))
  }

  private func addSleep(_ logs: [JSON], into days: inout DayCollector) {
    for (index, log) in logs.enumerated() {
      days.summary.read += 1
      if let id = log["logId"]?.quantity, !days.isNew("fitbit sleep \(id)") { continue }
      guard let day = log.time("dateOfSleep")?.day else {
        days.summary.reject("no readable date", at: .record(index + 1))
        continue
      }
      var isUsed = false
      for field in Self.sleepFields {
        isUsed = field.add(from: log, on: day, source: source, into: &days) || isUsed
      }
      if let levels = log["levels"]?["summary"] {
        for stage in Self.stages {
          guard let minutes = levels[stage.name] else { continue }
          isUsed = stage.field.add(from: minutes, on: day, source: source, into: &days) || isUsed
        }
      }
      finish(isUsed, index, into: &days)
    }
  }

  private static let weightFields = [
    JSONField("weight", .bodyMass, fold: .mean),
    JSONField("bmi", "body_mass_index", fold: .mean, isZeroMissing: true),
    JSONField("fat", "body_fat_percentage", fold: .mean),
  ]

  private func addWeight(
    _ logs: [JSON], _ options: ImportOptions, into days: inout DayCollector
  ) {
    days.summary.remark(Self.kilograms)
    for (index, log) in logs.enumerated() {
      days.summary.read += 1
      if let id = log["logId"]?.quantity, !days.isNew("fitbit weight \(id)") { continue }
      let clock = log["time"]?.string.map { "T" + $0 } ?? ""
      guard let time = LocalTime((log["date"]?.string ?? "") + clock) else {
        days.summary.reject("no readable date", at: .record(index + 1))
        continue
      }
      let day = time.day(options)
      var isUsed = false
      for field in Self.weightFields {
        isUsed = field.add(from: log, on: day, source: source, into: &days) || isUsed
      }
      finish(isUsed, index, into: &days)
    }
  }

  private func addSeries(_ items: [JSON], _ field: JSONField, into days: inout DayCollector) {
    for (index, item) in items.enumerated() {
      days.summary.read += 1
      guard let time = item.time("dateTime"), time.second == nil else {
        days.summary.reject("no readable date", at: .record(index + 1))
        continue
      }
      finish(field.add(from: item, on: time.day, source: source, into: &days), index, into: &days)
    }
  }

  private func finish(_ isUsed: Bool, _ index: Int, into days: inout DayCollector) {
    if isUsed {
      days.summary.used += 1
    } else {
      days.summary.reject("no value", at: .record(index + 1))
    }
  }
}
