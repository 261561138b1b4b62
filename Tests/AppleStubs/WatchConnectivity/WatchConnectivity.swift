// Stands in for Apple's WatchConnectivity where there is none: what DiurnalApple calls. No product reaches it.

internal import Dispatch
public import Foundation

public enum WCSessionActivationState: Int, Sendable {
  case notActivated = 0
  case inactive = 1
  case activated = 2
}

/// Called on a serial queue in the background, one call after the other.
public protocol WCSessionDelegate: NSObjectProtocol {
  func session(
    _ session: WCSession, activationDidCompleteWith state: WCSessionActivationState,
    error: (any Error)?)
  func sessionDidBecomeInactive(_ session: WCSession)
  func sessionDidDeactivate(_ session: WCSession)
  func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any])
}

public final class WCSessionUserInfoTransfer {}

/// User-infos are queued and arrive in order; they have to be property-list values.
public final class WCSession {
  public weak var delegate: (any WCSessionDelegate)?
  public private(set) var activationState = WCSessionActivationState.notActivated
  private var waiting: [[String: Any]] = []

  public static func isSupported() -> Bool { true }

  public func activate() {
    activationState = .activated
    delegate?.session(self, activationDidCompleteWith: .activated, error: nil)
  }

  @discardableResult
  public func transferUserInfo(_ userInfo: [String: Any]) -> WCSessionUserInfoTransfer {
    waiting.append(userInfo)
    return WCSessionUserInfoTransfer()
  }

  // MARK: Only in the stand-in

  public init() {}

  /// Hands what waits to another session, on a queue in the background; each is out of this one's once the delegate has
  /// returned. With `firstTwice` the process ended before that the first time.
  public func deliver(to other: WCSession, firstTwice: Bool = false) async {
    let transfer = Transfer(from: self, to: other)
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "watch").async {
        if firstTwice { transfer.deliverFirst() }
        while transfer.deliverFirst() { transfer.from.waiting.removeFirst() }
        continuation.resume()
      }
    }
  }

  private struct Transfer: @unchecked Sendable {
    let from: WCSession
    let to: WCSession

    @discardableResult
    func deliverFirst() -> Bool {
      guard let next = from.waiting.first else { return false }
      to.delegate?.session(to, didReceiveUserInfo: next)
      return true
    }
  }
}
