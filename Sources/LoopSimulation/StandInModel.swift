internal import DayLog
internal import Scheduling
internal import Storage
internal import Synchronization
import Time

/// A model of a few bytes: it predicts nothing, and tells who made it of what, and whether all of it is there.
struct StandInModel {
  static let target = "simulation"

  let run: Int
  let parts: Int
  let of: Int
  let lastDay: Int

  func stored(change: ChangeNumber) -> StoredModel {
    StoredModel(
      target: Self.target, schemaVersion: 1, bytes: Array("\(run) \(parts) \(of) \(lastDay)".utf8),
      fingerprint: "simulation", change: change,
      madeAt: Instant(seconds: Int64(lastDay) * 86_400))
  }

  static func read(_ stored: StoredModel) -> SimulatedModel? {
    let numbers = String(decoding: stored.bytes, as: UTF8.self).split(separator: " ").compactMap {
      Int($0)
    }
    guard numbers.count == 4 else { return nil }
    return SimulatedModel(run: numbers[0], isWhole: numbers[1] == numbers[2], lastDay: numbers[3])
  }
}

/// How often things happened: what a log cannot tell, because merging twice is merging once, and the world outside
/// does not forget with a killed process.
final class Tally: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  func add(_ id: String) { counts.withLock { $0[id, default: 0] += 1 } }

  func count(of id: String) -> Int { counts.withLock { $0[id, default: 0] } }
}

/// A budget of so many chunks.
final class ChunkCount: Sendable {
  private let left: Mutex<Int>

  init(limit: Int) { left = Mutex(limit) }

  /// Takes a chunk; false where there is none left.
  func next() -> Bool {
    left.withLock { left in
      guard left > 0 else { return false }
      left -= 1
      return true
    }
  }
}

extension SimulatedPayload.Kind {
  var name: String {
    switch self {
    case .symptom: Payload.Kind.symptom.rawValue
    case .checkIn: Payload.Kind.checkIn.rawValue
    case .unknown: "photograph"
    }
  }
}

extension SimulatedPayload {
  var id: String { "p\(number)" }

  /// The payload as a device hands it over.
  var bytes: [UInt8] {
    let at = Timestamp(instant: at, utcOffset: 0)
    let content =
      switch kind {
      case .symptom: #""name":"cough","severity":\#(number % 5)"#
      case .checkIn: #""mood_evening":\#(number % 7)"#
      case .unknown: #""pixels":12"#
      }
    return Array(#"{"id":"p\#(number)","kind":"\#(kind.name)","at":"\#(at)",\#(content)}"#.utf8)
  }
}

extension LogStore {
  /// Requires that a payload which has left the queue is in the log: itself, or a later word in its place.
  func requireEntries(of queued: QueuedPayload) throws {
    for wanted in try Payload(queued.bytes).entries(dayStart: 0) {
      let held = try entries(from: wanted.key.day, to: wanted.key.day).first {
        $0.key == wanted.key
      }
      guard let held, held.asOf >= wanted.asOf else {
        throw SimulationFailure(
          reason: "the payload \(queued.id) left the queue and is not in the log")
      }
    }
  }

  /// The planted fault: what was typed gives way to what is imported.
  func clearTyped(_ metric: Metric, on day: CalendarDay) throws {
    let typed = try entries(from: day, to: day).filter {
      $0.key.metric == metric && $0.key.source.origin == .typed
    }
    try merge(
      typed.map {
        Entry(key: $0.key, asOf: Instant(milliseconds: $0.asOf.milliseconds + 1), value: nil)
      })
  }
}
