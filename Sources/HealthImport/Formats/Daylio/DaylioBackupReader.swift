internal import DayLog
internal import Time

/// The backup of the mood diary Daylio (`.daylio`): an archive whose one document is JSON in base64.
///
/// A mood counts from 1 (awful) to 5 (rad) by its group, whatever the person calls it. Entries carry the clock on the wall.
struct DaylioBackupReader: Reader {
  let format = "daylio"
  private let source = Source(.imported, "daylio")

  func recognises(_ head: FileHead) -> Bool {
    // Base64 of `{"`, or the document itself.
    head.name.lowercased().hasSuffix(".daylio") && head.begins(with: Array("eyJ".utf8))
      || head.isJSON && head.contains("\"dayEntries\"") && head.contains("\"customMoods\"")
  }

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    let name = stream.name
    let bytes = try stream.readAll(limit: JSONFile.byteLimit)
    let document = bytes.first == UInt8(ascii: "{") ? bytes : Self.decoded(bytes)
    guard let document else {
      throw ImportError(file: name, .malformed("is no base64 text"))
    }
    var inner = try ByteStream(memory: document, name: name, progress: { _, _ in true })
    let content = try JSONFile.read(&inner)
    var moods: [Double: Double] = [:]
    for mood in content["customMoods"]?.items ?? [] {
      // Groups run from 1, the best, to 5.
      if let id = mood["id"]?.quantity, let group = mood["mood_group_id"]?.quantity,
        (1...5).contains(group)
      {
        moods[id] = 6 - group
      }
    }
    var tags: [Double: Metric] = [:]
    for tag in content["tags"]?.items ?? [] {
      if let id = tag["id"]?.quantity, let text = tag["name"]?.string {
        tags[id] = DaylioReader.activity(text)
      }
    }
    for (index, entry) in (content["dayEntries"]?.items ?? []).enumerated() {
      days.summary.read += 1
      let place = ImportError.Place.record(index + 1)
      func number(_ key: String) -> Int? { entry[key]?.quantity.flatMap { Int(exactly: $0) } }
      guard let year = number("year"), let month = number("month"), let date = number("day"),
        let day = CalendarDay(year: year, month: month + 1, day: date),
        let hour = number("hour"), let minute = number("minute"), (0..<24).contains(hour),
        (0..<60).contains(minute)
      else {
        days.summary.reject("no readable date", at: place)
        continue
      }
      let time = LocalTime(day: day, second: hour * 3600 + minute * 60, offset: nil)
      let own = days.day(of: time, options)
      guard days.has(own, at: place) else { continue }
      var reading = Reading(identity: nil, span: time.seconds..<time.seconds)
      if let mood = entry["mood"]?.quantity.flatMap({ moods[$0] }) {
        reading.value = mood
        days.add(reading, .mood, on: own, source: source, fold: .mean)
        days.summary.used += 1
      } else {
        days.summary.reject("no mood that is known", at: place)
      }
      let done = Set((entry["tags"]?.items ?? []).compactMap { $0.quantity.flatMap { tags[$0] } })
      for metric in Set(tags.values) {
        reading.value = done.contains(metric) ? 1 : 0
        days.add(reading, metric, on: own, source: source, fold: .max)
      }
    }
  }

  /// The bytes that base64 text stands for; nil for any other text.
  private static func decoded(_ text: ContiguousArray<UInt8>) -> ContiguousArray<UInt8>? {
    var bytes = ContiguousArray<UInt8>()
    bytes.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    var count = 0
    for byte in text {
      let value: UInt32
      switch byte {
      case 65...90: value = UInt32(byte) - 65
      case 97...122: value = UInt32(byte) - 71
      case 48...57: value = UInt32(byte) + 4
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      case UInt8(ascii: "="), 10, 13: continue
      default: return nil
      }
      bits = bits << 6 | value
      count += 1
      if count % 4 != 1 {
        let shift: UInt32 = count % 4 == 2 ? 4 : count % 4 == 3 ? 2 : 0
        bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
      }
    }
    return bytes
  }
}
