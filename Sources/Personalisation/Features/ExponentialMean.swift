#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Means whose weights halve with age, counted in calendar days.
enum ExponentialMean {
  /// The factor by which a weight shrinks in a day.
  static func decay(halfLife: Int) -> Double { exp2(-1 / Double(halfLife)) }

  /// The mean over the last `days` days, normalised over the values present, for every position.
  ///
  /// Works in blocks as ``WindowStatistics`` does, so a result depends on its own days alone, to the
  /// bit; not to be used for the first `2 * days` positions.
  static func compute(
    _ series: ContiguousArray<Double>, firstDay: Int, halfLife: Int, days: Int,
    into result: inout ContiguousArray<Double>
  ) {
    let decay = decay(halfLife: halfLife)
    let weights = ContiguousArray((0...days).map { exp2(-Double($0) / Double(halfLife)) })
    var sums = ContiguousArray(repeating: 0.0, count: days + 1)
    var totals = sums
    let series = series.span
    var result = result.mutableSpan
    let past = (firstDay + days) % days
    var block = past <= 0 ? days - past : 2 * days - past
    while block < series.count {
      var (sum, total) = (0.0, 0.0)
      var left = days - 1
      while left > 0 {
        let value = series[block - days + left]
        if value == value {
          let weight = weights[days - left]
          sum += weight * value
          total += weight
        }
        sums[left] = sum
        totals[left] = total
        left -= 1
      }
      (sum, total) = (0, 0)
      var position = block
      let end = min(block + days, series.count)
      while position < end {
        let value = series[position]
        sum *= decay
        total *= decay
        if value == value {
          sum += value
          total += 1
        }
        let offset = position - block
        let weight = weights[offset]
        let both = total + weight * totals[offset + 1]
        result[position] = both > 0 ? (sum + weight * sums[offset + 1]) / both : .nan
        position += 1
      }
      block += days
    }
  }

  /// The mean over every day so far, normalised over the values present.
  ///
  /// - Parameters:
  ///   - column: one value a day from the first day of the log on, NaN where missing.
  ///   - start: the position of the result at which the column begins (negative: before it).
  static func computeUncut(
    _ column: ContiguousArray<Double>, start: Int, halfLife: Int,
    into result: inout ContiguousArray<Double>
  ) {
    let decay = decay(halfLife: halfLife)
    var (sum, total) = (0.0, 0.0)
    let column = column.span
    var result = result.mutableSpan
    var position = min(start, 0)
    while position < result.count {
      let index = position - start
      let value = index >= 0 && index < column.count ? column[index] : .nan
      sum *= decay
      total *= decay
      if value == value {
        sum += value
        total += 1
      }
      if position >= 0 { result[position] = total > 0 ? sum / total : .nan }
      position += 1
    }
  }

  /// One more value of a mean that is carried along, `days` days after the last one:
  /// `((1 - a)^days * mean + a * value) / ((1 - a)^days + a)`; a missing day leaves the mean as it is.
  static func carried(_ mean: Double, days: Int, value: Double, rate: Double) -> Double {
    let kept = pow(1 - rate, Double(days))
    return (kept * mean + rate * value) / (kept + rate)
  }
}
