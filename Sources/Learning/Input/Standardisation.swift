/// How columns are brought to one scale before a penalty treats them alike.
public enum Standardisation: UInt8, Sendable, CaseIterable, Codable {
  /// Centred, and divided by the weighted standard deviation with divisor Σw (not Σw − 1).
  case centredAndScaled = 0
  /// Centred only: the penalty sees the columns in their own units.
  case centred = 1
}

/// What columns are centred at and divided by, and which of them are constant.
///
/// A column is constant where its standard deviation is below what rounding alone makes of n equal
/// values, n ε |mean|, or so small that its square has lost digits at the end of a double's range: see
/// ``ColumnExponents`` for what is done then. A model has coefficient 0 for it.
package struct ColumnScales: Equatable, Sendable {
  /// What is subtracted from each feature.
  package let means: ContiguousArray<Double>
  /// What a centred feature is multiplied by: one over its scale, 0 for a constant one.
  package let inverseScales: ContiguousArray<Double>

  /// Squares of this, and of its share in rounding, are still doubles with all their digits.
  private static let least = 0x1p-480

  /// The constant columns, ascending.
  package var constantColumns: [Int] { inverseScales.indices.filter { inverseScales[$0] == 0 } }

  /// Scales from weighted means and centred sums of squares, over `rowCount` rows.
  package init(
    means: ContiguousArray<Double>, squares: ContiguousArray<Double>, weightSum: Double,
    rowCount: Int, _ standardisation: Standardisation
  ) {
    self.means = means
    inverseScales = ContiguousArray(
      means.indices.map { j in
        let deviation = (max(0, squares[j]) / weightSum).squareRoot()
        let least = standardisation == .centredAndScaled ? Self.least : 0
        guard deviation > Double(rowCount) * .ulpOfOne * abs(means[j]), deviation > least,
          (1 / deviation).isFinite
        else { return 0 }
        return standardisation == .centredAndScaled ? 1 / deviation : 1
      })
  }

  /// The scales that the features of `moments` ask for.
  package init(_ moments: Moments, _ standardisation: Standardisation) {
    self.init(
      means: ContiguousArray(moments.means.prefix(moments.featureCount)),
      squares: ContiguousArray(
        (0..<moments.featureCount).map { moments.products[$0 * moments.order + $0] }),
      weightSum: moments.weightSum, rowCount: moments.rowCount, standardisation)
  }

  /// The scales with these numbers.
  init(means: ContiguousArray<Double>, inverseScales: ContiguousArray<Double>) {
    self.means = means
    self.inverseScales = inverseScales
  }

  /// The linear model in the units of the columns, from coefficients of standardised columns that
  /// begin at `at`.
  package func model(
    _ standardised: ContiguousArray<Double>, at: Int = 0, targetMean: Double
  ) -> (intercept: Double, coefficients: ContiguousArray<Double>) {
    var coefficients = inverseScales
    var intercept = targetMean
    for j in coefficients.indices {
      coefficients[j] *= standardised[at + j]
      intercept -= coefficients[j] * means[j]
    }
    return (intercept, coefficients)
  }
}
