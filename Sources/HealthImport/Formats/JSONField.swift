internal import DayLog
import Time

/// One number of a record: where it stands, what it is, and how values of one day become one.
struct JSONField: Sendable {
  /// Where the number stands, each place as keys from the outside in; numbers of several places are
  /// parts that add up, and those that are not there count nothing.
  private let paths: [[String]]
  private let metric: Metric
  private let scale: UnitScale
  private let fold: Fold
  /// Whether 0 and less stand for *not computed*.
  private let isPositive: Bool

  /// - Parameters:
  ///   - places: such as `score` or `levels.summary.deep.minutes`.
  ///   - scale: from the record's unit to the metric's.
  init(
    _ places: String..., as metric: Metric, scale: UnitScale = .one, fold: Fold,
    isPositive: Bool = false
  ) {
    paths = places.map { $0.split(separator: ".").map(String.init) }
    self.metric = metric
    self.scale = scale
    self.fold = fold
    self.isPositive = isPositive || MetricRule.isNeverZero(metric)
  }

  /// The number that the record has, in the metric's unit; nil where it has none.
  func value(in record: JSON) -> Double? {
    let parts = paths.compactMap { record[$0]?.quantity }
    guard !parts.isEmpty else { return nil }
    let sum = parts.reduce(0, +)
    let value = scale.convert(sum)
    return value.isFinite && !(isPositive && sum <= 0) ? value : nil
  }

  /// Adds the record's number, where it has one, as a reading like `reading`; whether it had.
  fileprivate func add(
    from record: JSON, as reading: Reading, on day: CalendarDay, source: Source,
    into days: inout DayCollector
  ) -> Bool {
    guard let value = value(in: record) else { return false }
    var reading = reading
    reading.value = value
    days.add(reading, metric, on: day, source: source, fold: fold)
    return true
  }
}

extension DayCollector {
  /// Adds the numbers that a record has, and counts what became of it.
  ///
  /// - Parameters:
  ///   - day: nil where the record has no date that can be read.
  ///   - identity: what tells the record from all others, where that is known: a repeat adds nothing. A record
  ///     without one speaks of the whole day.
  ///   - span: when it is of, in seconds since 1970.
  mutating func add(
    _ fields: [JSONField], of record: JSON, on day: CalendarDay?, source: Source,
    identity: String? = nil, span: Range<Int64>? = nil, at place: ImportError.Place
  ) {
    summary.read += 1
    guard let day else {
      summary.reject("no readable date", at: place)
      return
    }
    guard has(day, at: place) else { return }
    if let identity, !isNew(identity) { return }
    var isUsed = false
    let reading = Reading(identity: identity, span: span)
    for field in fields {
      isUsed =
        field.add(from: record, as: reading, on: day, source: source, into: &self) || isUsed
    }
    if isUsed {
      summary.used += 1
    } else {
      summary.reject("no value", at: place)
    }
  }
}

extension Reading {
  /// A reading of a record, with a value to come: of the whole day where nothing tells it from others.
  init(identity: String?, span: Range<Int64>?, device: String = "", value: Double = 0) {
    self.init(
      kind: span != nil ? .time : identity != nil ? .event : .day,
      identity: identity.map { Reading.hash($0) } ?? 0, start: span?.lowerBound ?? 0,
      duration: Int32(clamping: span.map { $0.upperBound - $0.lowerBound } ?? 0),
      device: device.isEmpty ? 0 : UInt32(truncatingIfNeeded: Reading.hash(device)), value: value)
  }
}

extension JSON {
  /// The span between two times of a record; nil where one is missing or they are the wrong way round.
  func span(_ start: String, _ end: String) -> Range<Int64>? {
    guard let from = time(start), let to = time(end), from.second != nil, to.second != nil,
      to.seconds >= from.seconds
    else { return nil }
    return from.seconds..<to.seconds
  }
}
