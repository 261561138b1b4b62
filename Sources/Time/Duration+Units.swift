extension Duration {
  /// A span of whole minutes.
  public static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }

  /// A span of whole hours, of 3,600 seconds each.
  public static func hours(_ count: Int) -> Duration { .seconds(count * 3600) }

  /// A span of whole days of 24 hours each: no calendar is asked.
  public static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }

  /// The span in milliseconds, rounded towards zero; the largest or smallest number there is where it
  /// does not fit.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    guard !overflow else { return seconds > 0 ? .max : .min }
    let (sum, carried) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return carried ? (seconds > 0 ? .max : .min) : sum
  }
}
