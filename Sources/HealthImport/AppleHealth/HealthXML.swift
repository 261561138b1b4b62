/// A place in the bytes at hand; empty where there is nothing.
struct BytePlace {
  var start = 0
  var end = 0
  var isMissing: Bool { start == end }
}

/// The attributes of one tag that an importer cares for.
struct HealthAttributes {
  var type = BytePlace()
  var source = BytePlace()
  var device = BytePlace()
  var unit = BytePlace()
  var value = BytePlace()
  var start = BytePlace()
  var end = BytePlace()
  var key = BytePlace()
  var date = BytePlace()
  var energy = BytePlace()
  var energyUnit = BytePlace()
  var exercise = BytePlace()
}

/// The elements that mean something; all others are passed over.
enum HealthElement: UInt8 {
  case root, record, metadata, correlation, workout, summary, exportDate, me, other
}

/// The subset of XML that a health export is written in, scanned in constant memory.
///
/// It takes bytes in any division and consumes whole tags. The document type is skipped by looking
/// for its end alone, since genuine ones are malformed; comments, instructions and CDATA are skipped;
/// entities stay as they are written, so none expands. Elements must close in the order they open.
struct HealthXML {
  /// A tag, with its attributes, is at most this long: a genuine one has a few hundred bytes.
  static let tagLimit = 1 << 20
  private static let depthLimit = 64

  private var mode = Mode.content
  /// The hash of the name of each open element.
  private var open: [UInt64] = []
  /// Whether the root was closed.
  private(set) var isClosed = false

  private enum Mode {
    case content, comment, instruction, data
    case doctype(hasBracket: Bool, isClosing: Bool)
    case doctypeComment
  }

  /// Why scanning cannot go on, and where in the bytes.
  struct Fault: Error {
    let at: Int
    let reason: ImportError.Reason
  }

  /// Consumes what is whole of `bytes` and hands the tags to `export`.
  ///
  /// - Returns: how many bytes were consumed; the others are to come again with more behind them.
  mutating func scan(
    _ bytes: Span<UInt8>, isLast: Bool, into export: inout HealthExport
  ) throws(Fault) -> Int {
    var at = 0
    while at < bytes.count {
      switch mode {
      case .content:
        guard let tag = bytes.index(of: UInt8(ascii: "<"), from: at) else {
          // Text means nothing; a character cut in two waits for its rest.
          var end = bytes.count
          while !isLast, end > at, end > bytes.count - 3, bytes[end - 1] >= 0x80 { end -= 1 }
          return end
        }
        guard let next = try scanTag(bytes, tag, into: &export) else {
          guard bytes.count - tag <= Self.tagLimit else {
            throw Fault(at: tag, reason: .tooLarge("a tag", limit: Self.tagLimit))
          }
          return tag
        }
        at = next
      case .comment: at = skip(bytes, at, to: "-->", then: .content)
      case .instruction: at = skip(bytes, at, to: "?>", then: .content)
      case .data: at = skip(bytes, at, to: "]]>", then: .content)
      case .doctypeComment:
        at = skip(bytes, at, to: "-->", then: .doctype(hasBracket: true, isClosing: false))
      case .doctype(let hasBracket, let isClosing):
        guard let next = skipDoctype(bytes, at, hasBracket, isClosing) else { return at }
        at = next
      }
      if case .content = mode { continue }
      // A terminator may be cut in two: the last bytes come again.
      if at == bytes.count || isStuck(bytes, at) { return at }
    }
    return at
  }

  private func isStuck(_ bytes: Span<UInt8>, _ at: Int) -> Bool { bytes.count - at < 4 }

  /// The place after `terminator`, or where to go on looking for it.
  private mutating func skip(
    _ bytes: Span<UInt8>, _ start: Int, to terminator: StaticString, then next: Mode
  ) -> Int {
    let length = terminator.utf8CodeUnitCount
    guard let first = terminator.description.utf8.first else { return start }
    var at = start
    while let found = bytes.index(of: first, from: at) {
      if bytes.matches(terminator, at: found) {
        mode = next
        return found + length
      }
      at = found + 1
    }
    return max(start, bytes.count - (length - 1))
  }

