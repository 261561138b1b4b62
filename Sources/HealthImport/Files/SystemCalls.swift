#if os(Linux) || os(macOS)
  internal import CArchive
#endif
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

// The unsafe code of this room but for SQLite's: files, archives, and the few loads and searches that a byte
// scanner lives by. Every function checks its bounds before it lets go of them.

/// A file open for reading, closed when the object goes.
package final class OpenFile {
  private let descriptor: Int32
  /// Its length in bytes, or nil for what has none, such as a pipe.
  package let byteCount: Int?

  package init(path: String, name: String) throws(ImportError) {
    // Without O_NONBLOCK, to open a pipe that nobody writes to would wait for ever.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw ImportError(file: name, .unreadable(errno: errno)) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw ImportError(file: name, .unreadable(errno: code))
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      close(descriptor)
      throw ImportError(file: name, .unreadable(errno: EISDIR))
    }
    if status.st_mode & S_IFMT != S_IFREG {
      // What the person pipes in is waited for; a pipe or device that lies among files is none of theirs.
      guard path.hasPrefix("/dev/") else {
        close(descriptor)
        throw ImportError(
          file: name, .unsupported("a pipe or device", needed: "write its content to a file first"))
      }
      _ = fcntl(descriptor, F_SETFL, O_RDONLY)
    }
    self.descriptor = descriptor
    byteCount = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  deinit { close(descriptor) }

  /// Reads into `buffer[from...]`; the number of bytes read, 0 at the end.
  package func read(
    into buffer: inout ContiguousArray<UInt8>, from: Int, name: String
  ) throws(ImportError) -> Int {
    precondition((0...buffer.count).contains(from), "the place to read to is in the buffer")
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe receive(
          descriptor, bytes.baseAddress.map { unsafe $0 + from }, bytes.count - from)
      }
      if count >= 0 { return count }
      let code = errno
      if code != EINTR { throw ImportError(file: name, .unreadable(errno: code)) }
    }
  }
}

