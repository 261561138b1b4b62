public import LinearAlgebra

/// A rolling-origin evaluation of ridge regression in progress: every row is forecast by an exact refit on
/// the rows known before it, and no refit is made.
///
/// Rows come in stretches of ``RollingOrigin/scaleInterval``, but at most 1,024, each with column scales from the rows
/// known when the first of that interval came. For a stretch the equations of those rows are factored once, G + λI = LLᵀ. With the
/// stretch's own standardised rows Z, the Cholesky factor of I + Z(G + λI)⁻¹Zᵀ, row by row, is what
/// conditioning on one row after the other comes to: it has the forecast of each row by the fit on all
/// before it. So a stretch of *m* rows costs one factorisation and *m* triangular solves done at once, where
/// an update and a solve per row would run at the speed of memory. With more than a dozen penalties one
/// eigendecomposition of G per stretch serves them all.
///
/// A forecast depends on the rows known when it was made and on the row's own features, bit for bit: rows
/// that come later, are changed or appended later leave it as it was. Penalties are forecast side by side
/// and do not touch one another.
///
/// *Gaussian Processes for Machine Learning*, Rasmussen and Williams, MIT Press 2006, sections 2.1 and 2.7,
/// for the identity between ridge regression, conditioning, and the intercept without a penalty.
public struct RollingRidge: Sendable {
  /// How the origin rolls.
  public let origin: RollingOrigin
  /// The first row that the next ``advance()`` forecasts; the row count at the end.
  public private(set) var nextRow: Int
  /// What has been forecast so far.
  public private(set) var forecasts: RollingForecasts

  private let features: Matrix
  private let target: ContiguousArray<Double>
  private let weights: ContiguousArray<Double>?
  private let known: [Int]
  private let standardisation: Standardisation
  /// Whether ``features`` have been brought into the range of their squares.
  private let isRescaled: Bool
  private var sums: RollingSums
  private var stretch: RollingStretch
  /// The scales in force, and the row at which they are taken anew.
  private var scales: ColumnScales?
  private var scaleEnd: Int

  /// Prepares an evaluation.
  ///
  /// - Parameters:
  ///   - origin: How the origin rolls.
  ///   - penalties: One or more, from 0 up. With 0 the columns must not be collinear.
  ///   - features: One row per observation in the order of time, finite.
  ///   - target: One value per row, finite.
  ///   - weights: One per row, from 0 up: a row of weight 0 is forecast but never learned from. Nil is 1
  ///     for all.
  ///   - standardisation: How columns are brought to one scale.
  ///   - known: How many rows are known when each row is forecast: never fewer than for the row before,
  ///     and at most as many as there are rows before it. Nil is what ``RollingOrigin/horizon`` says;
  ///     where rows are not evenly spaced in time this says more.
  /// - Throws: What is wrong with the input, with its position.
  public init(
    _ origin: RollingOrigin, _ penalties: ContiguousArray<Double>, _ features: Matrix,
    target: ContiguousArray<Double>, weights: ContiguousArray<Double>? = nil,
    standardisation: Standardisation = .centredAndScaled, known: [Int]? = nil
  ) throws(LearningError) {
    try origin.check()
    guard !penalties.isEmpty else { throw .invalidSetting("penalties") }
    for (position, penalty) in penalties.enumerated() {
      try CheckedInput.check(penalty: penalty, position: position)
    }
    try RollingSums.check(features, target, weights)
    let rowCount = features.rowCount
    let known = known ?? (0..<rowCount).map { max(0, $0 + 1 - origin.horizon) }
    guard known.count == rowCount else {
      throw .lengthMismatch(expected: rowCount, actual: known.count)
    }
    for row in 0..<rowCount {
      guard known[row] >= (row > 0 ? known[row - 1] : 0), known[row] <= row else {
        throw .invalidSetting("known")
      }
    }
    self.origin = origin
    self.target = target
    self.weights = weights
    self.known = known
    self.standardisation = standardisation
    // The penalty sees standardised columns, so that bringing them into range changes nothing.
    let range = standardisation == .centredAndScaled ? ColumnExponents(features) : nil
    self.features = range?.apply(to: features) ?? features
    isRescaled = range != nil
    let first = Self.firstRow(known, weights, leastRows: origin.leastRows)
    nextRow = first
    scaleEnd = first
    forecasts = RollingForecasts(penalties, firstRow: first, isWeighted: weights != nil)
    do { sums = try RollingSums(featureCount: features.columnCount) } catch {
      throw LearningError(error)
    }
    stretch = RollingStretch(featureCount: features.columnCount, penalties: penalties)
  }

