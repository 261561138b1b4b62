public import DayLog
public import Time

extension LogStore {
  /// What the days show, in ascending order; a day on which nothing is shown is left out.
  public func days(
    from first: CalendarDay = .distantPast, to last: CalendarDay = .distantFuture
  ) throws(StorageError) -> [ResolvedDay] {
    try read { connection throws(StorageError) in
      try days(from: first, to: last, connection)
    }
  }

  func days(
    from first: CalendarDay, to last: CalendarDay, _ connection: Connection
  ) throws(StorageError) -> [ResolvedDay] {
    let scan = try ResolvedScan(
      names: names, ranking: try sourceRanking(connection), first: first, last: last, connection)
    // The rows come by number of metric; people read names.
    let order = scan.columns.indices.sorted {
      scan.metrics[$0] < scan.metrics[$1]
    }
    var placed = [Int](repeating: 0, count: order.count)
    for (place, column) in order.enumerated() { placed[column] = place }
    var days: [ResolvedDay] = []
    var slots = [ResolvedDay.Item?](repeating: nil, count: order.count)
    var current: Int64?
    func close(_ day: Int64) {
      let items = slots.compactMap { $0 }
      if !items.isEmpty {
        days.append(ResolvedDay(day: CalendarDay(number: Int(day)), items: items))
      }
      for place in slots.indices { slots[place] = nil }
    }
    try scan.run { day, column, value, place in
      if let open = current, open != day { close(open) }
      current = day
      slots[placed[column]] = ResolvedDay.Item(
        metric: scan.metrics[column],
        resolved: ResolvedValue(value: value, source: scan.sources[place]))
    }
    if let open = current { close(open) }
    return days
  }

  /// What the days show as columns: the metrics asked for, or all that are shown anywhere in the range.
  ///
  /// The table reaches from the first to the last day, of those asked for, that shows anything (of any
  /// metric of the table). Where nothing is shown it has no days.
  package func dayTable(
    metrics: [Metric]? = nil, from first: CalendarDay = .distantPast,
    to last: CalendarDay = .distantFuture
  ) throws(StorageError) -> DayTable {
    try read { connection throws(StorageError) in
      try learned(metrics, from: first, to: last, isWhole: true, connection).table
    }
  }

  /// The days up to and including `last` that models learn from, as columns of all metrics that there is room for.
  ///
  /// Its cost goes with what is logged, not with the time between the first day and the last.
  package func learnedDays(to last: CalendarDay) throws(StorageError) -> LearnedDays {
    try read { connection throws(StorageError) in
      try learned(nil, from: .distantPast, to: last, isWhole: false, connection)
    }
  }

