/// The bytes of a table as UTF-8.
enum TableText {
  /// UTF-8 without its mark, of UTF-8 or of UTF-16 with a mark or without; digits of other scripts are the plain ones.
  ///
  /// - Throws: `.notUTF8` at the line of the first byte that is neither.
  static func decode(
    _ bytes: ContiguousArray<UInt8>, name: String
  ) throws(ImportError) -> ContiguousArray<UInt8> {
    if let order = byteOrder(bytes) { return try utf16(bytes, order, name: name) }
    let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? ContiguousArray(bytes.dropFirst(3)) : bytes
    if let fault = UTF8Check.firstFault(body.span) {
      throw ImportError(file: name, place: .line(lines(body, before: fault) + 1), .notUTF8)
    }
    return withPlainDigits(body)
  }

  /// How UTF-16 is stored, and how many bytes its mark has.
  struct ByteOrder {
    let isLittle: Bool
    let markLength: Int
  }

  /// The order of bytes of a text in UTF-16, by its mark, or by the zeros beside its first letters; nil for any other text.
  static func byteOrder(_ bytes: ContiguousArray<UInt8>) -> ByteOrder? {
    if bytes.starts(with: [0xFF, 0xFE]) { return ByteOrder(isLittle: true, markLength: 2) }
    if bytes.starts(with: [0xFE, 0xFF]) { return ByteOrder(isLittle: false, markLength: 2) }
    guard bytes.count >= 8 else { return nil }
    func isLetter(_ index: Int) -> Bool { (0x20..<0x7F).contains(bytes[index]) }
    if (0..<4).allSatisfy({ isLetter(2 * $0) && bytes[2 * $0 + 1] == 0 }) {
      return ByteOrder(isLittle: true, markLength: 0)
    }
    if (0..<4).allSatisfy({ bytes[2 * $0] == 0 && isLetter(2 * $0 + 1) }) {
      return ByteOrder(isLittle: false, markLength: 0)
    }
    return nil
  }

  private static func utf16(
    _ bytes: ContiguousArray<UInt8>, _ order: ByteOrder, name: String
  ) throws(ImportError) -> ContiguousArray<UInt8> {
    var units: [UInt16] = []
    var at = order.markLength
    while at + 1 < bytes.count {
      let low = UInt16(bytes[at + (order.isLittle ? 0 : 1)])
      units.append(low | UInt16(bytes[at + (order.isLittle ? 1 : 0)]) << 8)
      at += 2
    }
    var text = ContiguousArray<UInt8>()
    let isBroken = transcode(
      units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: true,
      into: { text.append($0) })
    if isBroken || at != bytes.count {
      throw ImportError(file: name, place: .line(lines(text, before: text.count) + 1), .notUTF8)
    }
    return withPlainDigits(text)
  }

  /// Arabic, Persian, Devanagari, Bengali and full-width digits, and the Arabic marks, as the plain ones.
  private static func withPlainDigits(_ bytes: ContiguousArray<UInt8>) -> ContiguousArray<UInt8> {
    guard bytes.contains(where: { [0xD9, 0xDB, 0xE0, 0xEF].contains($0) }) else { return bytes }
    var plain = ContiguousArray<UInt8>()
    plain.reserveCapacity(bytes.count)
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if let digit = digit(scalar) {
        plain.append(digit)
      } else {
        plain.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
    return plain
  }

  private static func digit(_ scalar: Unicode.Scalar) -> UInt8? {
    let zeros: [UInt32] = [0x660, 0x6F0, 0x966, 0x9E6, 0xFF10]
    if let zero = zeros.first(where: { ($0..<$0 + 10).contains(scalar.value) }) {
      return UInt8(48 + scalar.value - zero)
    }
    switch scalar.value {
    case 0x66B: return UInt8(ascii: ".")
    case 0x66C: return UInt8(ascii: "'")
    default: return nil
    }
  }

  private static func lines(_ bytes: ContiguousArray<UInt8>, before end: Int) -> Int {
    var count = 0
    for index in 0..<end
    where bytes[index] == 10 || (bytes[index] == 13 && !(index + 1 < end && bytes[index + 1] == 10))
    {
      count += 1
    }
    return count
  }
}
