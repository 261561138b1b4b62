#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A file that a person names to be written: the one door for every export, report, unit and record.
///
/// It never takes the place of a log, of an input of the same command, or of anything that is not an earlier
/// output of its kind, unless `force` says so; a log and an input are safe from `force` too. Links are followed
/// first, and files are told apart by what they are, not by their names. The only file of this module with
/// unsafe code beside `DesktopNotifier`.
package struct OutputFile: Sendable {
  /// What is written, and how an earlier one is recognised.
  package struct Kind: Sendable {
    /// As it is called in a sentence, such as "a sync file".
    package let name: String
    let isRecognised: @Sendable (_ head: [UInt8]) -> Bool

    /// A kind whose files begin with these characters.
    package init(_ name: String, beginning: String) {
      self.name = name
      isRecognised = { $0.starts(with: beginning.utf8) }
    }

    /// A kind whose files hold this mark in their first 64 KiB.
    package init(_ name: String, mark: String) {
      self.name = name
      isRecognised = { String(decoding: $0, as: UTF8.self).contains(mark) }
    }

    /// A SQLite database that carries this mark of four letters as its application.
    package init(_ name: String, application: String) {
      self.name = name
      isRecognised = { Head.isDatabase($0, of: application) }
    }

    /// A kind of which only an equal file is an earlier one: an edited one is the person's own work.
    package init(_ name: String, equalTo bytes: [UInt8]) {
      self.name = name
      isRecognised = { $0.elementsEqual(bytes.prefix(OutputFile.headLength)) }
    }
  }

  /// Why a file is not written. What was there is as it was.
  package enum Refusal: Error, Hashable, Sendable {
    /// A log is there, or the path is one of the files that a log keeps beside it.
    case isLog(path: String)
    /// The file is read by the same command.
    case isInput(path: String)
    /// A file is there that is no earlier output of this kind.
    case isOther(path: String, kind: String)
    /// What is there is a folder, a device, or a link that leads nowhere.
    case isNoFile(path: String)
    /// The system refuses to write it; its error number.
    case cannotWrite(path: String, code: Int32)
  }

  /// As the person named it.
  package let path: String
  private let kind: Kind
  private let inputs: [String]
  private let forces: Bool

  /// How much of a file is looked at to recognise it.
  static let headLength = 1 << 16

  /// The file at `path`, checked now, before any work is done for it, and again when it is written.
  ///
  /// - Parameters:
  ///   - path: Where to write; links are followed.
  ///   - kind: What is written, by which an earlier output is recognised.
  ///   - inputs: what the same command reads; of a log, the path of its main file.
  ///   - forces: whether the person said that what is there may go.
  /// - Throws: ``Refusal``.
  package init(
    _ path: String, _ kind: Kind, inputs: [String], forces: Bool = false
  ) throws(Refusal) {
    self.path = path
    self.kind = kind
    self.inputs = inputs
    self.forces = forces
    _ = try target()
  }

  /// Makes `bytes` the content of the file, for its owner alone, or leaves what was there.
  ///
  /// They go to a new file in the same folder, down to the disk, which then takes its place: whoever reads
  /// the path at any moment, also after a loss of power, finds the old content or the new. Where the system can,
  /// the new file has no name until it is whole, so that a killed process leaves nothing of it.
  ///
  /// - Throws: ``Refusal``.
  package func write(_ bytes: [UInt8]) throws(Refusal) {
    let (path, isNew) = try target()
    let partial = try Partial(beside: path)
    defer { partial.end() }
    try partial.fill(bytes)
    try partial.settle()
    try isNew ? partial.appear(at: path) : partial.replace(path)
  }

  /// Does what ``write(_:)`` does with a file that `fill` writes by its path, where it is new and empty.
  ///
  /// A process that is killed meanwhile leaves a file named after it and `.partial`, and maybe SQLite's journal of
  /// that, which the next writing of the same file removes.
  ///
  /// - Throws: ``Refusal``, or what `fill` throws.
  package func write(filling fill: (_ path: String) async throws -> Void) async throws {
    let (path, isNew) = try target()
    let partial = try Partial(beside: path, isNamed: true)
    defer { partial.end() }
    do {
      try await fill(partial.path)
    } catch {
      partial.remove()
      throw error
    }
    try partial.settle()
    try isNew ? partial.appear(at: path) : partial.replace(path)
  }

  /// The path without links of the file that is or will be there, and whether there is none yet.
  private func target() throws(Refusal) -> (path: String, isNew: Bool) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw .cannotWrite(path: path, code: EINVAL)
    }
    for suffix in ["-wal", "-shm", "-journal"] where path.hasSuffix(suffix) {
      if Head(String(path.dropLast(suffix.count)))?.isDatabase == true {
        throw .isLog(path: path)
      }
    }
    guard let found = Status(path) else {
      let code = errno
      // A link that leads nowhere is there all the same.
      if Status(path, followsLink: false) != nil { throw .isNoFile(path: path) }
      guard code == ENOENT else { throw .cannotWrite(path: path, code: code) }
      return (path, true)
    }
    guard found.isRegular, let resolved = Self.resolved(path) else { throw .isNoFile(path: path) }
    for input in inputs where Status(input)?.identity == found.identity {
      throw Head(input)?.isLog == true ? .isLog(path: path) : .isInput(path: path)
    }
    // A file that may not be read is somebody's all the same.
    guard let head = Head(path) else {
      if forces { return (resolved, false) }
      throw .isOther(path: path, kind: kind.name)
    }
    // What a log was last given may stand beside it, and nothing in it yet.
    if head.isLog || (head.bytes.isEmpty && Status(path + "-wal") != nil) {
      throw .isLog(path: path)
    }
    // Nor does a backup say itself what it was given since, while it is open as a log.
    if head.isDatabase, Head(resolved + "-wal")?.bytes.isEmpty == false {
      throw .isLog(path: path)
    }
    guard forces || head.bytes.isEmpty || kind.isRecognised(head.bytes) else {
      throw .isOther(path: path, kind: kind.name)
    }
    return (resolved, false)
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}

