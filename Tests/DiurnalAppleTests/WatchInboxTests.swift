import DayLog
import Diurnal
import DiurnalApple
import Foundation
import Storage
import Synchronization
import Testing
import WatchConnectivity

@Suite(.timeLimit(.minutes(1))) struct `What comes from the watch` {
  private static func payload(_ id: String, kind: String = "symptom") throws -> QueuedPayload {
    try QueuedPayload(
      Array(
        #"{"id":"\#(id)","kind":"\#(kind)","at":"2024-05-02T09:00:00+02:00","name":"headache","severity":2}"#
          .utf8))
  }

  /// The watch, the phone, its inbox, and what that refused.
  private final class Pair {
    let watch = WCSession()
    let phone = WCSession()
    let journal: PhoneJournal
    let inbox: WatchInbox
    let refusals: Refusals

    final class Refusals: Sendable {
      let all = Mutex<[WatchInbox.Refusal]>([])
    }

    init() throws {
      journal = try PhoneJournal()
      let refusals = Refusals()
      self.refusals = refusals
      inbox = WatchInbox(journal.host) { refusal in refusals.all.withLock { $0.append(refusal) } }
      phone.delegate = inbox
      phone.activate()
    }
  }

  @Test func `waits in the queue in the order it was sent, each once`() async throws {
    let pair = try Pair()
    for id in ["c", "a", "b", "a"] {
      pair.watch.transferUserInfo(WatchInbox.userInfo(of: try Self.payload(id)))
    }
    // The process ended while it took the first in, and is handed it again.
    await pair.watch.deliver(to: pair.phone, firstTwice: true)
    #expect(try await pair.journal.host.journal.store.payloads().map(\.id) == ["c", "a", "b"])
    #expect(pair.refusals.all.withLock { $0.count } == 0)
  }

  @Test func `is written while the app sleeps, before the delivery counts as taken`() async throws {
    let pair = try Pair()
    await pair.journal.host.enterBackground()
    pair.watch.transferUserInfo(WatchInbox.userInfo(of: try Self.payload("a", kind: "newer")))
    await pair.watch.deliver(to: pair.phone)
    try await pair.journal.host.enterForeground()
    #expect(try await pair.journal.host.journal.store.payloads().map(\.id) == ["a"])
  }

  @Test func `is refused where it is no payload, and left alone where it is the app's own`()
    async throws
  {
    let pair = try Pair()
    pair.watch.transferUserInfo([WatchInbox.key: Data("{}".utf8)])
    pair.watch.transferUserInfo(["theirs": 1])
    pair.watch.transferUserInfo(WatchInbox.userInfo(of: try Self.payload("a")))
    await pair.watch.deliver(to: pair.phone)
    #expect(try await pair.journal.host.journal.store.payloads().map(\.id) == ["a"])
    let refusals = pair.refusals.all.withLock { $0 }
    #expect(refusals.count == 1)
    guard case .unreadable(.missing(key: "id")) = refusals.first else {
      Issue.record("it names the key that is missing")
      return
    }
  }
}
