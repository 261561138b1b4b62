public import Time

/// How a value came into the log.
public enum Origin: String, Hashable, Comparable, Sendable, CaseIterable {
  /// By the person's own hand: nothing imported ever replaces it.
  case typed
  /// From a file, a service or a sensor.
  case imported

  /// Typed comes before imported.
  public static func < (left: Self, right: Self) -> Bool { left == .typed && right == .imported }
}

/// Who said a value: a device the person typed on, or what it was imported from.
public struct Source: Hashable, Comparable, Sendable {
  /// Whether it was typed or imported.
  public let origin: Origin
  /// For example `phone` or `apple-health/Watch`; the rank among imported sources goes by it.
  public let name: String

  /// A source of this origin and name.
  public init(_ origin: Origin, _ name: String) {
    self.origin = origin
    self.name = name
  }

  /// By origin, then by the bytes of the name.
  public static func < (left: Self, right: Self) -> Bool {
    left.origin == right.origin
      ? left.name.utf8.lexicographicallyPrecedes(right.name.utf8) : left.origin < right.origin
  }
}

/// Where an entry stands in a log: no log holds two entries of one key.
public struct EntryKey: Hashable, Comparable, Sendable {
  /// The day spoken of.
  public let day: CalendarDay
  /// What is measured or rated.
  public let metric: Metric
  /// Who says it.
  public let source: Source

  /// The place of what `source` says of `metric` on `day`.
  public init(day: CalendarDay, metric: Metric, source: Source) {
    self.day = day
    self.metric = metric
    self.source = source
  }

  /// By day, then metric, then source.
  public static func < (left: Self, right: Self) -> Bool {
    if left.day != right.day { return left.day < right.day }
    return left.metric != right.metric ? left.metric < right.metric : left.source < right.source
  }
}

/// The latest word of one source on one metric of one day.
public struct Entry: Hashable, Sendable {
  /// Day, metric and source.
  public let key: EntryKey
  /// When the source said so: the edit, the export's own date, else the moment of import.
  public let asOf: Instant
  /// A finite value in the metric's unit, or nil for a tombstone: the source's value was removed.
  public let value: Double?

  /// What `key.source` said at `asOf`; `value` is finite, or nil to remove what it said before.
  public init(key: EntryKey, asOf: Instant, value: Double?) {
    precondition(value?.isFinite ?? true, "an entry's value is finite")
    self.key = key
    self.asOf = asOf
    self.value = value
  }
}
