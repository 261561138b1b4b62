import DayLog
import Time

extension FuzzTarget {
  /// The decoders of what a person's devices exchange, and of the system's zones.
  static var recordTargets: [FuzzTarget] {
    [
      FuzzTarget(name: "json") { json($0) },
      FuzzTarget(name: "payload") { payload($0) },
      FuzzTarget(name: "sync") { sync($0) },
      FuzzTarget(name: "tzif") { zone($0) },
    ]
  }

  private static func json(_ bytes: ContiguousArray<UInt8>) {
    let bytes = Array(bytes)
    if let value = try? JSON(bytes[...]) {
      precondition(read(text(value)) == value, "there and back")
    }
    checkLists(bytes)
    guard let objects = try? JSON.objects(in: bytes) else { return }
    precondition(objects.allSatisfy { (try? JSON($0)) != nil }, "each object stands for itself")
  }

  /// A list that is handed over item by item is the list that is held.
  private static func checkLists(_ bytes: [UInt8]) {
    var items: [JSON] = []
    let key = "point"
    let rest = try? JSON(bytes[...], lists: [key]) { items.append($0) }
    guard case .object(var members)? = try? JSON(bytes[...]) else { return }
    if case .array(let held)? = members[key] {
      precondition(items == held, "the same items in the same order")
      members[key] = .array([])
    }
    precondition(rest == .object(members), "all the rest")
  }

  private static func read(_ text: String) -> JSON? { try? JSON(Array(text.utf8)[...]) }

  /// A value as text again.
  private static func text(_ value: JSON) -> String {
    switch value {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .number(let number): JSON.text(number)
    case .string(let text): JSON.quoted(text)
    case .array(let items): "[" + items.map(text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { JSON.quoted($0) + ":" + text($1) }.joined(separator: ",") + "}"
    }
  }

  private static func payload(_ bytes: ContiguousArray<UInt8>) {
    do throws(PayloadError) {
      let payload = try Payload(bytes)
      let (id, kind) = try Payload.identity(of: bytes)
      precondition(id == payload.id && kind == payload.kind.rawValue, "one identity")
      for dayStart in [0, 14_400, 86_399] {
        precondition(
          payload.entries(dayStart: dayStart).allSatisfy { $0.value?.isFinite == true },
          "values are finite")
      }
    } catch {
      precondition(!error.description.isEmpty, "an error has words")
    }
  }

  private static func sync(_ bytes: ContiguousArray<UInt8>) {
    do throws(SyncError) {
      let document = try SyncDocument(Array(bytes))
      let written = document.bytes
      let again = try SyncDocument(written)
      precondition(again.bytes == written, "what was written reads back")
      precondition(again.entries.count == document.entries.count, "no entry is lost")
      precondition(again.payloads.count == document.payloads.count, "no payload is lost")
      precondition(again.payloads.allSatisfy { (try? JSON($0[...])) != nil }, "payloads are JSON")
    } catch {
      precondition(!error.description.isEmpty, "an error has words")
    }
  }

  private static func zone(_ bytes: ContiguousArray<UInt8>) {
    guard let zone = try? Zone(name: "Zone", tzif: Array(bytes)) else { return }
    for year in stride(from: 1, through: 9999, by: 397) {
      guard let day = CalendarDay(year: year, month: 1 + year % 12, day: 1 + year % 28) else {
        preconditionFailure("a day of the calendar")
      }
      let start = zone.start(of: day, dayStart: 14_400 * (year % 2))
      precondition(zone.day(of: start, dayStart: 14_400 * (year % 2)) >= day, "a day begins")
    }
    for second in [Int64.min / 4000, -1 << 40, -1, 0, 1 << 31, 1 << 40, Int64.max / 4000] {
      precondition(abs(zone.utcOffset(at: Instant(seconds: second))) <= 200_000, "an offset")
    }
  }
}
