internal import LinearAlgebra

/// Powers of two that bring columns whose squares leave the range of a double back into it.
///
/// Multiplying by a power of two rounds nothing, so a model of the scaled columns is, scaled back, that
/// of the columns as they were.
struct ColumnExponents {
  /// What a column is multiplied by: 2 to the power of minus this.
  let exponents: [Int]

  /// The exponents for a matrix of which some column needs one; nil where none does.
  init?(_ features: Matrix) {
    exponents = (0..<features.columnCount).map { j in
      var largest = 0.0
      for i in 0..<features.rowCount { largest = max(largest, abs(features[i, j])) }
      guard largest > 0, largest.isFinite, abs(Int(largest.exponent)) > 300 else { return 0 }
      return Int(largest.exponent)
    }
    if exponents.allSatisfy({ $0 == 0 }) { return nil }
  }

  /// The matrix with its columns brought into range.
  func apply(to features: Matrix) -> Matrix {
    var scaled = features
    for (j, exponent) in exponents.enumerated() where exponent != 0 {
      for i in 0..<features.rowCount {
        scaled[i, j] = Self.scale(features[i, j], by: -exponent)
      }
    }
    return scaled
  }

  /// x · 2^exponent, in two steps as the power alone may be out of range.
  static func scale(_ x: Double, by exponent: Int) -> Double {
    let half = exponent / 2
    return x * Double(sign: .plus, exponent: half, significand: 1)
      * Double(sign: .plus, exponent: exponent - half, significand: 1)
  }
}

extension ColumnScales {
  /// The scales of the columns as they were before `exponents` were taken off.
  func restored(_ exponents: [Int]) -> ColumnScales {
    ColumnScales(
      means: ContiguousArray(zip(means, exponents).map { ColumnExponents.scale($0, by: $1) }),
      inverseScales: ContiguousArray(
        zip(inverseScales, exponents).map { ColumnExponents.scale($0, by: -$1) }))
  }
}