  /// - Parameter isWhole: whether every day and metric is wanted, however far and many.
  private func learned(
    _ metrics: [Metric]?, from first: CalendarDay, to last: CalendarDay, isWhole: Bool,
    _ connection: Connection
  ) throws(StorageError) -> LearnedDays {
    let scan = try ResolvedScan(
      names: names, ranking: try sourceRanking(connection), first: first, last: last, connection)
    let wanted = metrics.map(Set.init)
    var cells: [(day: Int64, column: Int, value: Double)] = []
    cells.reserveCapacity(16_384)
    var counts = [Int](repeating: 0, count: scan.metrics.count)
    var days: [Int] = []
    let isWanted = scan.metrics.map { wanted?.contains($0) ?? true }
    let isTyped = scan.sources.map { $0.origin == .typed }
    var typedDays: Set<CalendarDay> = []
    try scan.run { day, column, value, place in
      guard isWanted[column] else { return }
      if days.last != Int(day) { days.append(Int(day)) }
      if isTyped[place] { typedDays.insert(CalendarDay(number: Int(day))) }
      cells.append((day, column, value))
    }
    var leftOut = LearnedDays.LeftOut()
    let place = isWhole ? 0 : LearnedDays.start(of: days)
    if place > 0 {
      leftOut.dayCount = place
      leftOut.lastDay = CalendarDay(number: days[place - 1])
      let start = CalendarDay(number: days[place])
      cells.removeAll { $0.day < Int64(start.number) }
      typedDays = typedDays.filter { $0 >= start }
    }
    for cell in cells { counts[cell.column] += 1 }
    let start = cells.first?.day ?? 0
    let count = cells.last.map { Int($0.day - start) + 1 } ?? 0
    var shown = scan.metrics.indices.filter { counts[$0] > 0 }
    if !isWhole, shown.count > LearnedDays.room(days: count) {
      let room = LearnedDays.room(days: count)
      leftOut.metricCount = shown.count - room
      shown.sort {
        counts[$0] == counts[$1] ? scan.metrics[$0] < scan.metrics[$1] : counts[$0] > counts[$1]
      }
      shown.removeSubrange(room...)
    }
    let columns = wanted?.sorted() ?? shown.map { scan.metrics[$0] }.sorted()
    guard count > 0 else {
      let empty = DayTable(
        firstDay: first == .distantPast ? CalendarDay(number: 0) : first, dayCount: 0,
        metrics: columns, values: [])
      return LearnedDays(table: empty, typedDays: [], leftOut: leftOut)
    }
    var base = [Int](repeating: -1, count: scan.metrics.count)
    for (column, metric) in scan.metrics.enumerated() {
      if let place = columns.firstIndex(of: metric) { base[column] = place * count }
    }
    var values = ContiguousArray(repeating: Double.nan, count: count * columns.count)
    for cell in cells where base[cell.column] >= 0 {
      values[base[cell.column] + Int(cell.day - start)] = cell.value
    }
    let table = DayTable(
      firstDay: CalendarDay(number: Int(start)), dayCount: count, metrics: columns,
      values: values)
    return LearnedDays(table: table, typedDays: typedDays, leftOut: leftOut)
  }
}

/// Reads rows in the order of their key and hands over what each day and metric shows.
struct ResolvedScan {
  /// The metrics of the store, each with a column, in order of their number.
  let metrics: [Metric]
  /// The sources of the store in their own order.
  let sources: [Source]
  /// The number of each column's metric.
  let columns: [Int64]

  private let columnOfMetric: [Int]
  private let ranks: [Int?]
  private let places: [Int]
  private let scan: EntryScan

  init(
    names: NameTable, ranking: SourceRanking, first: CalendarDay, last: CalendarDay,
    _ connection: Connection
  ) throws(StorageError) {
    columns = names.metrics.keys.sorted()
    metrics = columns.compactMap { names.metrics[$0] }
    sources = names.sources.values.sorted()
    var columnOfMetric = [Int](repeating: -1, count: Int(columns.last ?? 0) + 1)
    for (column, id) in columns.enumerated() { columnOfMetric[Int(id)] = column }
    self.columnOfMetric = columnOfMetric
    let standings = names.standings(ranking)
    let count = Int(standings.keys.max() ?? 0) + 1
    var ranks = [Int?](repeating: nil, count: count)
    var places = [Int](repeating: -1, count: count)
    for (id, standing) in standings {
      ranks[Int(id)] = standing.rank
      places[Int(id)] = standing.place
    }
    self.ranks = ranks
    self.places = places
    scan = try EntryScan(names: names, first: first, last: last, connection)
  }

  /// Calls `each` with the day, the column of the metric, the value and the place of its source.
  func run(
    _ each: (_ day: Int64, _ column: Int, _ value: Double, _ place: Int) -> Void
  ) throws(StorageError) {
    var day: Int64 = 0
    var metric: Int64 = -1
    var resolution = Resolution<Int>()
    func close() {
      if metric >= 0, let shown = resolution.shown {
        each(day, columnOfMetric[Int(metric)], shown.value, shown.source)
      }
    }
    try scan.run { row in
      if row.day != day || row.metric != metric {
        close()
        (day, metric, resolution) = (row.day, row.metric, Resolution<Int>())
      }
      let source = Int(row.source)
      resolution.add(
        value: row.value, asOf: row.asOf, rank: ranks[source], source: places[source])
    }
    close()
  }
}
