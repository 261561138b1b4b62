/// The bytes of one file, of one archive member after the other, or of memory, from front to back.
///
/// It holds the first 64 KiB until they are read, so that a reader can be chosen by content, hashes
/// what passes and tells the person how far it is.
struct ByteStream {
  /// What errors call the bytes: the file's name, inside an archive `archive.zip/member`.
  private(set) var name: String
  /// Where they stand: folders and the file's name, which may say what is in it.
  private(set) var path: String
  private let origin: Origin
  private let archiveName: String
  private let progress: @Sendable (Int, Int?) -> Bool
  /// Bytes in all, where known.
  private var total: Int?
  private var hasher: ContentHasher?
  /// The bytes looked at and not yet read.
  private var head = ContiguousArray<UInt8>()
  private var done = 0
  private var told = 0

  private enum Origin {
    case file(OpenFile)
    case archive(OpenArchive)
    case memory(Memory)
  }

  /// Bytes that are there already.
  private final class Memory {
    let bytes: ContiguousArray<UInt8>
    var at = 0
    init(_ bytes: ContiguousArray<UInt8>) { self.bytes = bytes }
  }

  static let headByteCount = 1 << 16
  /// How many bytes pass between two reports of progress.
  private static let progressStep = 1 << 22

  /// The bytes of a file.
  init(
    path: String, name: String, progress: @escaping @Sendable (Int, Int?) -> Bool,
    isHashed: Bool = true
  ) throws(ImportError) {
    self.path = path
    let file = try OpenFile(path: path, name: name)
    total = file.byteCount
    origin = .file(file)
    self.name = name
    archiveName = name
    self.progress = progress
    if isHashed { hasher = ContentHasher() }
    try look()
  }

  /// The members of an archive of this length: nothing is read before ``nextMember()``.
  init(
    archive path: String, name: String, byteCount: Int, isZip: Bool,
    progress: @escaping @Sendable (Int, Int?) -> Bool
  ) throws(ImportError) {
    self.path = path
    origin = .archive(
      try OpenArchive(path: path, name: name, byteCount: byteCount, isZip: isZip))
    self.name = name
    archiveName = name
    self.progress = progress
  }

  /// Bytes in memory.
  init(
    memory bytes: ContiguousArray<UInt8>, name: String,
    progress: @escaping @Sendable (Int, Int?) -> Bool
  ) throws(ImportError) {
    path = name
    total = bytes.count
    origin = .memory(Memory(bytes))
    self.name = name
    archiveName = name
    self.progress = progress
    hasher = ContentHasher()
    try look()
  }

  /// Goes to the next file of the archive; false after the last.
  mutating func nextMember() throws(ImportError) -> Bool {
    guard case .archive(let archive) = origin else {
      preconditionFailure("only archives have members")
    }
    while let member = try archive.next() {
      guard member.isRegularFile else { continue }
      name = member.isOnly ? archiveName : "\(archiveName)/\(member.path)"
      path = name
      total = member.byteCount
      done = 0
      told = 0
      head.removeAll(keepingCapacity: true)
      try look()
      return true
    }
    return false
  }

  /// How many bytes there are in all, where that is known.
  var byteCount: Int? { total }

  /// The first bytes, at most 64 KiB, whether or not they were read since.
  private(set) var beginning = FileHead(bytes: [], name: "")

  /// Reads on into `buffer[from...]`; the number of bytes read, 0 at the end.
  mutating func read(
    into buffer: inout ContiguousArray<UInt8>, from: Int
  ) throws(ImportError) -> Int {
    let count: Int
    if head.isEmpty {
      count = try readOrigin(into: &buffer, from: from)
    } else {
      count = min(head.count, buffer.count - from)
      for index in 0..<count { buffer[from + index] = head[index] }
      head.removeFirst(count)
    }
    hasher?.add(buffer.span.extracting(from..<(from + count)))
    done += count
    if done - told >= Self.progressStep || count == 0 {
      told = done
      guard progress(done, total) else { throw ImportError(file: name, .cancelled) }
    }
    return count
  }

  /// All bytes that are left, where they are at most `limit`.
  mutating func readAll(limit: Int) throws(ImportError) -> ContiguousArray<UInt8> {
    // A length that an archive claims is not believed until the bytes have come.
    let expected = min(total ?? 0, Self.progressStep) + 1
    var buffer = ContiguousArray<UInt8>(repeating: 0, count: min(limit, expected))
    var filled = 0
    while true {
      if filled == buffer.count {
        guard filled < limit else {
          throw ImportError(file: name, .fileTooLarge(limit: limit))
        }
        let more = min(filled, limit - filled)
        buffer.append(contentsOf: repeatElement(0, count: more))
      }
      let count = try read(into: &buffer, from: filled)
      if count == 0 { break }
      filled += count
    }
    buffer.removeLast(buffer.count - filled)
    return buffer
  }

  /// The hash of everything read; nil for an archive, whose packed bytes do not pass here.
  ///
  /// What no reader asked for is read to the end first.
  mutating func finishHash() throws(ImportError) -> ContentHash? {
    guard hasher != nil else { return nil }
    var rest = ContiguousArray<UInt8>(repeating: 0, count: Self.headByteCount)
    while try read(into: &rest, from: 0) > 0 {}
    return hasher?.finish()
  }

  private mutating func look() throws(ImportError) {
    var bytes = ContiguousArray<UInt8>(repeating: 0, count: Self.headByteCount)
    var filled = 0
    while filled < bytes.count {
      let count = try readOrigin(into: &bytes, from: filled)
      if count == 0 { break }
      filled += count
    }
    bytes.removeLast(bytes.count - filled)
    head = bytes
    beginning = FileHead(bytes: head, name: name)
  }

  private func readOrigin(
    into buffer: inout ContiguousArray<UInt8>, from: Int
  ) throws(ImportError) -> Int {
    switch origin {
    case .file(let file): return try file.read(into: &buffer, from: from, name: name)
    case .archive(let archive): return try archive.read(into: &buffer, from: from)
    case .memory(let memory):
      let count = min(memory.bytes.count - memory.at, buffer.count - from)
      for index in 0..<count { buffer[from + index] = memory.bytes[memory.at + index] }
      memory.at += count
      return count
    }
  }
}
