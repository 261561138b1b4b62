import DayLog
public import Time

/// What became of entries that were merged into a store. Each entry counts once.
public struct MergeSummary: Sendable, Equatable {
  /// Entries of a day, metric and source of which nothing was held.
  public var added = 0
  /// Entries that replaced an earlier word of the same source by another value.
  public var refreshed = 0
  /// Entries that took a value away.
  public var removed = 0
  /// Entries that said what was held already; of two that say the same the later moment is kept.
  public var unchanged = 0
  /// Entries that are earlier than what the same source has said since.
  public var outdated = 0
  /// Imported entries that would count as added or refreshed, but a typed value is shown before them.
  public var keptTyped = 0
  /// Entries of what the person has asked to forget: not stored.
  public var forgotten = 0
  /// The days on which any metric now shows another value, or none, or one for the first time.
  public var changedDays: [CalendarDay] = []

  /// The summary of nothing.
  public init() {}

  /// How many entries were merged.
  public var total: Int {
    added + refreshed + removed + unchanged + outdated + keptTyped + forgotten
  }
}

/// The number of a write that changed what days show; it grows with each and never goes back.
public typealias ChangeNumber = Int64

extension MergeSummary {
  /// Counts what became of more entries; the changed days are left to whoever adds.
  mutating func add(_ other: MergeSummary) {
    added += other.added
    refreshed += other.refreshed
    removed += other.removed
    unchanged += other.unchanged
    outdated += other.outdated
    keptTyped += other.keptTyped
    forgotten += other.forgotten
  }
}
