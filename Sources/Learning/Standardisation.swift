/// How columns are brought to one scale before a penalty treats them alike.
public enum Standardisation: UInt8, Sendable, CaseIterable {
  /// Centred, and divided by the weighted standard deviation with divisor Σw (not Σw − 1).
  case centredAndScaled = 0
  /// Centred only: the penalty sees the columns in their own units.
  case centred = 1
}

/// The scales of columns, and which of them are constant.
///
/// A column is constant where its spread is below what rounding alone makes of n equal values,
/// n ε |mean|. It gets scale 0 here, and a model weight 0 for it.
package struct ColumnScales: Equatable, Sendable {
  /// What a centred column is divided by; 0 for a constant one.
  package let scales: ContiguousArray<Double>
  /// The columns that are constant, ascending.
  package let constantColumns: [Int]

  /// The scales that the features of `moments` ask for.
  package init(_ moments: Moments, _ standardisation: Standardisation) {
    var constant: [Int] = []
    let count = Double(moments.rowCount)
    scales = ContiguousArray(
      (0..<moments.featureCount).map { j in
        let square = moments.products[j * moments.order + j] / moments.weightSum
        let spread = square.squareRoot()
        guard spread > count * .ulpOfOne * abs(moments.means[j]) else {
          constant.append(j)
          return 0
        }
        return standardisation == .centredAndScaled ? spread : 1
      })
    constantColumns = constant
  }
}
