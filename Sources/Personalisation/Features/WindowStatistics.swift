/// Mean, standard deviation, minimum and maximum over a trailing window of days, for every day of a
/// series, in a few operations a day whatever the window's length.
///
/// Days are cut into blocks as long as the window, at fixed day numbers. A window is then the end of
/// one block and the beginning of the next, each accumulated once; the two are merged. A result so
/// depends on the days in its own window and on nothing else, to the bit: a series built in pieces
/// equals one built whole.
///
/// *A fast algorithm for local minimum and maximum filters*, van Herk, Pattern Recognition Letters 13
/// (1992); merging of moments: *Updating formulae and a pairwise algorithm for computing sample
/// variances*, Chan, Golub and LeVeque (1979).
struct WindowStatistics {
  /// The window in days.
  let days: Int
  private(set) var mean: ContiguousArray<Double> = []
  private(set) var spread: ContiguousArray<Double> = []
  private(set) var minimum: ContiguousArray<Double> = []
  private(set) var maximum: ContiguousArray<Double> = []

  private var ends: ContiguousArray<Part>
  private let reciprocals: ContiguousArray<Double>

  /// What is known of one part of a window.
  private struct Part {
    var count = 0
    var mean = 0.0
    var squares = 0.0
    var minimum = Double.infinity
    var maximum = -Double.infinity
  }

  init(days: Int) {
    self.days = days
    ends = ContiguousArray(repeating: Part(), count: days + 1)
    reciprocals = ContiguousArray((0...days).map { $0 == 0 ? 0 : 1 / Double($0) })
  }

  /// Computes the four series for windows that end on each position of `series`.
  ///
  /// Results are NaN where the window holds no value (for the spread: fewer than two), and not to be
  /// used for the first `2 * days` positions.
  ///
  /// - Parameters:
  ///   - series: one value a day, NaN where missing.
  ///   - firstDay: the number of the day at position 0.
  mutating func compute(_ series: ContiguousArray<Double>, firstDay: Int) {
    let count = series.count
    if mean.count != count {
      mean = ContiguousArray(repeating: .nan, count: count)
      spread = mean
      minimum = mean
      maximum = mean
    }
    let past = (firstDay + days) % days
    var block = past <= 0 ? days - past : 2 * days - past
    while block < count {
      Self.accumulateEnds(series, block: block, reciprocals, &ends)
      Self.merge(
        series, block: block, reciprocals, ends, &mean, &spread, &minimum, &maximum)
      block += days
    }
  }

  /// The ends of the block before position `block`: `ends[j]` for the window that has `j` of its days
  /// to leave out.
  private static func accumulateEnds(
    _ series: ContiguousArray<Double>, block: Int, _ reciprocals: ContiguousArray<Double>,
    _ ends: inout ContiguousArray<Part>
  ) {
    let days = ends.count - 1
    let series = series.span
    let reciprocals = reciprocals.span
    var (count, pivot, sum, squares) = (0, 0.0, 0.0, 0.0)
    var (low, high) = (Double.infinity, -Double.infinity)
    var ends = ends.mutableSpan
    ends[days] = Part()
    var left = days - 1
    while left > 0 {
      let value = series[block - days + left]
      if value == value {
        if count == 0 { pivot = value }
        count += 1
        let centred = value - pivot
        sum += centred
        squares += centred * centred
        low = value < low ? value : low
        high = value > high ? value : high
      }
      let shift = sum * reciprocals[count]
      ends[left] = Part(
        count: count, mean: pivot + shift, squares: squares - sum * shift, minimum: low,
        maximum: high)
      left -= 1
    }
  }

  /// The windows that end in the block at position `block`.
  private static func merge(
    _ series: ContiguousArray<Double>, block: Int, _ reciprocals: ContiguousArray<Double>,
    _ ends: ContiguousArray<Part>,
    _ mean: inout ContiguousArray<Double>, _ spread: inout ContiguousArray<Double>,
    _ minimum: inout ContiguousArray<Double>, _ maximum: inout ContiguousArray<Double>
  ) {
    var (count, pivot, sum, squares) = (0, 0.0, 0.0, 0.0)
    var (low, high) = (Double.infinity, -Double.infinity)
    let end = min(block + ends.count - 1, series.count)
    let series = series.span
    let reciprocals = reciprocals.span
    let ends = ends.span
    var means = mean.mutableSpan
    var spreads = spread.mutableSpan
    var minima = minimum.mutableSpan
    var maxima = maximum.mutableSpan
    var position = block
    while position < end {
      let value = series[position]
      if value == value {
        if count == 0 { pivot = value }
        count += 1
        let centred = value - pivot
        sum += centred
        squares += centred * centred
        low = value < low ? value : low
        high = value > high ? value : high
      }
      let old = ends[position - block + 1]
      let total = old.count + count
      if total == 0 {
        means[position] = .nan
        spreads[position] = .nan
        minima[position] = .nan
        maxima[position] = .nan
      } else {
        let shift = sum * reciprocals[count]
        let recent = pivot + shift
        let before = old.count == 0 ? recent : old.mean
        let step = recent - before
        let share = step * Double(count) * reciprocals[total]
        means[position] = before + share
        minima[position] = old.minimum < low ? old.minimum : low
        maxima[position] = old.maximum > high ? old.maximum : high
        let around = old.squares + (squares - sum * shift) + share * step * Double(old.count)
        spreads[position] =
          total < 2
          ? .nan : (around > 0 ? around * reciprocals[total - 1] : 0).squareRoot()
      }
      position += 1
    }
  }
}
