/// Prediction intervals around the forecasts of a rolling origin, each from the errors known when the
/// forecast was made, and how they did.
public struct RollingIntervals: Equatable, Sendable {
  /// How past errors become a width.
  public enum Method: Sendable, CaseIterable {
    /// ``SplitConformal`` over all errors known.
    case split
    /// ``AdaptiveInterval`` with its own settings for the rest.
    case adaptive
  }

  /// Half the width of each interval in the outcomes' unit, one per row of ``RollingForecasts/rows``; nil
  /// while too few errors were known.
  public let halfWidths: [Double?]
  /// How the intervals did; nil where no row had one.
  public let coverage: IntervalCoverage?
}

extension RollingForecasts {
  /// Intervals around the forecasts at one penalty.
  ///
  /// - Parameters:
  ///   - method: How past errors become a width. Errors of rows of weight 0 do not count.
  ///   - nominal: The share of outcomes to cover, between 0 and 1.
  ///   - position: The position of the penalty.
  ///   - scalesWithLeverage: Whether a row that lies farther out gets a wider interval: errors are then
  ///     taken relative to √(1 + leverage), and the width is scaled back by the row's own.
  /// - Throws: ``LearningError/invalidSetting(_:)`` for a coverage that is not between 0 and 1.
  /// - Complexity: O(*n* log *n*), and moving *n* / 2 numbers for each of *n* rows.
  /// - Note: Scaled errors: *Distribution-free predictive inference for regression*, Lei, G'Sell, Rinaldo,
  ///   Tibshirani and Wasserman, Journal of the American Statistical Association 113 (2018), section 5.2.
  public func intervals(
    _ method: RollingIntervals.Method = .adaptive, coverage nominal: Double = 0.9,
    position: Int = 0, scalesWithLeverage: Bool = false
  ) throws(LearningError) -> RollingIntervals {
    var adaptive = try AdaptiveInterval(coverage: nominal)
    var past = SortedErrors()
    let errors = losses(position: position)
    let scales = leverageColumns[position].map { scalesWithLeverage ? (1 + $0).squareRoot() : 1 }
    var halves: [Double?] = []
    var seen = 0
    for row in 0..<rows.count {
      while seen < min(row, known[row] - rows.lowerBound) {
        if weights.map({ $0[seen] > 0 }) ?? true {
          let error = errors[seen] / scales[seen]
          switch method {
          case .split: past.insert(error)
          case .adaptive:
            try adaptive.observe(error, halfWidth: halves[seen].map { $0 / scales[seen] })
          }
        }
        seen += 1
      }
      let half =
        switch method {
        case .split: SplitConformal.halfWidth(past, coverage: nominal)
        case .adaptive: adaptive.halfWidth
        }
      halves.append(half.map { $0 * scales[row] })
    }
    return RollingIntervals(
      halfWidths: halves,
      coverage: IntervalCoverage(
        nominal: nominal, forecasts: columns[position], halfWidths: halves, outcomes: outcomes))
  }
}

/// Errors in ascending order.
struct SortedErrors: Equatable, Sendable {
  private(set) var values: ContiguousArray<Double> = []

  mutating func insert(_ error: Double) { values.insert(error, at: place(of: error)) }

  /// Takes one of the errors out.
  mutating func remove(_ error: Double) { values.remove(at: place(of: error)) }

  /// The first position whose error is not below this one.
  private func place(of error: Double) -> Int {
    var (low, high) = (0, values.count)
    while low < high {
      let middle = (low + high) / 2
      if values[middle] < error { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