  /// Looks for the `]>` or `>` that ends the document type, past comments and whatever else is in it.
  private mutating func skipDoctype(
    _ bytes: Span<UInt8>, _ start: Int, _ hadBracket: Bool, _ wasClosing: Bool
  ) -> Int? {
    var hasBracket = hadBracket
    var isClosing = wasClosing
    var at = start
    defer {
      if case .doctype = mode { mode = .doctype(hasBracket: hasBracket, isClosing: isClosing) }
    }
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "["): hasBracket = true
      case UInt8(ascii: "]"): isClosing = true
      case UInt8(ascii: ">") where isClosing || !hasBracket:
        mode = .content
        return at + 1
      case UInt8(ascii: "<"):
        isClosing = false
        if at + 4 > bytes.count { return at == start ? nil : at }
        if bytes.matches("<!--", at: at) {
          mode = .doctypeComment
          return at + 4
        }
      case 9, 10, 13, 32: break
      default: isClosing = false
      }
      at += 1
    }
    return at
  }

  /// Scans the tag at `tag`; the place after it, or nil where it is not whole yet.
  @inline(__always)
  private mutating func scanTag(
    _ bytes: Span<UInt8>, _ tag: Int, into export: inout HealthExport
  ) throws(Fault) -> Int? {
    guard tag + 4 <= bytes.count else { return nil }
    switch bytes[tag + 1] {
    case UInt8(ascii: "!"): return try scanDeclaration(bytes, tag)
    case UInt8(ascii: "?"):
      mode = .instruction
      return tag + 2
    case UInt8(ascii: "/"): return try scanClosing(bytes, tag, into: &export)
    default: return try scanOpening(bytes, tag, into: &export)
    }
  }

  private mutating func scanDeclaration(_ bytes: Span<UInt8>, _ tag: Int) throws(Fault) -> Int? {
    if bytes.matches("<!--", at: tag) {
      mode = .comment
      return tag + 4
    }
    guard tag + 9 <= bytes.count else { return nil }
    if bytes.matches("<![CDATA[", at: tag) {
      mode = .data
      return tag + 9
    }
    if bytes.matches("<!DOCTYPE", at: tag) {
      mode = .doctype(hasBracket: false, isClosing: false)
      return tag + 9
    }
    throw Fault(at: tag, reason: .malformed("has an unknown declaration"))
  }

  private mutating func scanClosing(
    _ bytes: Span<UInt8>, _ tag: Int, into export: inout HealthExport
  ) throws(Fault) -> Int? {
    guard let end = bytes.index(of: UInt8(ascii: ">"), from: tag) else { return nil }
    var nameEnd = end
    while nameEnd > tag + 2, Self.isSpace(bytes[nameEnd - 1]) { nameEnd -= 1 }
    let name = BytePlace(start: tag + 2, end: nameEnd)
    guard let last = open.popLast(), last == Self.hash(bytes, name) else {
      throw Fault(at: tag, reason: .malformed("closes an element that is not open"))
    }
    if open.isEmpty { isClosed = true }
    export.close(Self.element(bytes, name), bytes, at: tag)
    return end + 1
  }

  @inline(__always)
  private mutating func scanOpening(
    _ bytes: Span<UInt8>, _ tag: Int, into export: inout HealthExport
  ) throws(Fault) -> Int? {
    var at = tag + 1
    while at < bytes.count, !Self.endsName(bytes[at]) { at += 1 }
    guard at < bytes.count else { return nil }
    let name = BytePlace(start: tag + 1, end: at)
    guard !name.isMissing else {
      throw Fault(at: tag, reason: .malformed("has a tag without a name"))
    }
    var attributes = HealthAttributes()
    while true {
      while at < bytes.count, Self.isSpace(bytes[at]) { at += 1 }
      guard at < bytes.count else { return nil }
      let byte = bytes[at]
      if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") { break }
      let nameStart = at
      while at < bytes.count, bytes[at] != UInt8(ascii: "=") {
        if bytes[at] == UInt8(ascii: "<") || bytes[at] == UInt8(ascii: ">")
          || bytes[at] == UInt8(ascii: "\"")
        {
          throw Fault(at: at, reason: .malformed("has an attribute without a value"))
        }
        at += 1
      }
      guard at < bytes.count else { return nil }
      var nameEnd = at
      while nameEnd > nameStart, Self.isSpace(bytes[nameEnd - 1]) { nameEnd -= 1 }
      at += 1
      while at < bytes.count, Self.isSpace(bytes[at]) { at += 1 }
      guard at < bytes.count else { return nil }
      let quote = bytes[at]
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
        throw Fault(at: at, reason: .malformed("has an attribute without quotes"))
      }
      guard let end = bytes.index(of: quote, from: at + 1) else { return nil }
      attributes.set(bytes, nameStart, nameEnd, to: BytePlace(start: at + 1, end: end))
      at = end + 1
    }
    let isEmpty = bytes[at] == UInt8(ascii: "/")
    if isEmpty {
      guard at + 1 < bytes.count else { return nil }
      at += 1
      guard bytes[at] == UInt8(ascii: ">") else {
        throw Fault(at: at, reason: .malformed("has a slash within a tag"))
      }
    }
    try enter(bytes, name, isEmpty: isEmpty, tag)
    export.open(Self.element(bytes, name), name, attributes, isEmpty: isEmpty, bytes, at: tag)
    return at + 1
  }

  @inline(__always)
  private mutating func enter(
    _ bytes: Span<UInt8>, _ name: BytePlace, isEmpty: Bool, _ tag: Int
  ) throws(Fault) {
    if open.isEmpty, isClosed || Self.element(bytes, name) != .root {
      throw Fault(at: tag, reason: .malformed("has an element outside HealthData"))
    }
    if isEmpty {
      if open.isEmpty { isClosed = true }
      return
    }
    guard open.count < Self.depthLimit else {
      throw Fault(at: tag, reason: .tooLarge("the depth of elements", limit: Self.depthLimit))
    }
    open.append(Self.hash(bytes, name))
  }

  @inline(__always)
  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (byte >= 9 && byte <= 13) }

  @inline(__always)
  private static func endsName(_ byte: UInt8) -> Bool {
    isSpace(byte) || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
      || byte == UInt8(ascii: "<")
  }

  @inline(__always)
  private static func hash(_ bytes: Span<UInt8>, _ name: BytePlace) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in name.start..<name.end {
      hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3
    }
    return hash
  }

  @inline(__always)
  static func element(_ bytes: Span<UInt8>, _ name: BytePlace) -> HealthElement {
    switch name.end - name.start {
    case 2 where bytes.matches("Me", at: name.start): .me
    case 6 where bytes.matches("Record", at: name.start): .record
    case 7 where bytes.matches("Workout", at: name.start): .workout
    case 10 where bytes.matches("HealthData", at: name.start): .root
    case 10 where bytes.matches("ExportDate", at: name.start): .exportDate
    case 11 where bytes.matches("Correlation", at: name.start): .correlation
    case 13 where bytes.matches("MetadataEntry", at: name.start): .metadata
    case 15 where bytes.matches("ActivitySummary", at: name.start): .summary
    default: .other
    }
  }
}

