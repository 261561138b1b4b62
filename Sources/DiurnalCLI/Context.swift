internal import DayLog
internal import Diurnal

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What surrounds a command: which log, which moment, which zone, and for whom the output is.
struct Context: Sendable {
  let storePath: String
  let now: Instant
  let zone: Zone
  /// Whether output is JSON rather than text for people.
  let isJSON: Bool

  /// Reads the options of every command; the clock is read once, so date and time agree.
  init(_ arguments: ParsedArguments) throws {
    let environment = ProcessInfo.processInfo.environment
    storePath = try Self.storePath(arguments.text("--store"), environment)
    isJSON = arguments.has("--json")
    zone =
      try arguments.text("--zone").map { try SystemZones.zone(named: $0) }
      ?? SystemZones.current(environment)
    if let text = arguments.text("--now") {
      guard let instant = Instant(iso8601: text) else {
        throw Failure(
          .usage, "--now takes an instant such as 2026-01-05T08:00:00+01:00, not “\(text)”")
      }
      now = instant
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
      return path
    }
    if let folder = set("XDG_DATA_HOME") { return folder + "/diurnal/log.sqlite" }
    guard let home = set("HOME") else {
      throw Failure(
        .usage, "no place for the log: give --store FILE, or set DIURNAL_STORE or HOME")
    }
    return home + "/.local/share/diurnal/log.sqlite"
  }
}
