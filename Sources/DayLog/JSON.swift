/// A JSON value (RFC 8259), read strictly: whole input, UTF-8, no key twice in one object.
package enum JSON: Equatable, Sendable {
  case null
  case bool(Bool)
  /// A finite number; integers are exact to 2^53.
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  /// Why bytes are no JSON, and at which byte. It carries nothing of the content.
  package struct Failure: Error, Equatable, Sendable {
    /// The byte at which the text stops being JSON, from 0.
    package let offset: Int
    /// What was wrong there, without any of the text.
    package let reason: String

    /// Whether it is JSON all the same, with more objects and arrays than are held.
    package var isTooLarge: Bool { reason == Self.tooLarge }
    static let tooLarge = "more than \(JSON.containerLimit) objects and lists"
  }

  /// So many objects and arrays a value may have; they are what its memory goes to, up to 200 bytes each.
  package static let containerLimit = 1 << 21

  /// Reads one value that makes up all of `bytes`.
  package init(_ bytes: ArraySlice<UInt8>) throws(Failure) {
    var reader = JSONReader(bytes)
    self = try reader.document()
  }

  /// Reads one value that makes up all of `bytes`, without holding its long lists: where it is an object, the
  /// items of an array under one of the keys `lists` go to `take` one by one, and an empty array stands there.
  ///
  /// - Throws: ``Failure``, after items have been taken.
  package init(
    _ bytes: ArraySlice<UInt8>, lists: Set<String>, take: @escaping (JSON) -> Void
  ) throws(Failure) {
    var reader = JSONReader(bytes)
    self = try reader.document(lists: lists, take: take)
  }

  /// The JSON objects that follow one another in `bytes`, divided by white space or nothing, each byte for byte.
  ///
  /// - Throws: ``Failure`` at the first byte that belongs to none; nothing is then returned.
  package static func objects(in bytes: [UInt8]) throws(Failure) -> [ArraySlice<UInt8>] {
    var reader = JSONReader(bytes[...])
    var found: [ArraySlice<UInt8>] = []
    while let object = try reader.nextObject() { found.append(object) }
    return found
  }

  /// What stands under a key of an object; nil where it has none, and for any other value.
  package subscript(key: String) -> JSON? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  /// The text of a string; nil for any other value.
  package var string: String? { if case .string(let text) = self { text } else { nil } }
  /// The value of a number; nil for any other value.
  package var number: Double? { if case .number(let value) = self { value } else { nil } }

  /// The text of a string in quotes, with what JSON wants escaped.
  package static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    write(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text of a string in quotes, with what JSON wants escaped, and what is not ``Harmless`` too.
  package static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    defer { bytes.append(UInt8(ascii: "\"")) }
    // Names and days have nothing to escape, and go over in one piece.
    let isPlain = text.utf8.allSatisfy {
      (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    if isPlain {
      bytes.append(contentsOf: text.utf8)
      return
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": bytes.append(contentsOf: "\\\"".utf8)
      case "\\": bytes.append(contentsOf: "\\\\".utf8)
      case "\n": bytes.append(contentsOf: "\\n".utf8)
      case "\r": bytes.append(contentsOf: "\\r".utf8)
      case "\t": bytes.append(contentsOf: "\\t".utf8)
      case _ where Harmless.isActive(scalar):
        bytes.append(contentsOf: Harmless.escaped(scalar).utf8)
      default: bytes.append(contentsOf: String(scalar).utf8)
      }
    }
  }

  /// A finite number as text that reads back as the same bits: whole numbers up to 2^53 in full, others
  /// with the fewest digits.
  package static func text(_ value: Double) -> String {
    let isNegativeZero = value == 0 && value.sign == .minus
    if value == value.rounded(), abs(value) < 0x1p53, !isNegativeZero { return String(Int(value)) }
    let text = value.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

/// Reads JSON from bytes, from left to right.
struct JSONReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private var depth = 0
  /// Objects and arrays that are held.
  private var containers = 0

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  mutating func document(
    lists: Set<String> = [], take: ((JSON) -> Void)? = nil
  ) throws(JSON.Failure) -> JSON {
    skipSpace()
    let value = try value(lists: lists, take: take)
    skipSpace()
    guard position == bytes.endIndex else { throw failure("more follows the value") }
    return value
  }

  mutating func nextObject() throws(JSON.Failure) -> ArraySlice<UInt8>? {
    skipSpace()
    guard let byte = peek else { return nil }
    guard byte == UInt8(ascii: "{") else { throw failure("an object begins with {") }
    let start = position
    containers = 0
    _ = try value()
    return bytes[start..<position]
  }

  private var peek: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  private func failure(_ reason: String) -> JSON.Failure {
    JSON.Failure(offset: position - bytes.startIndex, reason: reason)
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 32 || (9...10).contains(byte) || byte == 13 { position += 1 }
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  private mutating func value(
    lists: Set<String> = [], take: ((JSON) -> Void)? = nil
  ) throws(JSON.Failure) -> JSON {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 64 else { throw failure("nested too deep") }
    if peek == UInt8(ascii: "{") || peek == UInt8(ascii: "[") {
      containers += 1
      guard containers <= JSON.containerLimit else { throw failure(JSON.Failure.tooLarge) }
    }
    switch peek {
    case UInt8(ascii: "{"): return try object(lists: lists, take: take)
    case UInt8(ascii: "["): return try array(take: lists.isEmpty ? take : nil)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case nil: throw failure("the text ends too early")
    default: return .number(try number())
    }
  }

  private mutating func word(_ word: String, _ value: JSON) throws(JSON.Failure) -> JSON {
    guard bytes[position...].starts(with: word.utf8) else { throw failure("no JSON value") }
    position += word.utf8.count
    return value
  }

  private mutating func object(
    lists: Set<String>, take: ((JSON) -> Void)?
  ) throws(JSON.Failure) -> JSON {
    var members: [String: JSON] = [:]
    position += 1
    skipSpace()
    if skip(UInt8(ascii: "}")) { return .object(members) }
    while true {
      skipSpace()
      guard peek == UInt8(ascii: "\"") else { throw failure("a key is a string") }
      let key = try string()
      skipSpace()
      guard skip(UInt8(ascii: ":")) else { throw failure("a colon follows a key") }
      skipSpace()
      let isList = peek == UInt8(ascii: "[") && lists.contains(key)
      let value = try value(take: isList ? take : nil)
      guard members.updateValue(value, forKey: key) == nil else {
        throw failure("a key stands twice")
      }
      skipSpace()
      if skip(UInt8(ascii: "}")) { return .object(members) }
      guard skip(UInt8(ascii: ",")) else { throw failure("a comma or } follows a member") }
    }
  }

  private mutating func array(
    take: ((JSON) -> Void)? = nil
  ) throws(JSON.Failure) -> JSON {
    var items: [JSON] = []
    position += 1
    skipSpace()
    if skip(UInt8(ascii: "]")) { return .array(items) }
    while true {
      skipSpace()
      let held = containers
      let item = try value()
      if let take {
        take(item)
        containers = held
      } else {
        items.append(item)
      }
      skipSpace()
      if skip(UInt8(ascii: "]")) { return .array(items) }
      guard skip(UInt8(ascii: ",")) else { throw failure("a comma or ] follows an item") }
    }
  }

  private mutating func number() throws(JSON.Failure) -> Double {
    let start = position
    func isDigit(_ byte: UInt8?) -> Bool { byte.map { (48...57).contains($0) } ?? false }
    _ = skip(UInt8(ascii: "-"))
    guard isDigit(peek) else { throw failure("no JSON value") }
    if !skip(UInt8(ascii: "0")) { while isDigit(peek) { position += 1 } }
    if skip(UInt8(ascii: ".")) {
      guard isDigit(peek) else { throw failure("digits follow a point") }
      while isDigit(peek) { position += 1 }
    }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
      guard isDigit(peek) else { throw failure("digits follow an exponent") }
      while isDigit(peek) { position += 1 }
    }
    guard let value = Double(String(decoding: bytes[start..<position], as: UTF8.self)),
      value.isFinite
    else { throw failure("a number is out of range") }
    return value
  }

  private mutating func string() throws(JSON.Failure) -> String {
    position += 1
    var content: [UInt8] = []
    while true {
      guard let byte = peek else { throw failure("a string does not end") }
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: content, as: UTF8.self) else {
          throw failure("a string is not UTF-8")
        }
        return text
      case UInt8(ascii: "\\"): content += Array(String(try escape()).utf8)
      case 0..<0x20: throw failure("a control character stands in a string")
      default: content.append(byte)
      }
    }
  }

  private mutating func escape() throws(JSON.Failure) -> Unicode.Scalar {
    guard let byte = peek else { throw failure("a string does not end") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try hexadecimal()
      if let scalar = Unicode.Scalar(unit) { return scalar }
      // The halves of a character beyond the first plane come in pairs.
      guard unit < 0xDC00, skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) else {
        throw failure("half a character stands alone")
      }
      let low = try hexadecimal()
      guard (0xDC00...0xDFFF).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
      else { throw failure("half a character stands alone") }
      return scalar
    default: throw failure("an escape is unknown")
    }
  }

  private mutating func hexadecimal() throws(JSON.Failure) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue,
        byte < 128
      else { throw failure("four hexadecimal digits follow \\u") }
      value = value * 16 + UInt32(digit)
      position += 1
    }
    return value
  }
}
