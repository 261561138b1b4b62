/// Whether probabilities say what they mean: of the days forecast at about 30 %, about 30 % should be yes.
public struct CalibrationTable: Equatable, Sendable {
  /// Forecasts of like probability.
  public struct Bin: Equatable, Sendable {
    /// The least and the largest probability in it.
    public let probabilities: ClosedRange<Double>
    /// Forecasts of positive weight.
    public let count: Int
    /// The sum of their weights.
    public let weight: Double
    /// Their weighted mean probability.
    public let meanForecast: Double
    /// The weighted share of yes that came, with a 95 % interval; weights count as days there.
    public let observed: ShareInterval
  }

  /// How forecasts are put into bins.
  public enum Binning: Equatable, Sendable {
    /// About as many in each, in ascending order; equal probabilities are never parted, so that there may
    /// be fewer bins.
    case equalCounts
    /// Parts of 0 to 1 of one width; those without forecasts are left out.
    case equalWidths
  }

  /// The bins in ascending order, none empty.
  public let bins: [Bin]

  /// Tabulates probabilities against outcomes.
  ///
  /// - Parameters:
  ///   - probabilities: One or more, from 0 to 1.
  ///   - outcomes: As many, 1 for yes and 0 for no.
  ///   - weights: One per pair, from 0 up; 0 leaves it out. Nil is 1 for all.
  ///   - binCount: At most this many bins, from 1 up.
  ///   - binning: How probabilities are shared out among the bins.
  /// - Throws: As ``ProbabilityScores``; ``LearningError/invalidSetting(_:)`` for a count below 1.
  /// - Complexity: O(*n* log *n*).
  public init(
    _ probabilities: ContiguousArray<Double>, _ outcomes: ContiguousArray<Double>,
    weights: ContiguousArray<Double>? = nil, binCount: Int = 10, binning: Binning = .equalCounts
  ) throws(LearningError) {
    guard binCount > 0 else { throw .invalidSetting("binCount") }
    try ForecastCheck.check(probabilities: probabilities, outcomes, weights)
    let order = probabilities.indices.filter { (weights?[$0] ?? 1) > 0 }
      .sorted { (probabilities[$0], $0) < (probabilities[$1], $1) }
    let mostBins = min(binCount, order.count)
    var bins: [Bin] = []
    var start = 0
    while start < order.count {
      let end =
        switch binning {
        case .equalCounts:
          // What is left is shared out among the bins that are left.
          Self.end(start, order, probabilities) { taken, _ in
            taken * max(1, mostBins - bins.count) >= order.count - start
          }
        case .equalWidths:
          Self.end(start, order, probabilities) { _, next in
            Self.part(next, of: binCount) > Self.part(probabilities[order[start]], of: binCount)
          }
        }
      bins.append(Bin(order[start..<end], probabilities, outcomes, weights))
      start = end
    }
    self.bins = bins
  }

  /// Weighted mean distance of mean forecast and observed share over the bins, from 0 to 1; it is biased
  /// upwards where bins hold few days.
  ///
  /// *Obtaining well calibrated probabilities using Bayesian binning*, Pakdaman Naeini, Cooper and
  /// Hauskrecht, AAAI 2015.
  public var expectedCalibrationError: Double {
    let total = bins.reduce(0) { $0 + $1.weight }
    return bins.reduce(0) { $0 + $1.weight * abs($1.observed.share - $1.meanForecast) } / total
  }

  /// Where a bin that begins at `start` ends: at the first probability not yet in it that `isFull`, told
  /// how many are in it and what the next probability is, does not let in.
  private static func end(
    _ start: Int, _ order: [Int], _ probabilities: ContiguousArray<Double>,
    isFull: (Int, Double) -> Bool
  ) -> Int {
    var end = start + 1
    while end < order.count {
      let next = probabilities[order[end]]
      if next != probabilities[order[end - 1]], isFull(end - start, next) { break }
      end += 1
    }
    return end
  }

  /// Which of `count` equal parts of 0 to 1 a probability lies in; 1 lies in the last.
  private static func part(_ probability: Double, of count: Int) -> Int {
    let place = probability * Double(count)
    return place < Double(count) ? min(count - 1, Int(place)) : count - 1
  }
}

extension CalibrationTable.Bin {
  fileprivate init(
    _ rows: ArraySlice<Int>, _ probabilities: ContiguousArray<Double>,
    _ outcomes: ContiguousArray<Double>, _ weights: ContiguousArray<Double>?
  ) {
    var (sum, hits, total) = (0.0, 0.0, 0.0)
    for row in rows {
      let weight = weights?[row] ?? 1
      total += weight
      sum += weight * probabilities[row]
      hits += weight * outcomes[row]
    }
    let low = probabilities[rows[rows.startIndex]]
    let high = probabilities[rows[rows.endIndex - 1]]
    self.probabilities = low...high
    count = rows.count
    weight = total
    meanForecast = min(max(sum / total, low), high)
    observed = ShareInterval(hits: hits, of: total)
  }
}