  /// Forecasts the next stretch of rows; false where there is none left.
  ///
  /// - Throws: ``LearningError/singular(order:)`` where a penalty is 0, or too small to tell from it, and
  ///   columns are collinear; ``LearningError/overflow(column:)``; ``LearningError/sizeTooLarge(rowCount:columnCount:)``
  ///   where a stretch and the rows that the horizon leaves out before it are more than 8,192. Nothing is forecast then.
  /// - Complexity: For *l* penalties and a stretch of *m* rows O(*l* (*p*³ / 3 + *m p*²)), or
  ///   O(*p*³ + *l m*² *p*) where there are more than a dozen; and summing the rows that became known, once,
  ///   O(*p*²) each.
  @discardableResult public mutating func advance() throws(LearningError) -> Bool {
    guard nextRow < features.rowCount else { return false }
    learn(upTo: known[nextRow])
    let end = stretchEnd
    let (scales, scaleEnd) = (try currentScales(), scaleEndOfStretch)
    let rows = nextRow..<min(end, features.rowCount)
    let base = sums.rowsSeen
    guard end - base <= Self.largestBlock else {
      throw .sizeTooLarge(rowCount: end - base, columnCount: end - base)
    }
    try stretch.forecast(
      StretchRows(
        base: base, forecast: rows, lead: end - base, known: known[rows].map { $0 - base }),
      features, target, weights, sums, scales, into: &forecasts)
    (self.scales, self.scaleEnd) = (scales, scaleEnd)
    forecasts.rows = forecasts.rows.lowerBound..<rows.upperBound
    forecasts.outcomes += target[rows]
    if let weights { forecasts.weights? += weights[rows] }
    forecasts.known += known[rows]
    nextRow = rows.upperBound
    return true
  }

  /// Passes the next stretch by without forecasting it: what follows is forecast as if it had been. False
  /// where there is none left.
  ///
  /// For an evaluation that goes on where an earlier one stopped, or looks at some stretches only.
  ///
  /// - Precondition: Nothing has been forecast since the beginning or the last ``takeForecasts()``.
  @discardableResult public mutating func skip() -> Bool {
    precondition(forecasts.rows.isEmpty, "forecasts without a gap")
    guard nextRow < features.rowCount else { return false }
    learn(upTo: known[nextRow])
    // Scales that cannot be taken are an error where they are first used.
    (scales, scaleEnd) = (try? currentScales(), scaleEndOfStretch)
    nextRow = min(stretchEnd, features.rowCount)
    forecasts.rows = nextRow..<nextRow
    return true
  }

  /// Hands over what has been forecast so far and keeps nothing of it.
  public mutating func takeForecasts() -> RollingForecasts {
    let taken = forecasts
    forecasts = RollingForecasts(
      taken.penalties, firstRow: nextRow, isWeighted: weights != nil)
    return taken
  }

  /// The sums of all rows, nil where the squares of a column leave the range of a double:
  /// ``RidgeRegression/fit(_:)`` fits the model of all rows from them without another pass over those that
  /// have been summed already.
  ///
  /// - Complexity: O(*p*²) for each row that has not been summed yet.
  public func moments() throws(LearningError) -> Moments? {
    if isRescaled { return nil }
    var copy = self
    copy.learn(upTo: features.rowCount)
    return try copy.sums.moments()
  }

  /// The first row with enough rows of positive weight known.
  private static func firstRow(
    _ known: [Int], _ weights: ContiguousArray<Double>?, leastRows: Int
  ) -> Int {
    var (positive, seen) = (0, 0)
    for row in known.indices {
      while seen < known[row] {
        if weights.map({ $0[seen] > 0 }) ?? true { positive += 1 }
        seen += 1
      }
      if positive >= leastRows { return row }
    }
    return known.count
  }

  /// The memory of a stretch goes with the square of its rows: where scales serve longer than this, the equations
  /// are factored anew on the way.
  private static let longestStretch = 1024
  /// Rows of a stretch and those before it that are known but not learned from, together.
  private static let largestBlock = 8192

  /// The row at which the scales that serve the next stretch are taken anew.
  private var scaleEndOfStretch: Int {
    if nextRow < scaleEnd { return scaleEnd }
    let (end, overflows) = nextRow.addingReportingOverflow(origin.scaleInterval)
    return overflows ? .max : end
  }

  /// The row after the next stretch, were the log long enough.
  private var stretchEnd: Int { min(scaleEndOfStretch, nextRow + Self.longestStretch) }

  /// The scales of the next stretch.
  private func currentScales() throws(LearningError) -> ColumnScales {
    if nextRow < scaleEnd, let scales { return scales }
    return try sums.scales(standardisation)
  }

  private mutating func learn(upTo count: Int) {
    sums.add(rows: sums.rowsSeen..<max(count, sums.rowsSeen), features, target, weights)
  }
}
