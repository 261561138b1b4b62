#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension RunOwner {
  /// How long a run whose process cannot be looked at is believed to go on.
  static let patience = Duration.days(1)

  /// This process, which tells whether another still lives by asking the kernel and not the clock: a step
  /// of the clock neither frees a task that is running nor keeps one that is not.
  ///
  /// On Linux a process is known by the boot, its process number and the tick it started at; a number that
  /// was given out again is another process. On Apple's systems the microsecond it began at takes the place of boot
  /// and tick. Where neither is told, the number alone is asked for, and a run older than a day is taken to be over; so
  /// is one of a process in another container, whose numbers mean nothing here.
  ///
  /// - Parameter root: the folder where `/proc` is looked for.
  public static func process(root: String = "/proc") -> RunOwner {
    let own = ProcessName.current(root: root)
    return RunOwner(token: own.text) { run, now in
      guard let other = ProcessName(run.owner) else { return false }
      if other == own { return true }
      switch other.isAlive(seenFrom: own, root: root) {
      case let alive?: return alive
      case nil:
        return run.began <= now && run.began.duration(to: now) < patience
      }
    }
  }
}

/// What tells one process from every other: written `boot/namespace/process/start`, `-` for what is not
/// known.
struct ProcessName: Hashable {
  let boot: String
  let namespace: String
  let process: Int32
  let start: String

  static func current(root: String) -> ProcessName {
    let process = getpid()
    return ProcessName(
      boot: read(root + "/sys/kernel/random/boot_id") ?? "-",
      namespace: namespace(root) ?? "-", process: process,
      start: startTick(of: process, root: root) ?? "-")
  }

  private init(boot: String, namespace: String, process: Int32, start: String) {
    self.boot = boot
    self.namespace = namespace
    self.process = process
    self.start = start
  }

  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, let process = Int32(parts[2]) else { return nil }
    self.init(boot: parts[0], namespace: parts[1], process: process, start: parts[3])
  }

  var text: String { "\(boot)/\(namespace)/\(process)/\(start)" }

  /// Whether the process lives; nil where that cannot be known from here.
  func isAlive(seenFrom own: ProcessName, root: String) -> Bool? {
    guard boot == own.boot else { return false }
    guard namespace == own.namespace else { return nil }
    guard start != "-" else {
      return kill(process, 0) == 0 || errno == EPERM ? nil : false
    }
    return Self.startTick(of: process, root: root) == start
  }

  /// Field 22 of `stat`, counted from behind the name in parentheses, which may hold anything.
  private static func startTick(of process: Int32, root: String) -> String? {
    #if canImport(Darwin)
      if let start = startOfProcess(process) { return start }
    #endif
    guard let stat = read(root + "/\(process)/stat"), let name = stat.lastIndex(of: ")") else {
      return nil
    }
    let fields = stat[stat.index(after: name)...].split(separator: " ")
    return fields.count > 19 ? String(fields[19]) : nil
  }

  private static func namespace(_ root: String) -> String? {
    do {
      return try FileManager.default.destinationOfSymbolicLink(atPath: root + "/self/ns/pid")
    } catch {
      return nil
    }
  }

  private static func read(_ path: String) -> String? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").first.map(String.init)
  }
}
