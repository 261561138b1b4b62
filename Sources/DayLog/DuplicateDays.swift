package import Time

/// One row of a log that cannot forbid two rows of one day, such as a store that syncs by itself.
package struct DayRow: Hashable, Sendable {
  /// Tells the row from every other, on every device alike: a UUID's text.
  package let id: String
  /// The day that the row is of.
  package let day: CalendarDay
  /// What the row holds, at most one entry of a key, all of its day.
  package let entries: [Entry]

  /// A row of `day`.
  package init(id: String, day: CalendarDay, entries: [Entry]) {
    precondition(entries.allSatisfy { $0.key.day == day }, "a row holds entries of its day")
    self.id = id
    self.day = day
    self.entries = entries
  }
}

extension Merge {
  /// Folds the rows of each day into one by the merge rule, whatever order they come in; folding what
  /// was folded changes nothing.
  ///
  /// The row with the smallest id survives, which every device finds alike. Save the rows that are
  /// kept before the others are deleted.
  ///
  /// - Returns: a row a day in ascending order, entries in order of key, and the ids that are to be deleted.
  package static func fold(
    _ rows: some Sequence<DayRow>, marks: ForgetMarks = ForgetMarks()
  ) -> (kept: [DayRow], deleted: [String]) {
    var kept: [DayRow] = []
    var deleted: Set<String> = []
    for (day, group) in Dictionary(grouping: rows, by: \.day) {
      guard let survivor = group.map(\.id).min(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) })
      else { continue }
      var latest: [EntryKey: Entry] = [:]
      for entry in group.flatMap(\.entries) where !marks.cover(entry) {
        latest[entry.key] = latest[entry.key].map { later($0, entry) } ?? entry
      }
      kept.append(
        DayRow(id: survivor, day: day, entries: latest.values.sorted { $0.key < $1.key }))
      deleted.formUnion(group.map(\.id).filter { $0 != survivor })
    }
    return (kept.sorted { $0.day < $1.day }, deleted.sorted())
  }
}
