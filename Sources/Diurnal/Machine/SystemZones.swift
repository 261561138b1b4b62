import DayLog
public import Time

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The time zones of the machine: the one place that reads its zone files.
public enum SystemZones {
  /// Where Unix systems keep them.
  private static let folders = [
    "/usr/share/zoneinfo", "/var/db/timezone/zoneinfo", "/usr/lib/zoneinfo",
  ]

  /// The zone of this name, such as `Europe/Amsterdam`, of an offset, such as `+02:00`, or of a POSIX text, such
  /// as `CET-1CEST,M3.5.0,M10.5.0/3`.
  ///
  /// - Throws: `ZoneError.unknown` where the machine has no such zone, `unreadable` where its file is broken.
  public static func zone(named name: String) throws(ZoneError) -> Zone {
    if let offset = Timestamp("2000-01-01T00:00:00" + name)?.utcOffset {
      return Zone(name: name, utcOffset: offset)
    }
    if name == "UTC" || name == "GMT" { return .utc }
    // Only names: nothing that leads out of the folder.
    let isName = !name.isEmpty && !name.hasPrefix("/") && !name.split(separator: "/").contains("..")
    guard isName else { throw .unknown(name: name) }
    for folder in folders {
      if let zone = try read(folder + "/" + name, name: name) { return zone }
    }
    if let zone = Zone(posix: name) { return zone }
    throw .unknown(name: name)
  }

  /// The zone that the machine's clock shows: `TZ` if it is set, else the one that the person chose, which Apple's
  /// systems tell and others keep in `/etc/localtime`. Without that file the clock of a Unix system shows UTC, and
  /// `isChosen` is false.
  public static func current(environment: [String: String]) throws(ZoneError) -> Zone {
    if var name = environment["TZ"] {
      if name.hasPrefix(":") { name.removeFirst() }
      if name.isEmpty { return .utc }
      if name.hasPrefix("/"), let zone = try read(name, name: name) { return zone }
      return try zone(named: name)
    }
    #if canImport(Darwin)
      return try zone(named: TimeZone.current.identifier)
    #else
      return try read(localTime, name: "local time") ?? .utc
    #endif
  }

  /// Whether anybody has said which zone the machine is in.
  package static func isChosen(environment: [String: String]) -> Bool {
    #if canImport(Darwin)
      return true
    #else
      return environment["TZ"] != nil || FileFacts(path: localTime) != nil
    #endif
  }

  private static let localTime = "/etc/localtime"

  private static func read(_ path: String, name: String) throws(ZoneError) -> Zone? {
    guard FileFacts(path: path)?.isFolder == false else { return nil }
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw .unreadable(name: name)
    }
    return try Zone(name: name, tzif: [UInt8](bytes))
  }

  /// The offsets of a zone by name; nil where the machine has no such zone.
  public static func offsets(named name: String) -> Zone? {
    do { return try zone(named: name) } catch { return nil }
  }
}
