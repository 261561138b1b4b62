#if canImport(WatchConnectivity)
  public import DayLog
  internal import Diurnal
  internal import Dispatch
  public import Foundation
  public import Storage
  internal import Synchronization
  public import WatchConnectivity

  /// Takes payloads from the watch into the journal's queue, in order and each once.
  ///
  /// A delivery counts as taken when its call returns, so that call waits until the payload is in the file: a process
  /// that ends before is handed it again, and one that was in already is recognised by its id.
  ///
  /// Make one while the app launches, make it the session's delegate and keep it; then activate the session.
  public final class WatchInbox: NSObject, WCSessionDelegate, Sendable {
    /// The key of a user-info under which a payload's bytes stand.
    public static let key = "diurnal.payload"

    /// Why something that arrived is not in the queue.
    public enum Refusal: Error, Sendable {
      /// It is no payload, and will not become one.
      case unreadable(PayloadError)
      /// The file could not be written; the payload is kept in memory and written with the next.
      case unwritten(reason: String)
    }

    private let host: JournalHost
    private let refused: @Sendable (Refusal) -> Void
    private let kept = Mutex<[QueuedPayload]>([])

    /// An inbox that writes into a journal; `refused` is told what could not be taken, and why.
    public init(_ host: JournalHost, refused: @escaping @Sendable (Refusal) -> Void) {
      self.host = host
      self.refused = refused
    }

    /// What a watch hands to `WCSession.transferUserInfo(_:)`.
    public static func userInfo(of payload: QueuedPayload) -> [String: Any] {
      [key: Data(payload.bytes)]
    }

    public func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
      // What the app sends for itself is its own.
      guard let data = userInfo[Self.key] as? Data else { return }
      do throws(PayloadError) {
        let payload = try QueuedPayload(data)
        kept.withLock { $0.append(payload) }
      } catch {
        refused(.unreadable(error))
      }
      write()
    }

    /// Writes what is kept, and returns when that is done: this is a queue of the system's, on which waiting harms no
    /// one.
    private func write() {
      let payloads = kept.withLock { $0 }
      guard !payloads.isEmpty else { return }
      let done = DispatchSemaphore(value: 0)
      Task {
        do {
          _ = try await host.whileOpen { try await $0.store.enqueue(payloads) }
          kept.withLock { $0.removeFirst(payloads.count) }
        } catch {
          refused(.unwritten(reason: "\(error)"))
        }
        done.signal()
      }
      done.wait()
    }

    public func session(
      _ session: WCSession, activationDidCompleteWith state: WCSessionActivationState,
      error: (any Error)?
    ) {
      write()
    }

    #if !os(watchOS)
      public func sessionDidBecomeInactive(_ session: WCSession) {}

      /// Another watch is worn now.
      public func sessionDidDeactivate(_ session: WCSession) { session.activate() }
    #endif
  }
#endif