extension HealthAttributes {
  /// Keeps the attribute of this name, if it is one that matters; the first of a repeated one.
  @inline(__always)
  mutating func set(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, to place: BytePlace) {
    switch end - start {
    case 3 where bytes.matches("key", at: start): key = place
    case 4:
      if bytes[start] == UInt8(ascii: "t"), bytes.matches("type", at: start) {
        type = place
      } else if bytes.matches("unit", at: start) {
        unit = place
      }
    case 5 where bytes.matches("value", at: start): value = place
    case 6:
      if bytes.matches("device", at: start) {
        device = place
      } else if bytes.matches("source", at: start) {
        source = place
      }
    case 7 where bytes.matches("endDate", at: start): self.end = place
    case 8 where bytes.matches("end date", at: start): self.end = place
    case 9 where bytes.matches("startDate", at: start): self.start = place
    case 10:
      if bytes.matches("sourceName", at: start) {
        source = place
      } else if bytes.matches("start date", at: start) {
        self.start = place
      }
    case 11 where bytes.matches("source name", at: start): source = place
    case 14 where bytes.matches("dateComponents", at: start): date = place
    case 17 where bytes.matches("appleExerciseTime", at: start): exercise = place
    case 18 where bytes.matches("activeEnergyBurned", at: start): energy = place
    case 22 where bytes.matches("activeEnergyBurnedUnit", at: start): energyUnit = place
    default: break
    }
  }
}
