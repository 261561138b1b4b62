import DayLog
package import Personalisation
package import Storage
package import Time

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What was decided about nudges, a day an entry: which were sent, which were not and why.
///
/// It holds no value of the log. The texts are kept apart (`LogStore.nudges(limit:)`), and go when a day is
/// forgotten that they may speak of; that a nudge was sent stays, so that there is still one a day.
package struct NudgeLedger: Sendable {
  /// What was decided on a day.
  package struct Entry: Hashable, Sendable {
    /// What came of it.
    package enum Outcome: Hashable, Sendable {
      /// The nudge of this id was sent.
      case sent(id: String)
      /// None was sent, for this reason.
      case suppressed(NudgeSuppression)
    }

    /// The person's day then.
    package let day: CalendarDay
    /// When it was decided.
    package let at: Instant
    /// What came of it.
    package let outcome: Outcome
    /// How the nudge was shown, or why it could not be; nil while that is not known.
    package let delivery: String?
    /// Its place in the order of entering, whatever the clock showed; 0 for those of an earlier version.
    fileprivate let place: Int
  }

  private static let space = "nudges"
  /// A good year.
  private static let keptReasons = 400

  private let store: LogStore

  /// The ledger of a log.
  package init(_ store: LogStore) { self.store = store }

  /// Decides what is to be sent now, and enters it, in one transaction: whatever process asks, one nudge a
  /// day is sent at most.
  package func decide(
    _ policy: NudgePolicy, _ candidates: [NudgePolicy.Candidate], at now: NudgePolicy.LocalTime
  ) async throws(StorageError) -> NudgeDecision {
    try await store.updateRecords(in: Self.space) { records in
      // An entry of a newer version may say that a nudge was sent: it stays, and none is sent beside it.
      let today = "\(now.day)"
      if let bytes = records[today], Self.entries([today: bytes]).isEmpty {
        return .suppressed(.alreadySent)
      }
      let known = Self.entries(records)
      let sent = known.compactMap { entry -> (day: CalendarDay, at: Instant)? in
        if case .sent = entry.outcome { (entry.day, entry.at) } else { nil }
      }
      let decision = policy.decide(candidates, at: now, sent: sent)
      let outcome: Entry.Outcome =
        switch decision {
        case .send(let nudge): .sent(id: nudge.id)
        case .suppressed(let reason): .suppressed(reason)
        }
      // What was sent today stays, whatever is asked later on.
      if !sent.contains(where: { $0.day == now.day }) {
        Self.put(
          Entry(
            day: now.day, at: now.instant, outcome: outcome, delivery: nil,
            place: (known.map(\.place).max() ?? 0) + 1), in: &records)
      }
      // What was sent is kept for good, so that no day gets a second nudge, whatever the clock does. Of the reasons
      // why none was sent those entered first go: after a step of the clock, today is not the latest day.
      let reasons = known.filter { if case .suppressed = $0.outcome { true } else { false } }
      for entry in reasons.dropFirst(Self.keptReasons) where entry.day != now.day {
        records["\(entry.day)"] = nil
      }
      return decision
    }
  }

  /// Enters how the nudge of a day was shown, or why it could not be.
  package func note(_ delivery: String, of day: CalendarDay) async throws(StorageError) {
    try await store.updateRecords(in: Self.space) { records in
      guard let entry = Self.entries(records).first(where: { $0.day == day }) else { return }
      Self.put(
        Entry(
          day: day, at: entry.at, outcome: entry.outcome, delivery: delivery, place: entry.place),
        in: &records)
    }
  }

  /// The entries, the one entered last first.
  package func entries() async throws(StorageError) -> [Entry] {
    Self.entries(try await store.records(in: Self.space))
  }

  /// An entry as it is written.
  private struct Form: Codable {
    let at: Int64
    let sent: String?
    let suppressed: String?
    let delivery: String?
    var place: Int?
  }

  private static func entries(_ records: [String: [UInt8]]) -> [Entry] {
    records.compactMap { name, bytes -> Entry? in
      // An entry of another form is passed over: it can be of a newer version only.
      guard let day = CalendarDay(name), let form = form(bytes) else { return nil }
      let outcome: Entry.Outcome
      if let id = form.sent {
        outcome = .sent(id: id)
      } else if let reason = form.suppressed.flatMap(NudgeSuppression.init(rawValue:)) {
        outcome = .suppressed(reason)
      } else {
        return nil
      }
      return Entry(
        day: day, at: Instant(milliseconds: form.at), outcome: outcome, delivery: form.delivery,
        place: form.place ?? 0)
    }.sorted { ($0.place, $0.day) > ($1.place, $1.day) }
  }

  private static func form(_ bytes: [UInt8]) -> Form? {
    do { return try JSONDecoder().decode(Form.self, from: Data(bytes)) } catch { return nil }
  }

  private static func put(_ entry: Entry, in records: inout [String: [UInt8]]) {
    var form = Form(
      at: entry.at.milliseconds, sent: nil, suppressed: nil, delivery: entry.delivery)
    switch entry.outcome {
    case .sent(let id):
      form = Form(
        at: form.at, sent: id, suppressed: nil, delivery: form.delivery, place: entry.place)
    case .suppressed(let reason):
      form = Form(
        at: form.at, sent: nil, suppressed: reason.rawValue, delivery: form.delivery,
        place: entry.place)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    do { records["\(entry.day)"] = [UInt8](try encoder.encode(form)) } catch {
      preconditionFailure("texts and an integer are written as JSON")
    }
  }
}
