internal import DayLog
internal import Learning

/// Where a target's scale ends, as far as its values so far and its name tell.
///
/// - What was never below 0 has no values there.
/// - Whole numbers that never left 0 to 10, or 1 to 10, are a rating on that scale.
/// - What is named a score, an efficiency or a percentage and never left 0 to 100 ends there.
/// - A value that is the highest (or lowest) ever, on three days at least and one in twenty, is an end: a ceiling
///   that ratings pile up at.
struct ScaleEnds: Equatable, Sendable {
  private let isPercentage: Bool
  private var count = 0.0
  private var low = Double.infinity
  private var high = -Double.infinity
  private var lowCount = 0.0
  private var highCount = 0.0
  private var isWhole = true

  /// A scale of which no value is known.
  init(of metric: Metric) {
    isPercentage = ["score", "efficiency", "pct", "percent", "percentage"].contains {
      metric.name == $0 || metric.name.hasSuffix("_" + $0)
    }
  }

  /// Takes in a known value.
  mutating func observe(_ value: Double) {
    count += 1
    isWhole = isWhole && value.rounded() == value
    if value < low { (low, lowCount) = (value, 0) }
    if value > high { (high, highCount) = (value, 0) }
    if value == low { lowCount += 1 }
    if value == high { highCount += 1 }
  }

  /// The least value there is; minus infinity where no end is known.
  var lower: Double {
    if isEnd(lowCount) { return low }
    return isRating && low >= 1 ? 1 : low >= 0 ? 0 : -.infinity
  }

  /// The largest value there is; infinity where no end is known.
  var upper: Double {
    if isEnd(highCount) { return high }
    if isRating { return 10 }
    return isPercentage && low >= 0 && high <= 100 ? 100 : .infinity
  }

  /// What no regression may leave: the range of the values, a tenth wider on both sides, within the scale; there must
  /// be one.
  var bounds: ClosedRange<Double> {
    let margin = (high - low) / 10
    guard margin.isFinite else { return low...high }
    return max(low - margin, lower)...min(high + margin, upper)
  }

  private var isRating: Bool { count > 0 && isWhole && low >= 0 && high <= 10 }

  private func isEnd(_ days: Double) -> Bool { days >= 3 && 20 * days >= count && low < high }
}

extension ScaleEnds {
  func write(to writer: inout BlobWriter) {
    for number in [count, low, high, lowCount, highCount] { writer.write(number) }
    writer.write(isWhole)
  }

  init(of metric: Metric, from reader: inout BlobReader) throws(BlobError) {
    self.init(of: metric)
    count = try reader.readDouble()
    low = try reader.readDouble()
    high = try reader.readDouble()
    lowCount = try reader.readDouble()
    highCount = try reader.readDouble()
    isWhole = try reader.readBool()
  }
}
