package import Time

extension Instant {
  /// The last moment that a sync file can carry: 2⁵³ − 1 milliseconds, in the year 287,396.
  package static let lastWritten = Instant(milliseconds: (1 << 53) - 1)

  /// How far ahead of this device's clock another one may be, in milliseconds: a day.
  package static let grace: Int64 = 86_400_000

  /// Whether this moment is so far after `now` that no sound clock can have shown it.
  package func isBeyond(_ now: Instant) -> Bool {
    // The difference of two moments may not fit where one of them is forged.
    let (limit, isTooLarge) = now.milliseconds.addingReportingOverflow(Self.grace)
    return !isTooLarge && milliseconds > limit
  }
}

extension Entry {
  /// The entry as of `now` where its moment is beyond it; else as it is.
  package func broughtBack(to now: Instant) -> Entry {
    asOf.isBeyond(now) ? Entry(key: key, asOf: now, value: value) : self
  }
}
