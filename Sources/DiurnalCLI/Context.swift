internal import DayLog
internal import Diurnal
internal import Scheduling
internal import Storage
import Time

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What surrounds a command: which log, which moment, which zone, and for whom the output is.
struct Context: Sendable {
  let storePath: String
  let now: Instant
  /// Whether that moment was given with --now, rather than read off the clock.
  private let isNowGiven: Bool
  let zone: Zone
  /// The zone and, where nobody chose one, how to.
  let zoneWords: String
  /// Whether output is JSON rather than text for people.
  let isJSON: Bool
  /// Whether the log was named on this command line, so that a slip of the hand may have named another.
  private let isStoreNamed: Bool

  /// Reads the options of every command; the clock is read once, so date and time agree.
  init(_ arguments: ParsedArguments) throws {
    let environment = ProcessInfo.processInfo.environment
    storePath = try Self.storePath(arguments.text("--store"), environment)
    isStoreNamed = arguments.has("--store")
    isJSON = arguments.has("--json")
    zone =
      try arguments.text("--zone").map { try SystemZones.zone(named: $0) }
      ?? SystemZones.current(environment: environment)
    let isZoneChosen =
      arguments.text("--zone") != nil || SystemZones.isChosen(environment: environment)
    zoneWords =
      isZoneChosen
      ? zone.name : "UTC, as neither TZ nor /etc/localtime names one: set TZ or give --zone"
    isNowGiven = arguments.has("--now")
    if let text = arguments.text("--now") {
      guard let timestamp = Timestamp(text) else {
        throw Failure(
          .usage, "--now takes an instant such as 2026-01-05T08:00:00+01:00, not “\(text)”")
      }
      now = timestamp.instant
    } else {
      now = Instant(milliseconds: Int64((Date.now.timeIntervalSince1970 * 1000).rounded(.down)))
    }
  }

