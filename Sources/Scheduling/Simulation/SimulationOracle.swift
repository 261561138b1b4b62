/// What a simulation expects: a log, a queue and a calendar kept in the plainest way, to compare with.
struct SimulationOracle {
  struct Cell: Hashable {
    let day: Int
    let metric: Int
  }

  private(set) var cells: [Cell: [SimulatedEntry?]] = [:]
  /// The cells written since they were last compared with the world.
  var touched: Set<Cell> = []
  var payloads: [SimulatedPayload] = []
  /// How often each run has completed.
  var completions: [Int: Int] = [:]
  var modelRun = 0
  private var stamps: Set<Moment> = []
  private var lastEdit = Moment(milliseconds: 0)
  private var beganAt: [TaskIdentifier: Duration] = [:]
  private var settledAt: Duration?
  /// The tasks in a run that no end, and no kill, has ended.
  var running: [TaskIdentifier: String] = [:]

  mutating func merge(_ entry: SimulatedEntry) {
    let cell = Cell(day: entry.day, metric: entry.metric)
    touched.insert(cell)
    var sources = cells[cell] ?? [nil, nil, nil]
    let held = sources[entry.source.rawValue]
    if held.map({ $0.asOf < entry.asOf }) ?? true { sources[entry.source.rawValue] = entry }
    cells[cell] = sources
  }

  /// The value that the log must show: the later of the typed ones, else the imported one.
  func value(_ cell: Cell) -> Int? {
    guard let sources = cells[cell] else { return nil }
    switch (
      sources[0]?.value == nil ? nil : sources[0], sources[1]?.value == nil ? nil : sources[1]
    )
    {
    case (let here?, let there?): return (here.asOf > there.asOf ? here : there).value
    case (let one?, nil), (nil, let one?): return one.value
    case (nil, nil): return sources[2]?.value
    }
  }

  /// A moment for an edit on this device: later than all its edits before, even if the clock was put back.
  mutating func nextEdit(_ now: Moment) -> Moment {
    lastEdit = uniqueStamp(max(now, lastEdit.advanced(by: .milliseconds(1))))
    return lastEdit
  }

  /// The moment, or the first after it that was not given out: ties are the merge rule's own tests' matter.
  mutating func uniqueStamp(_ moment: Moment) -> Moment {
    var stamp = moment
    while !stamps.insert(stamp).inserted { stamp = stamp.advanced(by: .milliseconds(1)) }
    return stamp
  }

  mutating func began(_ identifier: TaskIdentifier, at uptime: Duration) {
    beganAt[identifier] = uptime
  }

  /// The clock was set: how long a task has been waiting is counted from here.
  mutating func settle(at uptime: Duration) { settledAt = uptime }

  /// Since when, in true time, the task can have been waiting for its turn; nil before the first launch.
  mutating func waitingSince(_ identifier: TaskIdentifier, firstSeen uptime: Duration) -> Duration {
    if beganAt[identifier] == nil { beganAt[identifier] = uptime }
    return max(beganAt[identifier] ?? uptime, settledAt ?? .zero)
  }
}
