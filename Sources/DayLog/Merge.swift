public import Time

/// The merge rule: the one function through which every path into a log goes (typing, import,
/// background refresh, device sync).
///
/// Public as ``Resolution`` is, for the compiler alone: what other modules call once an entry is specialised there only if
/// it is public.
public enum Merge {
  /// Which of two entries of one key a log keeps: the later; of two of one instant the removal, else
  /// the larger value.
  ///
  /// It is the greater of the two in a fixed total order, so merging is commutative, associative and
  /// idempotent, and the order of arrival never counts.
  package static func later(_ left: Entry, _ right: Entry) -> Entry {
    precondition(left.key == right.key, "entries of different keys do not compete")
    let replaces = supersedes(
      asOf: right.asOf, value: right.value, heldAsOf: left.asOf, heldValue: left.value)
    return replaces ? right : left
  }

  /// Whether what was said takes the place of what is held of the same key: ``later(_:_:)`` without
  /// the keys, for logs that hold theirs in another form. False where both are the same.
  @inlinable
  public static func supersedes(
    asOf: Instant, value: Double?, heldAsOf: Instant, heldValue: Double?
  ) -> Bool {
    if asOf != heldAsOf { return asOf > heldAsOf }
    guard let heldValue else { return false }
    guard let value else { return true }
    // 0 comes after -0: equal to each other, they are not the same bytes.
    return value == heldValue
      ? value.sign == .plus && heldValue.sign == .minus : value > heldValue
  }
}

/// What a day shows for a metric, and who said it.
public struct ResolvedValue: Hashable, Sendable {
  /// The value, in the metric's unit.
  public let value: Double
  /// Who said it.
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
    prefixes: [
      "apple-health/typed", "apple-health", "oura", "fitbit", "garmin", "withings", "google-fit",
      "csv",
    ])

  /// The place of a source: smaller is believed first.
  public func rank(of source: Source) -> Int {
    prefixes.firstIndex { source.name.hasPrefix($0) } ?? prefixes.count
  }
}

extension Merge {
  /// The value of one metric on one day out of the entries of its sources, or nil where none has one.
  ///
  /// Typed beats imported; of two typed entries the later; of imported ones the source of higher rank;
  /// ties go to the later entry, then to the source that sorts first. A tombstone has no value: a
  /// typed one takes back what was typed before it, on whatever device, and then the imported value
  /// shows again.
  ///
  /// - Parameter entries: entries of one day and metric, at most one a source, in any order.
  package static func resolve(
    _ entries: some Sequence<Entry>, ranking: SourceRanking = .standard
  ) -> ResolvedValue? {
    var resolution = Resolution<Source>()
    for entry in entries {
      let source = entry.key.source
      resolution.add(
        value: entry.value, asOf: entry.asOf,
        rank: source.origin == .typed ? nil : ranking.rank(of: source), source: source)
    }
    return resolution.shown.map { ResolvedValue(value: $0.value, source: $0.source) }
  }
}

/// Finds what a day shows for a metric while its entries pass by, in any order and without keeping
/// them: the rule of ``Merge/resolve(_:ranking:)`` for whatever stands for a source.
public struct Resolution<Source: Comparable> {
  // Without a default value: that of a generic type would be made by a function that no other module specialises.
  @usableFromInline var typed: Optional<(asOf: Instant, value: Double?, source: Source)>
  @usableFromInline var imported:
    Optional<(rank: Int, asOf: Instant, value: Double, source: Source)>

  /// A resolution that has seen no entry.
  @inlinable public init() {
    typed = nil
    imported = nil
  }

  /// Takes in the entry of one source.
  ///
  /// - Parameters:
  ///   - value: nil for a tombstone.
  ///   - rank: nil for a typed entry; of an imported one the place of its source, smaller believed first.
  ///   - source: ties go to the smaller.
  @inlinable
  public mutating func add(value: Double?, asOf: Instant, rank: Int?, source: Source) {
    guard let rank else {
      if let held = typed {
        if asOf < held.asOf { return }
        if asOf == held.asOf {
          // Of one instant: a removal first, as in merging.
          if (value == nil) != (held.value == nil) {
            if value != nil { return }
          } else if source > held.source {
            return
          }
        }
      }
      typed = (asOf, value, source)
      return
    }
    guard let value else { return }
    if let held = imported {
      if rank > held.rank { return }
      if rank == held.rank {
        if asOf < held.asOf { return }
        if asOf == held.asOf, source > held.source { return }
      }
    }
    imported = (rank, asOf, value, source)
  }

  /// The value that is shown and its source; nil where there is none.
  @inlinable public var shown: (value: Double, source: Source)? {
    if let typed, let value = typed.value { return (value, typed.source) }
    if let imported { return (imported.value, imported.source) }
    return nil
  }

  /// Whether a typed value is what is shown.
  @inlinable public var isTyped: Bool { typed?.value != nil }
}
