public import Time

/// The wish that a value be gone: from the log, and from whatever would bring it back.
///
/// A mark holds no value. It outlives the entries it removes, so that neither another import nor a
/// sync brings them back: nothing imported counts again for what it covers, and of what is typed only
/// what was typed later than the mark.
public struct ForgetMark: Hashable, Sendable {
  /// The day that is forgotten, as a whole or one metric of it.
  public let day: CalendarDay
  /// The metric that is forgotten, or nil for everything of the day.
  public let metric: Metric?
  /// When the person said so.
  public let asOf: Instant

  /// The wish to forget `metric`, or everything, of `day`.
  public init(day: CalendarDay, metric: Metric? = nil, asOf: Instant) {
    self.day = day
    self.metric = metric
    self.asOf = asOf
  }
}

/// All marks of a log: of two for the same thing the later counts, so that merging two sets of marks
/// is commutative, associative and idempotent.
public struct ForgetMarks: Hashable, Sendable {
  private struct Place: Hashable {
    let day: CalendarDay
    let metric: Metric?
  }
  private var latest: [Place: Instant] = [:]

  /// The set of these marks.
  public init(_ marks: some Sequence<ForgetMark> = []) {
    for mark in marks { insert(mark) }
  }

  /// The marks, by day, the one for the whole day first.
  public var all: [ForgetMark] {
    latest.map { ForgetMark(day: $0.key.day, metric: $0.key.metric, asOf: $0.value) }
      .sorted { left, right in
        if left.day != right.day { return left.day < right.day }
        guard let a = left.metric else { return right.metric != nil }
        guard let b = right.metric else { return false }
        return a < b
      }
  }

  /// Whether nothing is marked.
  public var isEmpty: Bool { latest.isEmpty }

  /// Adds a mark; false where one of the same thing and at least as late is there already.
  @discardableResult
  public mutating func insert(_ mark: ForgetMark) -> Bool {
    let place = Place(day: mark.day, metric: mark.metric)
    if let held = latest[place], held >= mark.asOf { return false }
    latest[place] = mark.asOf
    return true
  }

  /// The moment up to which typed entries of this day and metric are forgotten; nil where nothing is.
  public func forgotten(day: CalendarDay, metric: Metric) -> Instant? {
    if latest.isEmpty { return nil }
    let whole = latest[Place(day: day, metric: nil)]
    let single = latest[Place(day: day, metric: metric)]
    guard let whole, let single else { return whole ?? single }
    return max(whole, single)
  }

  /// Whether an entry is forgotten and has no place in the log.
  public func cover(_ entry: Entry) -> Bool {
    guard let moment = forgotten(day: entry.key.day, metric: entry.key.metric) else { return false }
    return entry.key.source.origin == .imported || entry.asOf <= moment
  }
}