/// The system's `read`, which a method of that name hides.
@unsafe private func receive(_ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int
{
  unsafe read(file, bytes, count)
}

#if os(Linux) || os(macOS)
  /// An archive read member by member, without ever holding one whole: a zip, a tar, gzipped or not, or one gzipped file.
  ///
  /// Where members of a zip lie and how long they are comes from the directory at its end, as writers that do not
  /// know sizes beforehand put them only there; members that are passed over are not unpacked.
  @safe
  final class OpenArchive {
    private let archive: OpaquePointer
    private let name: String
    private var memberCount = 0
    /// Bytes that may still be unpacked.
    private var allowance: Int

    /// What an archive may unpack to: so many times its own size and 64 MiB. Exports reach 40 times; the
    /// format itself goes to 1032, and to any number where members share their packed bytes.
    static let ratioLimit = 250
    private static let floor = 1 << 26
    static let memberLimit = 200_000
    private static let pathLimit = 300

    /// Opens a zip, stored or deflated, with or without zip64, or else a tar or a gzipped file.
    ///
    /// - Parameter byteCount: how long it is, which bounds what it may unpack to.
    init(path: String, name: String, byteCount: Int, isZip: Bool) throws(ImportError) {
      guard let archive = unsafe archive_read_new() else {
        throw ImportError(file: name, .unreadable(errno: ENOMEM))
      }
      unsafe self.archive = archive
      self.name = name
      allowance = Self.floor + Self.ratioLimit * min(byteCount, 1 << 48)
      if isZip {
        _ = unsafe archive_read_support_format_zip_seekable(archive)
      } else {
        _ = unsafe archive_read_support_filter_gzip(archive)
        _ = unsafe archive_read_support_format_tar(archive)
        _ = unsafe archive_read_support_format_raw(archive)
      }
      guard unsafe archive_read_open_filename(archive, path, 1 << 16) == ARCHIVE_OK else {
        throw unsafe Self.fault(archive, name)
      }
    }

    deinit { _ = unsafe archive_read_free(archive) }

    /// A file in the archive.
    struct Member {
      let path: String
      /// Its unpacked length, where the archive says so.
      let byteCount: Int?
      let isRegularFile: Bool
      /// Whether it is the one file that was gzipped, which has no name of its own.
      let isOnly: Bool
    }

    /// Goes to the next member; nil after the last.
    func next() throws(ImportError) -> Member? {
      var entry: OpaquePointer?
      let code = unsafe archive_read_next_header(archive, &entry)
      if code == ARCHIVE_EOF { return nil }
      guard code >= ARCHIVE_WARN, let entry = unsafe entry else {
        throw unsafe Self.fault(archive, name)
      }
      memberCount += 1
      guard memberCount <= Self.memberLimit else {
        throw ImportError(
          file: name, .damagedArchive("it holds more than \(Self.memberLimit) files"))
      }
      let path = unsafe archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry)
      let size = unsafe archive_entry_size_is_set(entry) != 0 ? archive_entry_size(entry) : -1
      let isRegularFile = unsafe archive_entry_filetype(entry) & S_IFMT == S_IFREG
      let member = Member(
        path: unsafe path.map { Self.shown(unsafe String(cString: $0)) } ?? "?",
        // Whatever is claimed beyond that is a lie.
        byteCount: (0...1 << 48).contains(size) ? Int(size) : nil, isRegularFile: isRegularFile,
        isOnly: unsafe archive_format(archive) == ARCHIVE_FORMAT_RAW)
      if isRegularFile, unsafe archive_entry_is_encrypted(entry) != 0 {
        throw ImportError(
          file: "\(name)/\(member.path)",
          .unsupported("encrypted", needed: "unpack it with its password and import what is inside")
        )
      }
      return member
    }

    /// Reads from the current member into `buffer[from...]`; the number of bytes read, 0 at its end.
    func read(
      into buffer: inout ContiguousArray<UInt8>, from: Int
    ) throws(ImportError) -> Int {
      precondition((0...buffer.count).contains(from), "the place to read to is in the buffer")
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe archive_read_data(
          archive, bytes.baseAddress.map { unsafe $0 + from }, bytes.count - from)
      }
      guard count >= 0 else { throw unsafe Self.fault(archive, name) }
      allowance -= count
      guard allowance >= 0 else {
        throw ImportError(
          file: name,
          .damagedArchive("it unpacks to more than \(Self.ratioLimit) times its size"))
      }
      return count
    }

    private static func fault(_ archive: OpaquePointer, _ name: String) -> ImportError {
      let words = unsafe archive_error_string(archive).map { unsafe String(cString: $0) }
      // It begins as a zip, so what the library does not recognise is its end.
      let reason = words == "Unrecognized archive format" ? "it ends without a directory" : words
      return ImportError(file: name, .damagedArchive(reason ?? "no reason given"))
    }

    /// A path as it can be shown: bounded, and without what would steer a terminal.
    private static func shown(_ path: String) -> String {
      var text = ""
      for scalar in path.unicodeScalars.prefix(pathLimit) {
        let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
        text.unicodeScalars.append(isControl ? "?" : scalar)
      }
      return text
    }
  }
#else
  /// A phone's system has no libarchive: an archive is refused, and what it holds can be unpacked and read.
  final class OpenArchive {
    struct Member {
      let path: String
      let byteCount: Int?
      let isRegularFile: Bool
      let isOnly: Bool
    }

    init(path: String, name: String, byteCount: Int, isZip: Bool) throws(ImportError) {
      throw ImportError(
        file: name,
        .unsupported(
          "an archive, which this system cannot open", needed: "unpack it and import the files"))
    }

    func next() throws(ImportError) -> Member? { nil }

    func read(
      into buffer: inout ContiguousArray<UInt8>, from: Int
    ) throws(ImportError) -> Int { 0 }
  }
#endif

