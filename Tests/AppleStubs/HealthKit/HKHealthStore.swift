internal import Foundation
internal import Synchronization

public enum HKUpdateFrequency: Int, Sendable {
  case immediate = 1
  case hourly = 2
  case daily = 3
  case weekly = 4
}

/// A health store: locked with the phone, silent about types that may not be read.
public final class HKHealthStore: Sendable {
  private struct State {
    var log: [(type: String, added: HKSample?, deleted: UUID?)] = []
    var isLocked = false
    var refused: Set<String> = []
    var delivery: [String: HKUpdateFrequency] = [:]
    var observers: [HKObserverQuery] = []
    var missed: [String: Int] = [:]
    var asked: Set<String> = []
  }

  private let state = Mutex(State())

  public init() {}

  public static func isHealthDataAvailable() -> Bool { true }

  /// The person's answer about reading cannot be seen: what is refused is merely empty.
  public func requestAuthorization(
    toShare share: Set<HKSampleType>, read: Set<HKObjectType>
  ) async throws {
    state.withLock { $0.asked.formUnion(read.map(\.identifier)) }
  }

  /// Needs an entitlement.
  public func enableBackgroundDelivery(
    for type: HKObjectType, frequency: HKUpdateFrequency
  ) async throws {
    state.withLock { $0.delivery[type.identifier] = frequency }
  }

  /// An observer is also called once when it begins.
  public func execute(_ query: HKQuery) {
    guard let observer = query as? HKObserverQuery else { return }
    state.withLock { $0.observers.append(observer) }
    notify(observer)
  }

  public func stop(_ query: HKQuery) {
    state.withLock { $0.observers.removeAll { $0 === query } }
  }

  private func notify(_ observer: HKObserverQuery) {
    let type = observer.type.identifier
    state.withLock { $0.missed[type, default: 0] += 1 }
    observer.handler(
      observer, { [self] in state.withLock { $0.missed[type, default: 0] -= 1 } }, nil)
  }

  func samples(of type: HKSampleType, _ span: HKQuery.Span?) throws -> [HKSample] {
    try state.withLock { state in
      if state.isLocked { throw HKError(.errorDatabaseInaccessible) }
      if state.refused.contains(type.identifier) { return [] }
      let deleted = Set(state.log.compactMap(\.deleted))
      return state.log.compactMap(\.added).filter {
        $0.sampleType == type && !deleted.contains($0.uuid) && span?.takes($0) != false
      }
    }
  }

  func changes(
    of type: HKSampleType, _ span: HKQuery.Span?, since change: Int
  ) throws -> ([HKSample], [UUID], Int) {
    try state.withLock { state in
      if state.isLocked { throw HKError(.errorDatabaseInaccessible) }
      if state.refused.contains(type.identifier) { return ([], [], state.log.count) }
      let deleted = Set(state.log.compactMap(\.deleted))
      let news = state.log[change...].filter { $0.type == type.identifier }
      return (
        news.compactMap(\.added).filter {
          !deleted.contains($0.uuid) && span?.takes($0) != false
        }, news.compactMap(\.deleted), state.log.count
      )
    }
  }

  // MARK: Only in the stand-in

  /// A device writes samples; observers of their types are called.
  public func write(_ samples: [HKSample]) {
    tell(samples.map { ($0.sampleType.identifier, $0, nil) })
  }

  /// The person deletes samples; what remains says nothing of when they were.
  public func delete(_ samples: [HKSample]) {
    tell(samples.map { ($0.sampleType.identifier, nil, $0.uuid) })
  }

  private func tell(_ changes: [(String, HKSample?, UUID?)]) {
    let observers = state.withLock { state in
      state.log += changes.map { (type: $0.0, added: $0.1, deleted: $0.2) }
      let types = Set(changes.map(\.0))
      // Three answers missed, and the system delivers no more.
      return state.observers.filter {
        types.contains($0.type.identifier) && state.missed[$0.type.identifier, default: 0] < 3
      }
    }
    for observer in observers { notify(observer) }
  }

  public func setLocked(_ isLocked: Bool) { state.withLock { $0.isLocked = isLocked } }
  public func refuse(_ type: HKSampleType) {
    state.withLock { _ = $0.refused.insert(type.identifier) }
  }

  /// The types whose changes wake the app.
  public var delivered: [String: HKUpdateFrequency] { state.withLock { $0.delivery } }
  /// The types that were asked for.
  public var asked: Set<String> { state.withLock { $0.asked } }
  /// How many calls of observers have not been answered.
  public var unanswered: Int { state.withLock { $0.missed.values.reduce(0, +) } }
}
