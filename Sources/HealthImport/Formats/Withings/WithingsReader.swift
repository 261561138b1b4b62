internal import DayLog
import Time

/// The Withings API's answers: daily activity, sleep summaries, and measurements of a scale.
///
/// Activity carries its day. A night belongs to the day on which it ends (`enddate`) in the zone that the
/// record names, else the one asked for, else to the day it carries; its stages are in seconds, and sleep
/// is their sum. A weighing belongs to its moment's day in the zone that the answer names. Only what was
/// measured counts, not goals the person set.
struct WithingsReader: Reader {
  let format = "withings"
  private let source = Source(.imported, "withings")

  func recognises(_ head: FileHead) -> Bool {
    head.isJSON && head.contains("\"body\"") && head.contains("\"status\"")
      && (head.contains("\"activities\"") || head.contains("\"series\"")
        || head.contains("\"measuregrps\""))
  }

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    let content = try JSONFile.read(&stream)
    let body = content["body"]
    if let activities = body?["activities"]?.items {
      for (index, record) in activities.enumerated() {
        days.add(
          Self.activityFields, of: record, on: record.time("date")?.day, source: source,
          at: .record(index + 1))
      }
    } else if let nights = body?["series"]?.items {
      for (index, record) in nights.enumerated() {
        days.add(
          Self.sleepFields, of: record, on: Self.wakingDay(of: record, options), source: source,
          identity: record["id"]?.quantity.map { "withings sleep \($0)" },
          span: Self.night(record), at: .record(index + 1))
      }
    } else if let groups = body?["measuregrps"]?.items {
      let zone: Zone
      if let named = body?["timezone"]?.string.flatMap(options.zoneNamed) {
        zone = named
      } else {
        zone = try options.zoneOfBareMoments(&days.summary, file: stream.name)
      }
      for (index, group) in groups.enumerated() {
        addMeasures(group, zone, options, at: .record(index + 1), into: &days)
      }
    } else {
      throw ImportError(
        file: stream.name,
        .malformed("holds no list named activities, series or measuregrps"))
    }
  }

  private static func wakingDay(of record: JSON, _ options: ImportOptions) -> CalendarDay? {
    let zone = record["timezone"]?.string.flatMap(options.zoneNamed) ?? options.zone
    if let zone, let end = record.moment("enddate", perSecond: 1) {
      return end.day(utcOffset: zone.utcOffset(at: end))
    }
    return record.time("date")?.day
  }

  private static func night(_ record: JSON) -> Range<Int64>? {
    guard let start = record.moment("startdate", perSecond: 1)?.seconds,
      let end = record.moment("enddate", perSecond: 1)?.seconds, end >= start
    else { return nil }
    return start..<end
  }

  private func addMeasures(
    _ group: JSON, _ zone: Zone, _ options: ImportOptions, at place: ImportError.Place,
    into days: inout DayCollector
  ) {
    days.summary.read += 1
    guard group["category"]?.quantity == 1 else {
      days.summary.skip("element", "goal")
      return
    }
    guard let moment = group.moment("date", perSecond: 1) else {
      days.summary.reject("no readable date", at: place)
      return
    }
    let day = days.day(of: moment, in: zone, options)
    guard days.has(day, at: place) else { return }
    if let id = group["grpid"]?.quantity, !days.isNew("withings measure \(id)") { return }
    let reading = Reading(identity: nil, span: moment.seconds..<moment.seconds)
    var isUsed = false
    for measure in group["measures"]?.items ?? [] {
      guard let type = measure["type"]?.quantity, let metric = Self.measures[type],
        let digits = measure["value"]?.quantity, let exponent = measure["unit"]?.quantity,
        let value = Self.scaled(digits, by: exponent), value > 0
      else { continue }
      var one = reading
      one.value = value
      days.add(
        one, metric, on: day, source: source, fold: MetricRule.rule(for: metric)?.fold ?? .mean)
      isUsed = true
    }
    if isUsed {
      days.summary.used += 1
    } else {
      days.summary.reject("no value", at: place)
    }
  }

  /// A value as Withings writes it: digits times a power of ten.
  private static func scaled(_ digits: Double, by exponent: Double) -> Double? {
    guard (-12...12).contains(exponent), exponent == exponent.rounded() else { return nil }
    let power = (0..<Int(abs(exponent))).reduce(1.0) { power, _ in power * 10 }
    let value = exponent < 0 ? digits / power : digits * power
    return value.isFinite ? value : nil
  }

  private static let measures: [Double: Metric] = [
    1: .bodyMass, 6: .bodyFatPercentage, 9: .named("blood_pressure_diastolic"),
    10: .named("blood_pressure_systolic"), 11: .heartRate, 54: .oxygenSaturation,
    71: .named("body_temperature"),
  ]

  private static let activityFields = [
    JSONField("steps", as: .steps, fold: .sum),
    JSONField("calories", as: .activeEnergy, fold: .sum),
    JSONField("totalcalories", as: .totalEnergy, fold: .sum),
    JSONField("moderate", "intense", as: .exerciseMinutes, scale: .over(60), fold: .sum),
  ]

  private static let sleepFields = [
    JSONField(
      "data.lightsleepduration", "data.deepsleepduration", "data.remsleepduration",
      as: .sleepHours, scale: .over(3600), fold: .sum),
    JSONField("data.deepsleepduration", as: .sleepDeepHours, scale: .over(3600), fold: .sum),
    JSONField("data.lightsleepduration", as: .sleepLightHours, scale: .over(3600), fold: .sum),
    JSONField("data.remsleepduration", as: .sleepREMHours, scale: .over(3600), fold: .sum),
    JSONField("data.rr_average", as: .respiratoryRate, fold: .mean),
    JSONField("data.sleep_score", as: .sleepScore, fold: .mean, isPositive: true),
    // A fraction in the interface, a percentage here.
    JSONField(
      "data.sleep_efficiency", as: .sleepEfficiency, scale: .times(100), fold: .mean,
      isPositive: true),
  ]
}
