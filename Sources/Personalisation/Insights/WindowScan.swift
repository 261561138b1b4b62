/// Looks for stretches of days on which an outcome was off: how far, in standard errors, every stretch departs
/// from what autoregression, level and weekdays leave to expect.
///
/// A stretch is a column of ones in the outcome's regression, and its test is that of the column: *Joint estimation
/// of model parameters and outlier effects in time series*, Chen and Liu, JASA 88 (1993). Sums over rows from the
/// first on make each stretch cost the same, however long.
struct WindowScan {
  /// The days of the rows, ascending.
  let days: [Int]
  private let deviation: Double
  private let columnCount: Int
  /// For the departure and then each column of the basis: sums, over the rows before, of what a row in the stretch adds
  /// to the product with the stretch's whitened column.
  private var products: ContiguousArray<Double>
  /// Sums of the squares that rows in the stretch add, and of what two rows in a row take off again.
  private var squares: ContiguousArray<Double>
  private var shared: ContiguousArray<Double>

  /// Prepares to look at an outcome.
  ///
  /// - Parameters:
  ///   - departure: what the regression leaves of the outcome.
  /// - Complexity: O(*n k*) for *n* days and *k* columns.
  init(_ days: [Int], _ regression: SerialRegression, departure: ContiguousArray<Double>) {
    self.days = days
    let (count, rows) = (days.count, regression.rowCount)
    columnCount = regression.basisCount
    deviation =
      (SerialRegression.product(departure, departure) / max(1, regression.degreesOfFreedom))
      .squareRoot()
    let (kept, scale) = (regression.kept, regression.scale)
    products = ContiguousArray(repeating: 0, count: (columnCount + 1) * (count + 1))
    for column in 0...columnCount {
      let start = (column - 1) * rows
      var sum = 0.0
      for row in 0..<count {
        let own = column == 0 ? departure[row] : regression.basis[start + row]
        sum += scale[row] * own
        if row + 1 < count {
          let next = column == 0 ? departure[row + 1] : regression.basis[start + row + 1]
          sum -= kept[row + 1] * scale[row + 1] * next
        }
        products[column * (count + 1) + row + 1] = sum
      }
    }
    squares = ContiguousArray(repeating: 0, count: count + 1)
    shared = ContiguousArray(repeating: 0, count: count + 1)
    for row in 0..<count {
      let next = row + 1 < count ? kept[row + 1] * scale[row + 1] : 0
      squares[row + 1] = squares[row] + scale[row] * scale[row] + next * next
      shared[row + 1] = shared[row] + kept[row] * scale[row] * scale[row]
    }
  }

  /// How far the rows of a stretch are off, in standard errors; 0 where it holds no row, or all that it holds is level
  /// or weekday.
  ///
  /// - Complexity: O(*k*).
  func departure(of rows: Range<Int>) -> Double {
    guard !rows.isEmpty, deviation > 0 else { return 0 }
    let (first, end, count) = (rows.lowerBound, rows.upperBound, days.count + 1)
    let whole =
      squares[end] - squares[first] - 2 * (shared[end] - shared[first + 1])
    var square = whole
    for column in 1..<(columnCount + 1) {
      let product = products[column * count + end] - products[column * count + first]
      square -= product * product
    }
    guard square > 1e-6 * whole else { return 0 }
    return (products[end] - products[first]) / (square.squareRoot() * deviation)
  }

  /// The day from which on the outcome is furthest off, and how far; nil where there is no such day.
  func furthestStep() -> (day: Int, departure: Double)? {
    let edge = 7
    guard days.count > 2 * edge else { return nil }
    var best: (day: Int, departure: Double)?
    for row in edge..<(days.count - edge) {
      let off = departure(of: row..<days.count)
      if abs(off) > abs(best?.departure ?? 0) { best = (days[row], off) }
    }
    return best
  }
}
