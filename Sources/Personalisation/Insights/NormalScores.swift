#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Ranks turned into the values that a normal sample of the same size would have there, so that one wild
/// day counts no more than one day.
enum NormalScores {
  /// Blom's scores Φ⁻¹((r − 3/8) / (n + 1/4)) of `values`; equal values share the score of their mean rank.
  ///
  /// - Complexity: O(*n* log *n*).
  static func of(_ values: ContiguousArray<Double>) -> ContiguousArray<Double> {
    let order = values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
    var scores = values
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
      let rank = Double(start + end + 1) / 2
      let score = quantile((rank - 0.375) / (Double(values.count) + 0.25))
      for position in start..<end { scores[order[position]] = score }
      start = end
    }
    return scores
  }

  /// The standard normal quantile of a probability above 0 and below 1.
  ///
  /// Bisected to the last bit.
  static func quantile(_ probability: Double) -> Double {
    guard probability != 0.5 else { return 0 }
    let tail = min(probability, 1 - probability)
    var (low, high) = (0.0, 9.0)
    while true {
      let middle = (low + high) / 2
      guard middle > low, middle < high else { return probability < 0.5 ? -middle : middle }
      if 0.5 * erfc(middle / 2.0.squareRoot()) > tail { low = middle } else { high = middle }
    }
  }
}
