internal import DayLog

/// Apple Health's `export.xml`, of any iOS generation and language.
///
/// Entries have the source `apple-health`; what the person typed into the health app has
/// `apple-health/typed`, nights of which only the time in bed is known `apple-health/in-bed`, and days
/// for which only the phone's own summary stands `apple-health/summary`. Their as-of is the export's
/// own date. Identical records count once, inside a correlation or out of it.
struct AppleHealthReader: Reader {
  let format = "apple-health"

  /// What is read at a time; a longer tag makes it grow.
  var bufferByteCount = 1 << 18
  /// Whether lines and damaged bytes are counted, without which errors name no line.
  var isCensusTaken = true

  func recognises(_ head: FileHead) -> Bool {
    isUTF16(head)
      || head.firstCharacter == UInt8(ascii: "<")
        && (head.contains("<HealthData", within: 4096)
          || head.contains("<!DOCTYPE HealthData", within: 4096))
  }

  /// An XML file in UTF-16: no phone writes one, but editors save what they open.
  private func isUTF16(_ head: FileHead) -> Bool {
    head.begins(with: [0xFF, 0xFE, 0x3C, 0]) || head.begins(with: [0xFE, 0xFF, 0, 0x3C])
  }

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    guard !isUTF16(stream.beginning) else {
      throw ImportError(file: stream.name, place: .line(1), .notUTF8)
    }
    var export = HealthExport(options: options)
    var xml = HealthXML()
    let end = try scan(&stream, &xml, &export)
    days.summary.damagedBytes += end.damaged
    if !xml.isClosed {
      guard options.partial else {
        throw ImportError(file: stream.name, place: .line(end.line), .cutOff)
      }
      days.isComplete = false
      days.summary.remark("the file is cut off; what came before was taken")
    }
    HealthDays(export: export, options: options).add(to: &days)
  }

  /// Hands the tags of what is left of the stream to `tags`; the last line, and how many bytes are damaged.
  func scan<Tags: HealthTags>(
    _ stream: inout ByteStream, _ xml: inout HealthXML, _ tags: inout Tags
  ) throws(ImportError) -> (line: Int, damaged: Int) {
    let expected = stream.byteCount.map { max(1 << 12, $0 + 1) } ?? bufferByteCount
    var buffer = ContiguousArray<UInt8>(repeating: 0, count: min(bufferByteCount, expected))
    var filled = 0
    var line = 1
    var damaged = 0
    while true {
      if filled == buffer.count {
        buffer.append(contentsOf: repeatElement(0, count: min(buffer.count, HealthXML.tagLimit)))
      }
      let count = try stream.read(into: &buffer, from: filled)
      filled += count
      var consumed: Int
      do throws(HealthXML.Fault) {
        consumed = try xml.scan(buffer.span.extracting(0..<filled), isLast: count == 0, into: &tags)
      } catch {
        let before = buffer.span.extracting(0..<min(error.at, filled)).textCensus()
        throw ImportError(
          file: stream.name, place: .line(line + before.lineFeeds), error.reason)
      }
      // A character that is cut in two is counted when it is whole.
      consumed = count == 0 ? filled : buffer.span.characterStart(atMost: consumed)
      if isCensusTaken {
        let census = buffer.span.extracting(0..<consumed).textCensus()
        line += census.lineFeeds
        damaged += census.damaged
      }
      if count == 0 { return (line, damaged) }
      buffer.moveToFront(consumed..<filled)
      filled -= consumed
    }
  }
}
