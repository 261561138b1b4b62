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
  /// Asked before and during runs that need external power.
  public let isOnExternalPower: @Sendable () -> Bool
  /// Asked before runs that need a network.
  public let hasNetwork: @Sendable () -> Bool
  /// Shows a message to the person.
  public let deliver: @Sendable (LoopMessage) async -> LoopDelivery

  /// A machine with these clocks, in this zone; it has a network unless told otherwise.
  public init(
    time: TimeSource, zone: Zone, isOnExternalPower: @escaping @Sendable () -> Bool,
    hasNetwork: @escaping @Sendable () -> Bool = { true },
    deliver: @escaping @Sendable (LoopMessage) async -> LoopDelivery = { _ in .none }
  ) {
    self.time = time
    self.zone = zone
    self.isOnExternalPower = isOnExternalPower
    self.hasNetwork = hasNetwork
    self.deliver = deliver
  }

  /// The moment its clock shows.
  var now: Instant { Instant(milliseconds: time.now().milliseconds) }

  func environment(of journal: Journal) -> LoopEnvironment {
    LoopEnvironment(
      store: TaskStateStore(log: journal.store), time: time,
      clock: LocalClock { [zone] in
        zone.utcOffset(at: Instant(milliseconds: $0.milliseconds))
      },
      owner: .process(),
      conditions: { [isOnExternalPower, hasNetwork] in
        RunConditions(externalPower: isOnExternalPower(), network: hasNetwork())
      })
  }
}
