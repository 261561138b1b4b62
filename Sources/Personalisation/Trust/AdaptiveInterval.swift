/// Prediction intervals from past errors, widened while too many outcomes fall outside and narrowed
/// while too few do.
///
/// The half-width is a quantile of the last ``memory`` absolute errors; the quantile asked for moves by
/// ``step`` with every hit and miss, so that coverage returns to the nominal one after any shift.
///
/// *Adaptive conformal inference under distribution shift*, Gibbs and Candès, NeurIPS 2021.
struct AdaptiveInterval: Sendable {
  /// The share of outcomes to cover.
  let nominal: Double
  static let memory = 120
  static let step = 0.03
  /// Fewer errors give no interval.
  static let least = 10

  private var missRate: Double
  private var errors: ContiguousArray<Double> = []
  private var sorted: ContiguousArray<Double> = []

  init(nominal: Double) {
    self.nominal = nominal
    missRate = 1 - nominal
  }

  /// Half the width of the interval around the next forecast; nil while there are too few errors.
  var halfWidth: Double? {
    guard sorted.count >= Self.least else { return nil }
    let rank = (1 - missRate) * Double(sorted.count + 1)
    let last = sorted.count
    if rank >= Double(last) {
      // Beyond the largest error seen: by its share, so that repeated misses keep widening.
      return sorted[last - 1] * (1 + (rank - Double(last)) / Double(last + 1) * 2)
    }
    guard rank > 1 else { return sorted[0] }
    let below = Int(rank)
    let part = rank - Double(below)
    return sorted[below - 1] + part * (sorted[below] - sorted[below - 1])
  }

  /// Takes in the absolute error of a forecast that had an interval of this half-width.
  mutating func observe(_ error: Double, halfWidth: Double?) {
    if let halfWidth {
      missRate += Self.step * (1 - nominal - (error > halfWidth ? 1 : 0))
      missRate = min(max(missRate, -0.5), 1)
    }
    if errors.count == Self.memory {
      sorted.remove(at: Self.place(of: errors.removeFirst(), in: sorted))
    }
    errors.append(error)
    sorted.insert(error, at: Self.place(of: error, in: sorted))
  }

  /// The first position whose value is not below `value`.
  private static func place(of value: Double, in sorted: ContiguousArray<Double>) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
