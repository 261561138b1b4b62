internal import DayLog

/// Fitbit's JSON: sleep logs, as an account export or the Web API writes them, and the Web API's
/// daily series of steps and weight, its weight logs and its activity summary of a day.
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
    var isKnown = addSummary(of: content, into: &days)
    for (name, part) in (content.members ?? [:]).sorted(by: { $0.key < $1.key }) {
      switch (name, part.items) {
      case ("sleep", let logs?): addSleep(logs, into: &days)
      case ("weight", let logs?): addWeight(logs, options, into: &days)
      case ("activities-steps", let items?):
        addSeries(items, JSONField("value", as: .steps, fold: .sum), into: &days)
      case ("body-weight", let items?):
        addSeries(items, JSONField("value", as: .bodyMass, fold: .last), into: &days)
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
        needed: "neither it nor an activity in it says of which day, so request the daily series "
          + "activities/steps")
    }
    return .malformed("holds no part of a Fitbit export that is known")
  }

  private static let sleepFields = [
    JSONField("minutesAsleep", as: .sleepHours, scale: .over(60), fold: .sum),
    JSONField("efficiency", as: .sleepEfficiency, fold: .mean),
    JSONField("levels.summary.deep.minutes", as: .sleepDeepHours, scale: .over(60), fold: .sum),
    JSONField("levels.summary.light.minutes", as: .sleepLightHours, scale: .over(60), fold: .sum),
    JSONField("levels.summary.rem.minutes", as: .sleepREMHours, scale: .over(60), fold: .sum),
  ]

  private func addSleep(_ logs: [JSON], into days: inout DayCollector) {
    for (index, log) in logs.enumerated() {
      days.add(
        Self.sleepFields, of: log, on: log.time("dateOfSleep")?.day, source: source,
        identity: log["logId"]?.quantity.map { "fitbit sleep \($0)" },
        span: log.span("startTime", "endTime"), at: .record(index + 1))
    }
  }

  private static let weightFields = [
    JSONField("weight", as: .bodyMass, fold: .last),
    JSONField("bmi", as: .bodyMassIndex, fold: .mean, isPositive: true),
    JSONField("fat", as: .bodyFatPercentage, fold: .mean),
  ]

  private func addWeight(
    _ logs: [JSON], _ options: ImportOptions, into days: inout DayCollector
  ) {
    days.summary.remark(Self.kilograms)
    for (index, log) in logs.enumerated() {
      let clock = log["time"]?.string.map { "T" + $0 } ?? ""
      let time = LocalTime((log["date"]?.string ?? "") + clock)
      days.add(
        Self.weightFields, of: log, on: time.map { days.day(of: $0, options) }, source: source,
        identity: log["logId"]?.quantity.map { "fitbit weight \($0)" },
        span: time.map { $0.seconds..<$0.seconds }, at: .record(index + 1))
    }
  }

  private func addSeries(_ items: [JSON], _ field: JSONField, into days: inout DayCollector) {
    for (index, item) in items.enumerated() {
      let time = item.time("dateTime").flatMap { $0.second == nil ? $0 : nil }
      days.add([field], of: item, on: time?.day, source: source, at: .record(index + 1))
    }
  }

  private static let summaryFields = [
    JSONField("steps", as: .steps, fold: .sum),
    JSONField("caloriesOut", as: .totalEnergy, fold: .sum),
    JSONField("fairlyActiveMinutes", "veryActiveMinutes", as: .exerciseMinutes, fold: .sum),
    JSONField("restingHeartRate", as: .restingHeartRate, fold: .mean),
  ]

  /// Adds the summary of one day. It does not carry its day; the activities that come with it are those
  /// of that day and carry theirs, and where they agree it is known.
  private func addSummary(of content: JSON, into days: inout DayCollector) -> Bool {
    guard let summary = content["summary"], summary["caloriesOut"] != nil else { return false }
    let named = Set((content["activities"]?.items ?? []).map { $0.time("startDate")?.day })
    guard named.count == 1, let day = named.first, let day else { return false }
    days.add(Self.summaryFields, of: summary, on: day, source: source, at: .record(1))
    return true
  }
}
