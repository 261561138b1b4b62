/// Prediction intervals from past errors, widened while too many outcomes fall outside and narrowed
/// while too few do.
///
/// The half-width is a quantile of the last ``memory`` absolute errors; the quantile asked for moves by
/// ``step`` with every hit and miss, so that coverage returns to the nominal one after any shift. Past
/// the largest error the interval goes on widening by a share of it, to about twice that error at most:
/// it stays finite, unlike the paper's, at the price of the paper's guarantee for errors without bound.
///
/// *Adaptive conformal inference under distribution shift*, Gibbs and Candès, NeurIPS 2021.
public struct AdaptiveInterval: Equatable, Sendable {
  /// The share of outcomes to cover, between 0 and 1.
  public let nominal: Double
  /// How many of the last errors count.
  public let memory: Int
  /// How far the quantile moves with one forecast.
  public let step: Double
  /// Fewer errors give no interval.
  public let leastErrors: Int

  /// The share of misses that is asked of the errors at the moment; below 0 the interval reaches beyond
  /// the largest of them.
  public private(set) var missRate: Double
  private var errors: ContiguousArray<Double> = []
  private var sorted = SortedErrors()

  /// Intervals that know no errors yet.
  ///
  /// - Throws: ``LearningError/invalidSetting(_:)`` for a coverage that is not between 0 and 1, a memory
  ///   below the least errors, these below 1, or a step that is not from 0 up and below 1.
  public init(
    coverage nominal: Double, memory: Int = 120, step: Double = 0.03, leastErrors: Int = 10
  ) throws(LearningError) {
    guard nominal > 0, nominal < 1 else { throw .invalidSetting("coverage") }
    guard leastErrors > 0, memory >= leastErrors else { throw .invalidSetting("memory") }
    guard step >= 0, step < 1 else { throw .invalidSetting("step") }
    self.init(unchecked: nominal, memory: memory, step: step, leastErrors: leastErrors)
  }

  /// The same with settings that are known to be good.
  package init(
    unchecked nominal: Double, memory: Int = 120, step: Double = 0.03, leastErrors: Int = 10
  ) {
    self.nominal = nominal
    self.memory = memory
    self.step = step
    self.leastErrors = leastErrors
    missRate = 1 - nominal
  }

  /// Half the width of the interval around the next forecast, in the unit of the errors; nil while there
  /// are fewer than ``leastErrors``.
  public var halfWidth: Double? {
    let sorted = sorted.values
    guard sorted.count >= leastErrors else { return nil }
    let rank = (1 - missRate) * Double(sorted.count + 1)
    let last = sorted.count
    if rank >= Double(last) {
      // Beyond the largest error seen: by its share, so that repeated misses keep widening.
      let wider = sorted[last - 1] * (1 + (rank - Double(last)) / Double(last + 1) * 2)
      return min(wider, .greatestFiniteMagnitude)
    }
    guard rank > 1 else { return sorted[0] }
    let below = Int(rank)
    let part = rank - Double(below)
    return sorted[below - 1] + part * (sorted[below] - sorted[below - 1])
  }

  /// Takes in the absolute error of a forecast that had an interval of this half-width, nil where it had
  /// none.
  ///
  /// - Throws: ``LearningError/invalidSetting(_:)`` for an error or a half-width that is not a finite number from 0
  ///   up; the intervals are then as they were.
  /// - Complexity: O(log ``memory``), and moving at most ``memory`` numbers.
  public mutating func observe(_ error: Double, halfWidth: Double?) throws(LearningError) {
    guard error >= 0, error.isFinite else { throw .invalidSetting("error") }
    if let halfWidth, !(halfWidth >= 0 && halfWidth.isFinite) {
      throw .invalidSetting("halfWidth")
    }
    observe(checked: error, halfWidth: halfWidth)
  }

  /// The same with numbers that are known to be good.
  package mutating func observe(checked error: Double, halfWidth: Double?) {
    if let halfWidth {
      missRate += step * (1 - nominal - (error > halfWidth ? 1 : 0))
      missRate = min(max(missRate, -0.5), 1)
    }
    if errors.count == memory {
      sorted.remove(errors.removeFirst())
    }
    errors.append(error)
    sorted.insert(error)
  }
}
