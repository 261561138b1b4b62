#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How an outcome's noise hangs together.
struct SerialNoise: Hashable {
  /// The share of yesterday's noise that today keeps, above -1 and below 1.
  var autocorrelation: Double
  /// The standard deviation of the seven weekdays' own effects, in standard deviations of the noise; 0 where the
  /// week leaves no trace.
  var weekdaySpread: Double
}

/// Least squares on the days of one outcome, whose noise keeps a share of yesterday's and whose week has a
/// pattern.
///
/// Values of days *d* apart have correlation φᵈ (a first-order autoregression seen on some days alone), so each
/// row less φᵈ times the row before it, divided by √(1 − φ²ᵈ), has independent noise: no day is lost to
/// a gap. Mean and level are taken out of both sides, and weekdays as far as the outcome shows any: as random
/// effects, that is by rows that hold each weekday's effect near 0 with the weight it deserves.
///
/// *Application of least squares regression to relationships containing auto-correlated error terms*,
/// Cochrane and Orcutt, JASA 44 (1949); gaps as in *Maximum likelihood fitting of ARMA models to time series with
/// missing observations*, Jones, Technometrics 22 (1980); random effects as rows as in *Estimation of variance
/// components*, Henderson (1984).
struct SerialRegression {
  /// What is left to judge a slope by: days less the numbers that mean, level and weekdays have taken, weekdays
  /// as much as they are believed.
  private(set) var degreesOfFreedom: Double

  /// How many days there are; further rows of a whitened column belong to no day.
  let dayCount: Int
  /// The days, and one more row for each weekday contrast that is held near 0.
  let rowCount: Int
  /// The share of the row before that a row is rid of, and what the difference is multiplied by.
  private(set) var kept: ContiguousArray<Double>
  private(set) var scale: ContiguousArray<Double>
  /// Orthonormal columns, one after the other.
  private(set) var basis: ContiguousArray<Double> = []
  private(set) var basisCount = 0
  /// How many columns are free of any prior.
  private var freeCount = 0
  /// The logarithm of the determinant of the basis columns' Gram matrix, less that of the weekdays' prior.
  private var logDeterminant = 0.0

  /// Prepares for outcomes on `days`, ascending, with this noise.
  ///
  /// - Complexity: O(*n k*²) for *n* days and *k* nuisance columns.
  init(_ days: [Int], _ noise: SerialNoise, _ nuisance: NuisanceBasis) {
    dayCount = days.count
    let holdsWeekdays = noise.weekdaySpread > 0
    rowCount = days.count + (holdsWeekdays ? nuisance.weekdays.count : 0)
    kept = ContiguousArray(repeating: 0, count: days.count)
    scale = ContiguousArray(repeating: 1, count: days.count)
    for row in days.indices.dropFirst() {
      let share = pow(noise.autocorrelation, Double(days[row] - days[row - 1]))
      kept[row] = share
      scale[row] = 1 / (1 - share * share).squareRoot()
    }
    degreesOfFreedom = Double(days.count - 1)
    for column in nuisance.level { absorb(whitened(column)) }
    guard holdsWeekdays else { return }
    for (index, column) in nuisance.weekdays.enumerated() {
      var column = whitened(column)
      column[dayCount + index] = 1 / noise.weekdaySpread
      absorb(column, prior: 1 / (noise.weekdaySpread * noise.weekdaySpread))
    }
  }

  /// Makes a whitened column part of the orthonormal basis, unless the columns before it span it.
  ///
  /// - Parameter prior: the weight with which the column's effect is held near 0.
  private mutating func absorb(_ column: ContiguousArray<Double>, prior: Double = 0) {
    var column = column
    let before = Self.product(column, column)
    // Twice: what rounding leaves after the first pass the second takes out.
    for _ in 0..<2 { project(&column) }
    let after = Self.product(column, column)
    guard after > 1e-12 * before else { return }
    logDeterminant += log(prior > 0 ? after / prior : after)
    if prior == 0 { freeCount += 1 }
    degreesOfFreedom -= max(0, 1 - prior / after)
    let factor = 1 / after.squareRoot()
    for row in column.indices { column[row] *= factor }
    basis.append(contentsOf: column)
    basisCount += 1
  }

  /// Takes the autocorrelation out of a column of one value a day.
  func whitened(_ column: ContiguousArray<Double>) -> ContiguousArray<Double> {
    var result = ContiguousArray(repeating: 0.0, count: rowCount)
    let (source, kept, scale) = (column.span, kept.span, scale.span)
    var target = result.mutableSpan
    for row in 0..<dayCount {
      let before = row > 0 ? kept[row] * source[row - 1] : 0
      target[row] = (source[row] - before) * scale[row]
    }
    return result
  }

  /// Takes what the basis says out of a whitened column.
  private func project(_ column: inout ContiguousArray<Double>) {
    let (count, basis) = (rowCount, basis.span)
    var column = column.mutableSpan
    var start = 0
    for _ in 0..<basisCount {
      var product = 0.0
      for row in 0..<count { product += basis[start + row] * column[row] }
      for row in 0..<count { column[row] -= product * basis[start + row] }
      start += count
    }
  }

  /// What mean, level and weekdays leave of a column that has been whitened.
  func departure(ofWhitened column: ContiguousArray<Double>) -> ContiguousArray<Double> {
    var column = column
    project(&column)
    return column
  }

  /// The sum of the products of two columns.
  static func product(
    _ left: ContiguousArray<Double>, _ right: ContiguousArray<Double>
  ) -> Double {
    let (left, right) = (left.span, right.span)
    var sum = 0.0
    for row in left.indices { sum += left[row] * right[row] }
    return sum
  }
}

extension SerialRegression {
  /// The logarithm of the restricted likelihood of an outcome, up to a constant: how well the noise explains what mean
  /// and level leave, with what they took counted.
  func likelihood(_ outcome: ContiguousArray<Double>) -> Double {
    let left = departure(ofWhitened: whitened(outcome))
    let square = Self.product(left, left)
    guard square > 0 else { return -.infinity }
    return scale.reduce(0) { $0 + log($1) }
      - 0.5 * (Double(dayCount - freeCount) * log(square) + logDeterminant)
  }
}
