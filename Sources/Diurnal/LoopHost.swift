import DayLog
public import Scheduling
public import Time

/// The machine a loop runs on, as values that a test can replace: its clocks, its zone, what it grants, and
/// how it shows a message.
public struct LoopHost: Sendable {
  /// The clocks it runs by.
  public let time: TimeSource
  /// The zone in which days begin.
  public let zone: Zone
  /// Asked before and during runs that need external power; nil where that is not known, which counts as none.
  public let isOnExternalPower: @Sendable () -> Bool?
  /// Asked before runs that need a network; nil where that is not known, which counts as none.
  public let hasNetwork: @Sendable () -> Bool?
  /// Shows a message to the person.
  public let deliver: @Sendable (LoopMessage) async -> LoopDelivery

  /// A machine with these clocks, in this zone; whether it has a network is unknown unless told.
  public init(
    time: TimeSource, zone: Zone, isOnExternalPower: @escaping @Sendable () -> Bool?,
    hasNetwork: @escaping @Sendable () -> Bool? = { nil },
    deliver: @escaping @Sendable (LoopMessage) async -> LoopDelivery = { _ in .none }
  ) {
    self.time = time
    self.zone = zone
    self.isOnExternalPower = isOnExternalPower
    self.hasNetwork = hasNetwork
    self.deliver = deliver
  }

  /// The moment its clock shows.
  var now: Instant { time.now() }

  /// Where the tasks of a journal run: their state is in the journal's own store.
  public func environment(of journal: Journal) -> LoopEnvironment {
    LoopEnvironment(
      store: TaskStateStore(log: journal.store), time: time,
      zone: zone,
      owner: .process(),
      conditions: { [isOnExternalPower, hasNetwork] in
        RunConditions(externalPower: isOnExternalPower(), network: hasNetwork())
      })
  }
}