extension OutputFile.Refusal: CustomStringConvertible {
  /// One sentence for the person: what is there, and what to do.
  package var description: String {
    switch self {
    case .isLog(let path):
      "\(path) is a log, which nothing is written over: give another path"
    case .isInput(let path):
      "\(path) is read by this command and would be written over: give another path"
    case .isOther(let path, let kind):
      "\(path) is there and is not \(kind) of an earlier run: give another path, or write over it with --force"
    case .isNoFile(let path):
      "\(path) cannot be written: it is no file, or a link that leads nowhere; give another path"
    case .cannotWrite(let path, let code):
      "\(path) cannot be written (\(Self.reason(code))): check that its folder exists, may be written and has room"
    }
  }

  private static func reason(_ code: Int32) -> String {
    switch code {
    case ENOENT, ENOTDIR: "its folder is not there"
    case EACCES, EPERM: "it may not be written by you"
    case EROFS: "its disk can only be read"
    case ENOSPC, EDQUOT: "there is no room left"
    case EMFILE, ENFILE: "too many files are open"
    case EEXIST: "another process has just made it"
    default: "system error \(code)"
    }
  }
}

/// What the system says of a path.
private struct Status {
  struct Identity: Hashable {
    let device: UInt64
    let number: UInt64
  }

  let identity: Identity
  let isRegular: Bool

  init?(_ path: String, followsLink: Bool = true) {
    var info = stat()
    let code = unsafe followsLink ? stat(path, &info) : lstat(path, &info)
    guard code == 0 else { return nil }
    identity = Identity(
      device: UInt64(truncatingIfNeeded: info.st_dev),
      number: UInt64(truncatingIfNeeded: info.st_ino))
    isRegular = info.st_mode & S_IFMT == S_IFREG
  }
}

extension OutputFile {
  /// Whether a path leads to a file, and not to a folder, a device or a pipe, whose reading may never end.
  package static func isFile(_ path: String) -> Bool { Status(path)?.isRegular == true }
}

/// The first bytes of a file.
private struct Head {
  let bytes: [UInt8]

  /// Nil where it is no file that may be read.
  init?(_ path: String) {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: OutputFile.headLength)
    var count = 0
    while count < buffer.count {
      let got = unsafe buffer[count...].withUnsafeMutableBytes {
        unsafe read(file, $0.baseAddress, $0.count)
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { return nil }
      if got == 0 { break }
      count += got
    }
    bytes = Array(buffer.prefix(count))
  }

