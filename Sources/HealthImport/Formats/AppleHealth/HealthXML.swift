/// What takes the tags of a health export as they are scanned.
protocol HealthTags {
  /// An opening tag, or an empty element, which has no closing one.
  mutating func open(
    _ element: HealthElement, _ name: BytePlace, _ attributes: HealthAttributes, isEmpty: Bool,
    _ bytes: Span<UInt8>)
  /// A closing tag.
  mutating func close(_ element: HealthElement)
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
///
/// - Complexity: a load and a comparison for each attribute whose name is known, and a search for the
///   quote that ends its value; no byte is copied.
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
  mutating func scan<Tags: HealthTags>(
    _ bytes: Span<UInt8>, isLast: Bool, into export: inout Tags
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
  private mutating func scanTag<Tags: HealthTags>(
    _ bytes: Span<UInt8>, _ tag: Int, into export: inout Tags
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

  private mutating func scanClosing<Tags: HealthTags>(
    _ bytes: Span<UInt8>, _ tag: Int, into export: inout Tags
  ) throws(Fault) -> Int? {
    guard let end = bytes.index(of: UInt8(ascii: ">"), from: tag) else { return nil }
    var nameEnd = end
    while nameEnd > tag + 2, Self.isSpace(bytes[nameEnd - 1]) { nameEnd -= 1 }
    let name = BytePlace(tag + 2, nameEnd)
    guard let last = open.popLast(), last == Self.hash(bytes, name) else {
      throw Fault(at: tag, reason: .malformed("closes an element that is not open"))
    }
    if open.isEmpty { isClosed = true }
    export.close(Self.element(bytes, name))
    return end + 1
  }

  @inline(__always)
  private mutating func scanOpening<Tags: HealthTags>(
    _ bytes: Span<UInt8>, _ tag: Int, into export: inout Tags
  ) throws(Fault) -> Int? {
    var at = tag + 1
    while at < bytes.count, !Self.endsName(bytes[at]) { at += 1 }
    guard at < bytes.count else { return nil }
    let name = BytePlace(tag + 1, at)
    guard !name.isMissing else {
      throw Fault(at: tag, reason: .malformed("has a tag without a name"))
    }
    var attributes = HealthAttributes()
    while true {
      while at < bytes.count, Self.isSpace(bytes[at]) { at += 1 }
      guard at < bytes.count else { return nil }
      let byte = bytes[at]
      if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") { break }
      if let known = HealthAttributes.known(bytes, at) {
        guard let end = bytes.firstQuote(from: known.value) else { return nil }
        attributes.set(known.name, to: BytePlace(known.value, end))
        at = end + 1
      } else {
        guard let next = try Self.scanAttribute(bytes, at, into: &attributes) else { return nil }
        at = next
      }
    }
    let isEmpty = bytes[at] == UInt8(ascii: "/")
    if isEmpty {
      guard at + 1 < bytes.count else { return nil }
      at += 1
      guard bytes[at] == UInt8(ascii: ">") else {
        throw Fault(at: at, reason: .malformed("has a slash within a tag"))
      }
    }
    let element = Self.element(bytes, name)
    try enter(bytes, name, element, isEmpty: isEmpty, tag)
    export.open(element, name, attributes, isEmpty: isEmpty, bytes)
    return at + 1
  }

  /// Scans an attribute of any name, in whatever way it is quoted and spaced; the place after it, or nil
  /// where it is not whole yet.
  private static func scanAttribute(
    _ bytes: Span<UInt8>, _ nameStart: Int, into attributes: inout HealthAttributes
  ) throws(Fault) -> Int? {
    var at = nameStart
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
    while nameEnd > nameStart, isSpace(bytes[nameEnd - 1]) { nameEnd -= 1 }
    at += 1
    while at < bytes.count, isSpace(bytes[at]) { at += 1 }
    guard at < bytes.count else { return nil }
    let quote = bytes[at]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw Fault(at: at, reason: .malformed("has an attribute without quotes"))
    }
    guard let end = bytes.index(of: quote, from: at + 1) else { return nil }
    if let name = HealthAttributes.name(bytes, nameStart, nameEnd) {
      attributes.set(name, to: BytePlace(at + 1, end))
    }
    return end + 1
  }

  @inline(__always)
  private mutating func enter(
    _ bytes: Span<UInt8>, _ name: BytePlace, _ element: HealthElement, isEmpty: Bool, _ tag: Int
  ) throws(Fault) {
    if open.isEmpty, isClosed || element != .root {
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
