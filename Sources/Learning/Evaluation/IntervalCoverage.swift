/// How prediction intervals did on the outcomes that came.
public struct IntervalCoverage: Equatable, Sendable {
  /// The share of outcomes that was to be covered.
  public let nominal: Double
  /// Outcomes that had an interval.
  public let count: Int
  /// The share of them that lay within, ends included, with a 95 % interval as if they were independent.
  public let covered: ShareInterval
  /// The median width, in the outcomes' unit: the mean of the middle two of an even count.
  public let medianWidth: Double
  /// The mean width plus 2 / (1 − ``nominal``) times the mean distance of outcomes from their interval,
  /// in the outcomes' unit: of two kinds of intervals the one with the lower score is better.
  ///
  /// *Strictly proper scoring rules, prediction, and estimation*, Gneiting and Raftery, Journal of the
  /// American Statistical Association 102 (2007), 359–378. Infinite where everything was to be covered.
  public let meanScore: Double

  /// Intervals of forecasts plus or minus half-widths; nil where none had an interval.
  ///
  /// - Parameters:
  ///   - nominal: The share that the intervals were to cover.
  ///   - forecasts: Finite numbers.
  ///   - halfWidths: One per forecast, from 0 up; nil where it had no interval, which then does not count.
  ///   - outcomes: One per forecast, finite.
  /// - Precondition: All three have one length, and `nominal` is from 0 to 1.
  public init?(
    nominal: Double, forecasts: some Collection<Double>, halfWidths: some Collection<Double?>,
    outcomes: some Collection<Double>
  ) {
    precondition(forecasts.count == halfWidths.count && forecasts.count == outcomes.count)
    precondition((0...1).contains(nominal), "a share that is not from 0 to 1")
    self.init(
      nominal, ContiguousArray(forecasts), ContiguousArray(halfWidths), ContiguousArray(outcomes))
  }

  /// The same of arrays: a loop over collections of unknown type looks each element's type up.
  private init?(
    _ nominal: Double, _ forecasts: ContiguousArray<Double>,
    _ halfWidths: ContiguousArray<Double?>, _ outcomes: ContiguousArray<Double>
  ) {
    var (widths, hits, beyond): ([Double], Int, Double) = ([], 0, 0)
    for row in forecasts.indices {
      guard let half = halfWidths[row] else { continue }
      let error = abs(outcomes[row] - forecasts[row])
      widths.append(2 * half)
      if error <= half { hits += 1 } else { beyond += error - half }
    }
    guard !widths.isEmpty else { return nil }
    widths.sort()
    self.nominal = nominal
    count = widths.count
    covered = ShareInterval(hits: Double(hits), of: Double(count))
    medianWidth = (widths[(count - 1) / 2] + widths[count / 2]) / 2
    meanScore =
      nominal < 1
      ? (widths.reduce(0, +) + 2 / (1 - nominal) * beyond) / Double(count) : .infinity
  }
}