  /// Whether it is a database of SQLite, whoever's.
  var isDatabase: Bool { Self.isDatabase(bytes) }

  /// Whether it is one of ours.
  var isLog: Bool { Self.isDatabase(bytes, of: "Drnl") }

  static func isDatabase(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: "SQLite format 3\0".utf8)
  }

  /// Whether bytes begin a database of an application: the format keeps its mark at byte 68.
  static func isDatabase(_ bytes: [UInt8], of application: String) -> Bool {
    isDatabase(bytes) && bytes.count >= 72 && bytes[68..<72].elementsEqual(application.utf8)
  }
}

/// A new file that is not at its place yet.
private struct Partial {
  private let number: Int32
  private let final: String
  /// The name that it has until then; nil while it has none.
  private let name: String?

  init(beside path: String, isNamed: Bool = false) throws(OutputFile.Refusal) {
    final = path
    Self.removeAbandoned(of: path)
    #if os(Linux)
      let nameless =
        unsafe isNamed
        ? -1
        : open(Self.folder(of: path), 0o20000000 | O_DIRECTORY | O_WRONLY | O_CLOEXEC, 0o600)
      if nameless >= 0 {
        (number, name) = (nameless, nil)
        return
      }
    #endif
    let name = Self.name(for: path)
    number = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw .cannotWrite(path: path, code: errno) }
    self.name = name
  }

  func fill(_ bytes: [UInt8]) throws(OutputFile.Refusal) {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes {
        unsafe write(number, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure() }
      sent += count
    }
  }

  /// Where a named one is.
  var path: String { name ?? final }

  /// Brings what was written down to the disk.
  func settle() throws(OutputFile.Refusal) {
    guard fsync(number) == 0 else { throw failure() }
  }

  /// Removes the file, and what SQLite keeps beside it; one without a name goes by itself.
  func remove() {
    guard let name else { return }
    _ = unsafe unlink(name)
    _ = unsafe unlink(name + "-journal")
  }

  /// Takes a place where nothing is, or fails where something has come meanwhile.
  func appear(at path: String) throws(OutputFile.Refusal) {
    if give(path) {
      remove()
      return
    }
    // Some file systems know no second names.
    guard errno == EPERM || errno == ENOTSUP || errno == EOPNOTSUPP, let name,
      unsafe rename(name, path) == 0
    else { throw failure() }
  }

  /// Takes the place of what is there.
  func replace(_ path: String) throws(OutputFile.Refusal) {
    let visible = name ?? Self.name(for: path)
    if name == nil, !give(visible) { throw failure() }
    guard unsafe rename(visible, path) == 0 else {
      let error = failure()
      _ = unsafe unlink(visible)
      throw error
    }
  }

  func end() { _ = close(number) }

  private func give(_ path: String) -> Bool {
    if let name { return unsafe link(name, path) == 0 }
    return unsafe linkat(AT_FDCWD, "/proc/self/fd/\(number)", AT_FDCWD, path, AT_SYMLINK_FOLLOW)
      == 0
  }

  /// The error of the last call; nothing of the new file stays.
  private func failure() -> OutputFile.Refusal {
    let code = errno
    remove()
    return .cannotWrite(path: final, code: code)
  }

  private static func name(for path: String) -> String { "\(path).\(getpid()).partial" }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Removes what processes that were killed left of earlier writings of the same file: it holds a person's data.
  private static func removeAbandoned(of path: String) {
    guard let folder = unsafe opendir(folder(of: path)) else { return }
    defer { unsafe closedir(folder) }
    let prefix = (path.split(separator: "/").last.map(String.init) ?? path) + "."
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      guard name.hasPrefix(prefix),
        let end = [".partial", ".partial-journal"].first(where: { name.hasSuffix($0) }),
        let process = pid_t(name.dropFirst(prefix.count).dropLast(end.count)), process > 0,
        process != getpid(), kill(process, 0) != 0, errno == ESRCH
      else { continue }
      _ = unsafe unlink(Self.folder(of: path) + "/" + name)
    }
  }
}
