import Time

/// A log as plain as can be: what a simulation expects of a real one, and what its world in memory holds.
struct SimulatedLog: Sendable {
  struct Cell: Hashable, Comparable, Sendable {
    let day: Int
    let metric: Int

    static func < (left: Self, right: Self) -> Bool {
      (left.day, left.metric) < (right.day, right.metric)
    }
  }

  /// What is held of a cell, by source.
  private(set) var cells: [Cell: [SimulatedEntry?]] = [:]
  private var forgotten: [Cell: Instant] = [:]

  mutating func merge(_ entry: SimulatedEntry) {
    let cell = Cell(day: entry.day, metric: entry.metric)
    if let mark = forgotten[cell], entry.source == .imported || entry.asOf <= mark { return }
    var sources = cells[cell] ?? [nil, nil, nil]
    let held = sources[entry.source.rawValue]
    if held.map({ $0.asOf < entry.asOf }) ?? true { sources[entry.source.rawValue] = entry }
    cells[cell] = sources
  }

  /// The moment for an edit of this device: later than all it knows to be typed or forgotten there.
  func edit(_ cell: Cell, now: Instant) -> Instant {
    let known = [cells[cell]?[0]?.asOf, cells[cell]?[1]?.asOf, forgotten[cell]].compactMap(\.self)
    guard let last = known.max(), last >= now else { return now }
    return last.advanced(by: .milliseconds(1))
  }

  /// Removes what every source said; returns whether any had said anything, though it may have been cleared.
  mutating func forget(_ cell: Cell, now: Instant) -> Bool {
    let isHeld = cells[cell] != nil
    let typed = (cells[cell] ?? []).compactMap(\.self).filter { $0.source != .imported }
    forgotten[cell] = max(
      now, typed.map(\.asOf).max() ?? now, forgotten[cell] ?? now)
    cells[cell] = nil
    return isHeld
  }

  /// The value that is shown: the last one typed, on whatever device, unless that was to clear it; else the
  /// imported one.
  func value(_ cell: Cell) -> Int? {
    guard let sources = cells[cell] else { return nil }
    let typed = sources[0...1].compactMap(\.self).max { $0.asOf < $1.asOf }
    return typed?.value ?? sources[2]?.value
  }

  /// The planted fault: what is typed gives way.
  mutating func dropTyped(_ cell: Cell) {
    cells[cell]?[0] = nil
    cells[cell]?[1] = nil
  }
}
