/// A world in memory: the stand-in that shows what the loop alone does, thousands of days a second.
public struct MemoryWorld: SimulationWorld {
  public let store = MemoryPendingStore()

  private struct Key: Hashable {
    let day: Int
    let metric: Int
  }

  private let fault: SimulatedFault?
  private var entries: [Key: [SimulatedEntry?]] = [:]
  private var latestDay = Int.min
  private var queue: [SimulatedPayload] = []
  private var applied: [Int: Int] = [:]
  /// What the training process holds in its hands: its run, and how many parts are done.
  private var training = (run: 0, parts: 0)
  private var current: SimulatedModel?
  private var nudges: [Int: Int] = [:]

  /// An empty world, with one safeguard left out where `fault` is one of its own.
  public init(fault: SimulatedFault? = nil) { self.fault = fault }

  public mutating func merge(_ entry: SimulatedEntry) {
    latestDay = max(latestDay, entry.day)
    let sources = SimulatedEntry.Source.allCases
    var held = entries[Key(day: entry.day, metric: entry.metric)] ?? sources.map { _ in nil }
    if let old = held[entry.source.rawValue], old.asOf >= entry.asOf { return }
    held[entry.source.rawValue] = entry
    if fault == .mergeLetsImportWin, entry.source == .imported, entry.value != nil {
      held[0] = nil
      held[1] = nil
    }
    entries[Key(day: entry.day, metric: entry.metric)] = held
  }

  public func value(day: Int, metric: Int) -> Int? {
    guard let held = entries[Key(day: day, metric: metric)] else { return nil }
    let typed = held[0...1].compactMap { $0 }.filter { $0.value != nil }
    return (typed.max { $0.asOf < $1.asOf } ?? held[2])?.value
  }

  public func openDay(calendarDay day: Int) -> Int {
    fault == .futureRowAsToday ? max(day, latestDay) : day
  }

  public mutating func deliver(_ payload: SimulatedPayload) {
    if applied[payload.number] == nil, !queue.contains(payload) { queue.append(payload) }
  }

  public mutating func drain(_ kind: SimulatedPayload.Kind) {
    for payload in queue where payload.kind == kind { applied[payload.number, default: 0] += 1 }
    queue.removeAll { fault == .drainClearsAll || $0.kind == kind }
  }

  public func fate(of payload: SimulatedPayload) -> (applied: Int, isQueued: Bool) {
    (applied[payload.number] ?? 0, queue.contains(payload))
  }

  public mutating func train(part: Int, of count: Int, run: Int, day: Int) {
    if part == 0 { training = (run, 0) }
    guard training.run == run else { return }
    training.parts += 1
    let isWhole = training.parts == count
    guard isWhole || fault == .modelSavedBeforeWhole else { return }
    // Work that went on after it was told to stop may come late: a newer model stays.
    if let current, current.run > run { return }
    current = SimulatedModel(run: run, isWhole: isWhole, lastDay: day - 1)
  }

  public func model() -> SimulatedModel? { current }

  public mutating func nudge(day: Int) {
    if nudges[day] == nil { nudges[day] = 1 }
  }

  public func nudgeCount(day: Int) -> Int { nudges[day] ?? 0 }

  public mutating func processEnded() { training = (0, 0) }
}
