import FoundationEssentials
import TestSupport
import Testing

@testable import Time

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite(.serialized) struct `A time zone` {
  private static let folder = "/usr/share/zoneinfo"

  /// Every zone of the machine, with the bytes of its file.
  private static func zones() throws -> [(name: String, bytes: [UInt8])] {
    var found: [(name: String, bytes: [UInt8])] = []
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() {
      guard !name.hasPrefix("right/"), !name.hasPrefix("posix/"), name != "localtime",
        let data = FileManager.default.contents(atPath: folder + "/" + name),
        data.starts(with: Array("TZif".utf8))
      else { continue }
      found.append((name, [UInt8](data)))
    }
    return found
  }

  /// Whether the machine has zone files.
  private static let hasZones = FileManager.default.fileExists(atPath: folder + "/Europe/Amsterdam")

  @Test(.enabled(if: hasZones, "tzdata"))
  func
    `IMP_9: lands every instant around every change from 2000 to 2037 in one day, as the C library does`()
    throws
  {
    // The C library reads the same files by other code. `TZ` is changed in place, so that nobody who
    // reads the environment meanwhile sees it move.
    let variable = UnsafeMutablePointer<CChar>.allocate(capacity: 256)
    unsafe variable.initialize(repeating: 0, count: 256)
    func setZone(_ name: String) {
      let text = Array("TZ=:\(name)".utf8CString)
      for (index, byte) in text.enumerated() { unsafe variable[index] = byte }
      tzset()
    }
    setZone("UTC")
    unsafe putenv(variable)
    var random = SplitMix64(seed: 1)
    let (low, high): (Int64, Int64) = (946_684_800, 2_145_916_800)  // 2000 to 2037
    var changeCount = 0
    let zones = try Self.zones()
    #expect(zones.count > 300)
    for (name, bytes) in zones {
      let zone = try Zone(name: name, tzif: bytes)
      setZone(name)
      let changes = zone.changes(after: low, through: high)
      changeCount += changes.count
      var moments = changes.flatMap { [$0 - 1, $0, $0 + 1, $0 - 5400, $0 + 5400] }
      for _ in 0..<200 { moments.append(Int64.random(in: low..<4_102_444_800, using: &random)) }
      for moment in moments {
        var time = time_t(moment)
        var parts = unsafe tm()
        unsafe localtime_r(&time, &parts)
        let offset = zone.utcOffset(at: Instant(seconds: moment))
        let day = zone.day(of: Instant(seconds: moment))
        let components = day.components
        let isSame =
          unsafe offset == parts.tm_gmtoff && components.year == Int(parts.tm_year) + 1900
          && components.month == Int(parts.tm_mon) + 1 && components.day == Int(parts.tm_mday)
        #expect(isSame, "\(name) at \(moment)")
      }
      for change in changes {
        for dayStart in [0, 14_400] {
          let day = zone.day(of: Instant(seconds: change), dayStart: dayStart)
          for day in [day, day.advanced(by: 1)] {
            let start = zone.start(of: day, dayStart: dayStart)
            let isFirst =
              zone.day(of: start, dayStart: dayStart) >= day
              && zone.day(of: start.advanced(bySeconds: -1), dayStart: dayStart) < day
            #expect(isFirst, "\(name), \(day)")
          }
        }
      }
    }
    #expect(changeCount > 10_000)
  }

  @Test(.enabled(if: hasZones, "tzdata"))
  func `knows days of 23 hours, a day that was skipped and one that starts at one`() throws {
    func zone(_ name: String) throws -> Zone {
      let data = try #require(FileManager.default.contents(atPath: Self.folder + "/" + name))
      return try Zone(name: name, tzif: [UInt8](data))
    }
    let amsterdam = try zone("Europe/Amsterdam")
    let apia = try zone("Pacific/Apia")
    let paulo = try zone("America/Sao_Paulo")
    func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(text)) }
    let spring = try day("2026-03-29")
    let length =
      amsterdam.start(of: spring.advanced(by: 1)).seconds - amsterdam.start(of: spring).seconds
    #expect(length == 23 * 3600)
    let skipped = try day("2011-12-30")
    #expect(apia.start(of: skipped) == apia.start(of: skipped.advanced(by: 1)))
    let late = paulo.start(of: try day("2018-11-04"))
    #expect(
      Timestamp(instant: late, utcOffset: paulo.utcOffset(at: late)).description.contains(
        "T01:00:00-02:00"))
  }

  @Test(.enabled(if: hasZones, "tzdata"), arguments: 0..<200 as Range<UInt64>)
  func `of broken bytes is a named error and never a trap`(seed: UInt64) throws {
    guard let data = FileManager.default.contents(atPath: Self.folder + "/Europe/Amsterdam") else {
      Issue.record("the file of the zone cannot be read")
      return
    }
    var random = SplitMix64(seed: seed)
    var bytes = [UInt8](data)
    if seed % 2 == 0 { bytes.removeLast(Int.random(in: 1...bytes.count, using: &random)) }
    for _ in 0..<4 where !bytes.isEmpty {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
        in: 0...255, using: &random)
    }
    do {
      let zone = try Zone(name: "broken", tzif: bytes)
      for second in [-4_000_000_000, 0, 4_000_000_000] as [Int64] {
        let day = zone.day(of: Instant(seconds: second))
        _ = zone.start(of: day)
      }
    } catch ZoneError.unreadable(let name) {
      #expect(name == "broken")
    }
  }

  @Test func `of a POSIX text goes by its rule, and of any other text there is none`() throws {
    let zone = try #require(Zone(posix: "CET-1CEST,M3.5.0,M10.5.0/3"))
    let moments = try ["2026-03-29T00:59:59Z", "2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z"].map {
      try #require(Timestamp($0)).instant
    }
    #expect(moments.map(zone.utcOffset) == [3600, 7200, 3600])
    #expect(Zone(posix: "<-03>3")?.utcOffset(at: moments[0]) == -10_800)
    for text in ["", "Mars", "Europe/Amsterdam", "CET-1CEST", "CET-1CEST,M3.5.0"] {
      #expect(Zone(posix: text) == nil, "\(text)")
    }
  }

  @Test(arguments: ["CET25CEST,M3.5.0,M10.5.0/3", "CET-1CEST51,M3.5.0,M10.5.0/3"])
  func `whose rule is more than a day from UTC is refused`(rule: String) {
    // Such a zone would show a day before it can begin.
    #expect(ZoneRule(posix: rule.utf8) == nil)
    #expect(ZoneRule(posix: "CET-1CEST,M3.5.0/-26,M10.5.0/167".utf8) != nil)
  }
}
