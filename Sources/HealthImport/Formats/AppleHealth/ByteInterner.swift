/// Small numbers for byte strings that come again and again, such as the names of sources.
///
/// The string that came last is known by one comparison, any other by a hash. Of long strings the
/// beginning counts, so that memory is bounded.
struct ByteInterner {
  /// How many different strings there may be: beyond it they share the number `limit`.
  private let limit: Int
  private var strings: [ContiguousArray<UInt8>] = []
  private var ids: [UInt64: [Int]] = [:]
  private var last = -1
  private var lastBytes: ContiguousArray<UInt8> = []

  private static let lengthLimit = 512

  init(limit: Int) { self.limit = limit }

  var count: Int { strings.count }

  /// The bytes with this number.
  subscript(id: Int) -> ContiguousArray<UInt8> { strings[id] }

  /// The number of these bytes, from 0 on in order of first appearance.
  @inline(__always)
  mutating func id(_ bytes: Span<UInt8>) -> Int {
    if last >= 0, lastBytes.span.equals(bytes) { return last }
    return find(bytes.extracting(0..<min(bytes.count, Self.lengthLimit)))
  }

  private mutating func find(_ bytes: Span<UInt8>) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3 }
    for id in ids[hash] ?? [] {
      let candidate = strings[id]
      guard candidate.span.equals(bytes) else { continue }
      last = id
      lastBytes = candidate
      return id
    }
    guard strings.count < limit else { return limit }
    var copy = ContiguousArray<UInt8>()
    copy.reserveCapacity(bytes.count)
    for index in bytes.indices { copy.append(bytes[index]) }
    strings.append(copy)
    last = strings.count - 1
    lastBytes = copy
    ids[hash, default: []].append(last)
    return last
  }
}
