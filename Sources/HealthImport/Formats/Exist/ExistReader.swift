internal import DayLog
internal import Time

/// The files of an Exist export: each one attribute, `[{"date": ..., "value": ...}]`, named in the file's name.
struct ExistReader: Reader {
  let format = "exist"
  private let source = Source(.imported, "exist")

  func recognises(_ head: FileHead) -> Bool {
    head.isJSON && head.firstCharacter == UInt8(ascii: "[")
      && head.contains("\"date\"", within: 200)
      && head.contains("\"value\"", within: 200) && !head.contains("\"dateTime\"", within: 200)
  }

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    let content = try JSONFile.read(&stream)
    guard let name = FileTitle.metricName(of: stream.path), let plain = Metric(name) else {
      throw ImportError(
        file: stream.name,
        .unsupported(
          "a list of dates and values of Exist whose name does not say what is measured",
          needed: "leave the file's name as it was exported, such as steps_2024.json"))
    }
    let rule = MetricRule.rule(named: name)
    let unit: Unit? = name.hasPrefix("sleep") && rule?.unit?.kind == .time ? .minute : rule?.unit
    for (index, item) in (content.items ?? []).enumerated() {
      days.summary.read += 1
      let place = ImportError.Place.record(index + 1)
      guard let day = item.time("date")?.day else {
        days.summary.reject("no readable date", at: place)
        continue
      }
      guard days.has(day, at: place) else { continue }
      guard var value = item["value"]?.quantity else {
        days.summary.skip("value", "without a number")
        continue
      }
      if let unit, let own = rule?.unit { value = unit.convert(value, to: own) ?? value }
      guard value.isFinite, rule?.range?.contains(value) ?? true else {
        days.summary.reject("value beyond what is possible", at: place)
        continue
      }
      days.add(
        value, rule?.metric ?? plain, on: day, source: source, fold: rule?.fold ?? .mean)
      days.summary.used += 1
    }
  }
}
