/// The merge rule: the one function through which every path into a log goes (typing, import,
/// background refresh, device sync).
public enum Merge {
  /// Which of two entries of one key a log keeps: the later; of two of one instant the removal, else
  /// the larger value.
  ///
  /// It is the greater of the two in a fixed total order, so merging is commutative, associative and
  /// idempotent, and the order of arrival never counts.
  public static func later(_ left: Entry, _ right: Entry) -> Entry {
    precondition(left.key == right.key, "entries of different keys do not compete")
    if left.asOf != right.asOf { return left.asOf > right.asOf ? left : right }
    switch (left.value, right.value) {
    case (nil, _): return left
    case (_, nil): return right
    case (let a?, let b?): return a >= b ? left : right
    }
  }
}

/// What a day shows for a metric, and who said it.
public struct ResolvedValue: Hashable, Sendable {
  public let value: Double
  public let source: Source

  /// A value and who said it.
  public init(value: Double, source: Source) {
    self.value = value
    self.source = source
  }
}

/// The order in which imported sources are believed.
public struct SourceRanking: Hashable, Sendable {
  /// Beginnings of source names, most trusted first.
  public let prefixes: [String]

  /// A ranking by the first prefix that a source's name begins with; a source that fits none comes
  /// after all others, and the longest name is no better than the shortest.
  public init(prefixes: [String]) { self.prefixes = prefixes }

  /// An entry typed in the health app first, then health stores, then devices' own exports, then tables.
  public static let standard = SourceRanking(
    prefixes: ["apple-health/typed", "apple-health", "oura", "fitbit", "garmin", "withings", "csv"])

  /// The place of a source: smaller is believed first.
  public func rank(of source: Source) -> Int {
    prefixes.firstIndex { source.name.hasPrefix($0) } ?? prefixes.count
  }
}

extension Merge {
  /// The value of one metric on one day out of the entries of its sources, or nil where none has one.
  ///
  /// Typed beats imported; of two typed entries the later; of imported ones the source of higher rank;
  /// ties go to the later entry, then to the source that sorts first. A tombstone has no value and
  /// hides none: clearing what was typed lets the imported value show again.
  ///
  /// - Parameter entries: entries of one day and metric, at most one a source, in any order.
  public static func resolve(
    _ entries: some Sequence<Entry>, ranking: SourceRanking = .standard
  ) -> ResolvedValue? {
    var best: Entry?
    for entry in entries where entry.value != nil {
      if let held = best, !precedes(entry, held, ranking) { continue }
      best = entry
    }
    guard let best, let value = best.value else { return nil }
    return ResolvedValue(value: value, source: best.key.source)
  }

  private static func precedes(_ left: Entry, _ right: Entry, _ ranking: SourceRanking) -> Bool {
    let a = left.key.source
    let b = right.key.source
    if a.origin != b.origin { return a.origin < b.origin }
    if a.origin == .imported {
      let (rankA, rankB) = (ranking.rank(of: a), ranking.rank(of: b))
      if rankA != rankB { return rankA < rankB }
    }
    if left.asOf != right.asOf { return left.asOf > right.asOf }
    return a < b
  }
}
