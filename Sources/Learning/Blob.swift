/// Why a blob was refused. The reader holds nothing of it then.
public enum BlobError: Error, Equatable, Sendable {
  /// It does not begin as a blob of the kind that was asked for.
  case notOfThisKind(expected: String)
  /// It was written by a newer version than this one can read.
  case newerVersion(found: Int, supported: Int)
  /// It ends before what it says it holds.
  case truncated(expected: Int, actual: Int)
  /// Its checksum does not match: something in it was altered.
  case altered
  /// It is whole, but what it holds does not fit together; the text says where.
  case malformed(String)
}

/// Writes values to a binary blob with kind, version, length and checksum.
///
/// Little-endian: four ASCII letters for the kind, a UInt32 version, a UInt64 payload length, the
/// payload, and the CRC-64/XZ of all before it. It holds what is written and nothing else, so equal
/// values give equal bytes.
package struct BlobWriter {
  private var bytes: [UInt8]
  private static let lengthAt = 8
  static let headerLength = 16

  /// A blob of this kind, four ASCII letters.
  package init(kind: String, version: Int) {
    precondition(kind.utf8.count == 4 && version > 0)
    bytes = Array(kind.utf8)
    append(UInt64(version), byteCount: 4)
    append(0, byteCount: 8)
  }

  package mutating func write(_ value: Int) {
    append(UInt64(bitPattern: Int64(value)), byteCount: 8)
  }
  package mutating func write(_ value: Double) { append(value.bitPattern, byteCount: 8) }
  package mutating func write(_ value: Bool) { bytes.append(value ? 1 : 0) }
  package mutating func write(_ value: UInt8) { bytes.append(value) }

  package mutating func write(_ text: String) { write(Array(text.utf8)) }

  package mutating func write(_ values: [UInt8]) {
    write(values.count)
    bytes.append(contentsOf: values)
  }

  package mutating func write(_ values: ContiguousArray<Double>) {
    write(values.count)
    bytes.reserveCapacity(bytes.count + 8 * values.count)
    for value in values { write(value) }
  }

  package mutating func write(_ values: [Int]) {
    write(values.count)
    for value in values { write(value) }
  }

  /// The blob with its length and checksum.
  package consuming func finish() -> [UInt8] {
    let length = UInt64(bytes.count - Self.headerLength)
    for i in 0..<8 { bytes[Self.lengthAt + i] = UInt8(truncatingIfNeeded: length >> (8 * i)) }
    append(CRC64.checksum(bytes[...]), byteCount: 8)
    return bytes
  }

  private mutating func append(_ value: UInt64, byteCount: Int) {
    for i in 0..<byteCount { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * i))) }
  }
}

/// Reads a blob that ``BlobWriter`` wrote, in the order it was written.
///
/// Kind, version, length and checksum are checked before the first value is read. A count is checked
/// against what is left before memory is taken for it.
package struct BlobReader {
  /// The version that wrote the blob.
  package let version: Int
  private let bytes: [UInt8]
  private var position = BlobWriter.headerLength
  private let end: Int

  /// Opens a blob of this kind, written by `supported` or an earlier version.
  package init(_ bytes: [UInt8], kind: String, supported: Int) throws(BlobError) {
    let start = Array(kind.utf8)
    guard bytes.prefix(4).elementsEqual(start.prefix(bytes.count)) else {
      throw .notOfThisKind(expected: kind)
    }
    let frame = BlobWriter.headerLength + 8
    guard bytes.count >= frame else { throw .truncated(expected: frame, actual: bytes.count) }
    version = Int(Self.integer(bytes, at: 4, byteCount: 4))
    guard version <= supported else {
      throw .newerVersion(found: version, supported: supported)
    }
    let length = Self.integer(bytes, at: 8, byteCount: 8)
    let actual = bytes.count - frame
    guard length <= UInt64(actual) else {
      let expected = Int(min(length, UInt64(Int.max - frame))) + frame
      throw .truncated(expected: expected, actual: bytes.count)
    }
    end = bytes.count - 8
    guard length == UInt64(actual), version > 0,
      CRC64.checksum(bytes[..<end]) == Self.integer(bytes, at: end, byteCount: 8)
    else { throw .altered }
    self.bytes = bytes
  }

  package mutating func readInt() throws(BlobError) -> Int {
    Int(Int64(bitPattern: try readWord()))
  }

  /// An integer from 0 up, such as a count.
  package mutating func readCount(_ what: String) throws(BlobError) -> Int {
    let count = try readInt()
    guard count >= 0 else { throw .malformed(what) }
    return count
  }

  package mutating func readDouble() throws(BlobError) -> Double {
    Double(bitPattern: try readWord())
  }

  package mutating func readByte() throws(BlobError) -> UInt8 {
    guard position < end else { throw .malformed("a byte beyond the end") }
    defer { position += 1 }
    return bytes[position]
  }

  package mutating func readBool() throws(BlobError) -> Bool {
    let byte = try readByte()
    guard byte <= 1 else { throw .malformed("a truth value") }
    return byte == 1
  }

  package mutating func readBytes() throws(BlobError) -> [UInt8] {
    let count = try readLength(itemLength: 1)
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  package mutating func readString() throws(BlobError) -> String {
    guard let text = String(validating: try readBytes(), as: UTF8.self) else {
      throw .malformed("a text that is not UTF-8")
    }
    return text
  }

  /// Numbers, `count` of them where that is known.
  package mutating func readDoubles(count: Int? = nil) throws(BlobError) -> ContiguousArray<Double>
  {
    let found = try readLength(itemLength: 8)
    guard found == count ?? found else { throw .malformed("a list of another length") }
    var values = ContiguousArray<Double>()
    values.reserveCapacity(found)
    for _ in 0..<found { values.append(try readDouble()) }
    return values
  }

  package mutating func readInts() throws(BlobError) -> [Int] {
    let found = try readLength(itemLength: 8)
    var values: [Int] = []
    values.reserveCapacity(found)
    for _ in 0..<found { values.append(try readInt()) }
    return values
  }

  /// That everything has been read.
  package consuming func finish() throws(BlobError) {
    guard position == end else { throw .malformed("more than it should hold") }
  }

  private mutating func readLength(itemLength: Int) throws(BlobError) -> Int {
    let count = try readInt()
    guard count >= 0, count <= (end - position) / itemLength else {
      throw .malformed("a list beyond the end")
    }
    return count
  }

  private mutating func readWord() throws(BlobError) -> UInt64 {
    guard position + 8 <= end else { throw .malformed("a number beyond the end") }
    defer { position += 8 }
    return Self.integer(bytes, at: position, byteCount: 8)
  }

  private static func integer(_ bytes: [UInt8], at: Int, byteCount: Int) -> UInt64 {
    var value: UInt64 = 0
    for i in 0..<byteCount { value |= UInt64(bytes[at + i]) << (8 * i) }
    return value
  }
}

/// CRC-64/XZ: polynomial 0x42F0E1EBA9EA3693, reflected; finds any change within 64 bits in a row.
package enum CRC64 {
  package static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    let table = Self.table
    var crc = UInt64.max
    for byte in bytes { crc = table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ (crc >> 8) }
    return ~crc
  }

  private static let table: ContiguousArray<UInt64> = ContiguousArray(
    (0..<256).map { index in
      var value = UInt64(index)
      for _ in 0..<8 { value = value & 1 == 1 ? (value >> 1) ^ 0xC96C_5795_D787_0F42 : value >> 1 }
      return value
    })
}
