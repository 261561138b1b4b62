internal import DayLog
internal import Time

/// The JSON of the app Health Auto Export: metrics by name and unit, each with dated numbers, by the day, hour or minute.
/// Where all times of a metric are midnight they are days' labels.
struct HealthAutoExportReader: Reader {
  let format = "health-auto-export"
  private let source = Source(.imported, "health-auto-export")

  func recognises(_ head: FileHead) -> Bool {
    head.isJSON && head.contains("\"metrics\"") && head.contains("\"data\"")
      && (head.contains("\"units\"") || head.contains("\"qty\""))
  }

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    let content = try JSONFile.read(&stream)
    guard let metrics = (content["data"]?["metrics"] ?? content["metrics"])?.items else {
      throw ImportError(file: stream.name, .malformed("holds no list of metrics"))
    }
    for metric in metrics {
      guard let name = metric["name"]?.string, let items = metric["data"]?.items else { continue }
      if name == "sleep_analysis" {
        for item in items { addSleep(item, options, into: &days) }
      } else {
        add(items, name, Unit(metric["units"]?.string ?? ""), options, into: &days)
      }
    }
    if let workouts = content["data"]?["workouts"]?.items, !workouts.isEmpty {
      days.summary.skip("element", "workout", count: workouts.count)
    }
  }

  /// Numbers of an item, and the metric each is of.
  private static func parts(_ name: String) -> [(key: String, metric: Metric)] {
    let known: [String: Metric] = [
      "heart_rate_variability": .hrv, "weight_body_mass": .bodyMass,
      "blood_oxygen_saturation": .oxygenSaturation, "apple_exercise_time": .exerciseMinutes,
      "dietary_water": .water, "dietary_caffeine": .caffeine,
      "blood_glucose": .bloodGlucose,
    ]
    if name == "blood_pressure" {
      return [
        ("systolic", .named("blood_pressure_systolic")),
        ("diastolic", .named("blood_pressure_diastolic")),
      ]
    }
    guard
      let metric = known[name] ?? MetricRule.rule(named: name)?.metric ?? Metric(columnName: name)
    else { return [] }
    return [("qty", metric), ("Avg", metric), ("avg", metric)]
  }

  private func add(
    _ items: [JSON], _ name: String, _ unit: Unit?, _ options: ImportOptions,
    into days: inout DayCollector
  ) {
    let times = items.map { $0.time("date") }
    let areLabels = times.allSatisfy { ($0?.second ?? 0) == 0 }
    let parts = Self.parts(name)
    for (item, time) in zip(items, times) {
      days.summary.read += 1
      guard let time else {
        days.summary.reject("no readable date", at: nil)
        continue
      }
      let day = areLabels ? time.day : days.day(of: time, options)
      guard days.has(day, at: nil) else { continue }
      var isUsed = false
      for (key, metric) in parts {
        guard var value = item[key]?.quantity else { continue }
        let rule = MetricRule.rule(for: metric)
        if let unit, let own = rule?.unit { value = unit.convert(value, to: own) ?? value }
        if value == 0, MetricRule.isNeverZero(metric) { continue }
        guard value.isFinite, rule?.range?.contains(value) ?? true else {
          days.summary.reject("\(name) beyond what is possible", at: nil)
          continue
        }
        let span = areLabels ? nil : time.seconds..<time.seconds
        let device = item["source"]?.string ?? ""
        days.add(
          Reading(identity: nil, span: span, device: areLabels ? "" : device, value: value), metric,
          on: day, source: source, fold: rule?.fold ?? (unit?.addsUp == true ? .sum : .mean))
        isUsed = true
      }
      if isUsed { days.summary.used += 1 }
    }
  }

  private func addSleep(_ item: JSON, _ options: ImportOptions, into days: inout DayCollector) {
    days.summary.read += 1
    let end = item.time("sleepEnd") ?? item.time("endDate")
    guard
      let day = end.map({ days.day(ofNightUntil: $0, options) }) ?? item.time("date")?.day,
      days.has(day, at: nil)
    else {
      days.summary.reject("no readable date", at: nil)
      return
    }
    let span = item.span("sleepStart", "sleepEnd") ?? item.span("startDate", "endDate")
    var isUsed = false
    func hours(_ keys: String...) -> Double? {
      keys.lazy.compactMap { item[$0]?.quantity }.first { $0 > 0 && $0 <= 24 }
    }
    func add(_ value: Double?, _ metric: Metric, _ days: inout DayCollector) {
      guard let value else { return }
      days.add(
        Reading(identity: nil, span: span, value: value), metric, on: day, source: source,
        fold: .sum)
      isUsed = true
    }
    // One span of a stage where the app does not sum them up.
    if let stage = item["value"]?.string, let length = hours("qty") {
      let isAsleep = ["Core", "Deep", "REM", "Asleep", "Unspecified"].contains(stage)
      if isAsleep {
        add(length, .sleepHours, &days)
        if stage == "Deep" { add(length, .sleepDeepHours, &days) }
        if stage == "REM" { add(length, .sleepREMHours, &days) }
      }
    } else {
      add(hours("totalSleep", "asleep"), .sleepHours, &days)
      add(hours("deep"), .sleepDeepHours, &days)
      add(hours("rem"), .sleepREMHours, &days)
      add(hours("core"), .sleepLightHours, &days)
      add(hours("inBed"), .named("time_in_bed_hours"), &days)
    }
    if isUsed { days.summary.used += 1 }
  }
}
