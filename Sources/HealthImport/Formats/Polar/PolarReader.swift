internal import DayLog
internal import Time

/// The files of a Polar Flow export: a day's activity, nights and nightly recoveries.
struct PolarReader: Reader {
  let format = "polar"
  private let source = Source(.imported, "polar")

  func recognises(_ head: FileHead) -> Bool {
    guard head.isJSON else { return false }
    return head.contains("\"stepCount\"") && head.contains("\"summary\"")
      || head.contains("\"sleepResult\"") || head.contains("\"hypnogram\"")
      || head.contains("\"ansStatus\"") || head.contains("\"meanNightlyRecoveryRmssd\"")
  }

  private static let summary = [
    JSONField("summary.stepCount", as: .steps, fold: .sum),
    JSONField("summary.calories", as: .totalEnergy, fold: .sum),
    JSONField("summary.stepsDistance", as: .named("distance_km"), scale: .over(1000), fold: .sum),
  ]

  private static let recovery = [
    JSONField("meanNightlyRecoveryRmssd", as: .hrvRMSSD, fold: .mean),
    JSONField("ansStatus", as: .named("ans_status"), fold: .mean),
  ]

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    let content = try JSONFile.read(&stream)
    for (index, record) in (content.items ?? [content]).enumerated() {
      let place = ImportError.Place.record(index + 1)
      if record["summary"] != nil {
        days.add(Self.summary, of: record, on: record.time("date")?.day, source: source, at: place)
      } else if record["meanNightlyRecoveryRmssd"] != nil || record["ansStatus"] != nil {
        days.add(Self.recovery, of: record, on: night(record), source: source, at: place)
      } else {
        addNight(record, at: place, into: &days)
      }
    }
  }

  private func night(_ record: JSON) -> CalendarDay? {
    (record.time("night") ?? record.time("date"))?.day
  }

  private func addNight(
    _ record: JSON, at place: ImportError.Place, into days: inout DayCollector
  ) {
    days.summary.read += 1
    guard let day = night(record) else {
      days.summary.reject("no readable date", at: place)
      return
    }
    guard days.has(day, at: place) else { return }
    let result = record["evaluation"] ?? record["sleepResult"]?["evaluation"] ?? record
    guard let text = (result["asleepDuration"] ?? result["sleepDuration"])?.string,
      case .duration(let seconds) = CellForm(text)
    else {
      days.summary.reject("no value", at: place)
      return
    }
    days.add(seconds / 3600, .sleepHours, on: day, source: source, fold: .sum)
    days.summary.used += 1
  }
}