  private static func storePath(
    _ option: String?, _ environment: [String: String]
  ) throws(Failure) -> String {
    func set(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let path = option ?? set("DIURNAL_STORE") {
      guard !path.isEmpty else { throw Failure(.usage, "--store takes the path of a file") }
      // SQLite takes such a name for a store that is gone with the process.
      return path.hasPrefix(":") ? "./" + path : path
    }
    if let folder = set("XDG_DATA_HOME") { return folder + "/diurnal/log.sqlite" }
    guard let home = set("HOME") else {
      throw Failure(
        .usage, "no place for the log: give --store FILE, or set DIURNAL_STORE or HOME")
    }
    return home + "/.local/share/diurnal/log.sqlite"
  }

  /// What a command may do where there is no log.
  enum Creation {
    /// Nothing: it has no use without one.
    case never
    /// Begin one, unless a path was given that may be mistyped.
    case unlessNamed
    /// Begin one.
    case always
  }

  /// The journal on the log of this command; the log and its folder are made where there are none and the command
  /// may begin one.
  func journal(
    _ access: LogStore.Access = .readWrite, creates: Creation = .never
  ) throws -> Journal {
    let mayCreate =
      switch creates {
      case .never: false
      case .unlessNamed: !isStoreNamed
      case .always: true
      }
    guard mayCreate || FileManager.default.fileExists(atPath: storePath) else {
      throw StorageError.missing(path: storePath)
    }
    if access == .readWrite, mayCreate, let slash = storePath.lastIndex(of: "/") {
      let folder = String(storePath[..<slash])
      if !folder.isEmpty {
        do {
          try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        } catch {
          throw Failure(
            .inputOutput, "cannot make the folder \(folder): check that it may be written")
        }
      }
    }
    return try Journal(path: storePath, access: access)
  }

  /// The calendar day of now, by the zone and the person's day start.
  func today(_ journal: Journal) async throws -> CalendarDay {
    zone.day(of: now, dayStart: try await journal.store.value(of: .dayStart))
  }

  /// A path that means the same wherever it is read again, as by a timer.
  static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  /// The folder in which the system tells of its power supplies.
  static var powerRoot: String {
    ProcessInfo.processInfo.environment["DIURNAL_POWER_SUPPLY"] ?? "/sys/class/power_supply"
  }

  /// The folder below which the system tells of its network.
  static var networkRoot: String { ProcessInfo.processInfo.environment["DIURNAL_NETWORK"] ?? "/" }

  /// How the clock of the loop goes where --now gives the moment.
  enum GivenClock {
    /// It stands still, so that what one command asks for is due in the next one of the same moment.
    case stands
    /// It goes on from there, for a command that waits for what is due later.
    case goesOn
  }

  /// The machine that the background loop runs on: with its own clock, which may be put right while the loop
  /// runs, unless --now gives another.
  func host(_ outbox: Outbox? = nil, _ clock: GivenClock = .stands) -> LoopHost {
    LoopHost(
      time: time(clock), zone: zone,
      isOnExternalPower: { PowerSupply.read(root: Self.powerRoot).isExternal },
      hasNetwork: { NetworkLink.read(root: Self.networkRoot).isThere },
      deliver: { await outbox?.deliver($0) ?? .none })
  }

  private func time(_ clock: GivenClock) -> TimeSource {
    guard isNowGiven else { return .system }
    let given = now
    switch clock {
    case .stands: return TimeSource(now: { given })
    case .goesOn:
      let start = ContinuousClock.now
      return TimeSource(now: { given.advanced(by: start.duration(to: .now)) })
    }
  }

  /// The background loop of a journal, activated: every task is registered and its request submitted.
  func loop(
    _ journal: Journal, _ outbox: Outbox? = nil, _ clock: GivenClock = .stands
  ) async throws -> JournalLoop {
    try JournalLoop(
      journal, on: host(outbox, clock), intervals: try await journal.loopIntervals())
  }

  /// Submits the tasks that do not wait; a command that has done its work has not failed where that fails.
  func launch() async {
    do {
      let journal = try journal()
      try await finishPendingWork(of: journal)
      let refused = try await loop(journal).active.activated()
      await journal.store.close()
      for (task, error) in refused.sorted(by: { $0.key < $1.key }) {
        Terminal.remark("note: \(task) could not be submitted: \(error)")
      }
    } catch {
      Terminal.remark(
        "note: the background tasks could not be submitted: \(Failure(error).message)")
    }
  }

  /// Does what an earlier command was kept from: a killed process, or a reader that stood in its way. Where there
  /// is no log, or it cannot be written to, there is nothing to be done here.
  func finishPendingWork() async {
    do {
      let reader = try journal(.read)
      let isPending = try await !reader.store.pendingWork().isEmpty
      await reader.store.close()
      guard isPending else { return }
      let journal = try journal()
      try await finishPendingWork(of: journal)
      await journal.store.close()
    } catch StorageError.missing, StorageError.readOnly, StorageError.cannotOpen {
    } catch {
      // The command itself tells of what it cannot do; what is pending stays so.
      Terminal.remark("note: not finished yet: \(Failure(error).message)")
    }
  }

  private func finishPendingWork(of journal: Journal) async throws {
    guard try await !journal.store.pendingWork().isEmpty else { return }
    let finished = try await PendingOutput(
      finishing: journal, today: try await today(journal), now: now)
    let text = finished.text.split(separator: "\n").joined(separator: "; ")
    if !text.isEmpty { Terminal.remark("note: finished what was left to be done: \(text)") }
    finished.remark(self)
  }

  /// Where the tasks of a journal stand, with nothing changed.
  func inspect(
    _ journal: Journal
  ) async throws -> PlanReport {
    try await JournalLoop.inspect(
      journal, on: host(), intervals: try await journal.loopIntervals())
  }

  /// A moment of the loop in this context's zone.
  func write(_ moment: Instant) -> String {
    let instant = Instant(seconds: moment.seconds)
    return Timestamp(instant: instant, utcOffset: zone.utcOffset(at: instant)).description
  }
}