extension Span<UInt8> {
  /// The eight bytes from `index` on as a little-endian word.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    precondition(index >= 0 && index &+ 8 <= count, "eight bytes are there")
    return UInt64(
      littleEndian: unsafe withUnsafeBytes {
        unsafe $0.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      })
  }

  /// The first place of `byte` at or after `start`, or nil.
  @inline(__always)
  func index(of byte: UInt8, from start: Int) -> Int? {
    guard start < count else { return nil }
    precondition(start >= 0, "the start is in the span")
    return unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress,
        let found = unsafe memchr(base + start, Int32(byte), bytes.count - start)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }

  /// The first double quote at or after `start`, or nil: most values in an export are short, so the first
  /// sixteen bytes are looked at here.
  @inline(__always)
  func firstQuote(from start: Int) -> Int? {
    if start &+ 16 <= count {
      let pattern: UInt64 = 0x2222_2222_2222_2222
      let first = Self.zeroBytes(word(at: start) ^ pattern)
      if first != 0 { return start &+ first.trailingZeroBitCount >> 3 }
      let second = Self.zeroBytes(word(at: start &+ 8) ^ pattern)
      if second != 0 { return start &+ 8 &+ second.trailingZeroBitCount >> 3 }
      return index(of: UInt8(ascii: "\""), from: start &+ 16)
    }
    return index(of: UInt8(ascii: "\""), from: start)
  }

  /// Whether the bytes from `start` on are those of `text`, which is ASCII.
  @inline(__always)
  func matches(_ text: StaticString, at start: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard start >= 0, start &+ length <= count else { return false }
    return unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return length == 0 }
      return unsafe memcmp(base + start, text.utf8Start, length) == 0
    }
  }

  /// How many line feeds there are, and how many bytes that are not UTF-8 or that XML forbids.
  func textCensus() -> (lineFeeds: Int, damaged: Int) {
    var lineFeeds = 0
    var damaged = 0
    var at = 0
    while at < count {
      // 64 bytes of which none is a control character or beyond ASCII hold nothing to count.
      if at &+ 64 <= count, isPlainBlock(at) {
        at &+= 64
        continue
      }
      let end = Swift.min(at &+ 64, count)
      while at < end { at &+= take(at, &lineFeeds, &damaged) }
    }
    return (lineFeeds, damaged)
  }

  /// Whether all of the 64 bytes from `start` on are 0x20 to 0x7F.
  @inline(__always)
  private func isPlainBlock(_ start: Int) -> Bool {
    precondition(start >= 0 && start &+ 64 <= count, "64 bytes are there")
    return unsafe withUnsafeBytes { bytes in
      var marks: UInt64 = 0
      for index in 0..<8 {
        let word = unsafe bytes.loadUnaligned(
          fromByteOffset: start &+ 8 &* index, as: UInt64.self)
        // A byte below 0x20 borrows into its high bit, and one beyond ASCII has it.
        marks |= (word &- 0x2020_2020_2020_2020) | word
      }
      return marks & Self.highBits == 0
    }
  }

  /// Counts in a word of plain characters and line ends, or in one character; how many bytes that were.
  @inline(__always)
  private func take(_ at: Int, _ lineFeeds: inout Int, _ damaged: inout Int) -> Int {
    if at &+ 8 <= count {
      let word = word(at: at)
      if word & Self.highBits == 0 {
        let feeds = Self.zeroBytes(word ^ 0x0A0A_0A0A_0A0A_0A0A)
        let spaces =
          feeds | Self.zeroBytes(word ^ 0x0909_0909_0909_0909)
          | Self.zeroBytes(word ^ 0x0D0D_0D0D_0D0D_0D0D)
        if Self.zeroBytes(word & 0xE0E0_E0E0_E0E0_E0E0) == spaces {
          lineFeeds &+= feeds.nonzeroBitCount
          return 8
        }
      }
    }
    if self[at] == 10 { lineFeeds &+= 1 }
    return damage(at, &damaged)
  }

  private static var highBits: UInt64 { 0x8080_8080_8080_8080 }

  /// The high bit of each byte that is zero.
  @inline(__always)
  private static func zeroBytes(_ word: UInt64) -> UInt64 {
    ~(((word & ~highBits) &+ ~highBits) | word | ~highBits)
  }

  /// The length of the character at `at`; one byte of damage where there is none.
  private func damage(_ at: Int, _ damaged: inout Int) -> Int {
    let byte = self[at]
    if byte < 0x20 {
      if byte != 9, byte != 10, byte != 13 { damaged &+= 1 }
      return 1
    }
    let length = UTF8Check.sequence(self, at)
    if length == 0 { damaged &+= 1 }
    return Swift.max(1, length)
  }

  /// Whether two spans hold the same bytes.
  @inline(__always)
  func equals(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard count > 0 else { return true }
    return unsafe withUnsafeBytes { left in
      unsafe other.withUnsafeBytes { right in
        guard let a = left.baseAddress, let b = right.baseAddress else { return true }
        return unsafe memcmp(a, b, left.count) == 0
      }
    }
  }
}

extension ContiguousArray<UInt8> {
  /// Moves a range of bytes to the front; what was there is gone.
  mutating func moveToFront(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "the range is in the array")
    guard range.lowerBound > 0, !range.isEmpty else { return }
    unsafe withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      _ = unsafe memmove(base, base + range.lowerBound, range.count)
    }
  }
}
