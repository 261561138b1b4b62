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

  /// Fits, and once more with the columns brought into range where squares may have left it: upwards
  /// that shows as an overflow, downwards as a column that looks constant.
  ///
  /// - Returns: The fit, and the exponents of the columns it was made from; nil where they were used as
  ///   they are.
  static func fitting<Fit>(
    _ features: Matrix, _ standardisation: Standardisation,
    constantColumns: (Fit) -> [Int], _ fit: (Matrix) throws(LearningError) -> Fit
  ) throws(LearningError) -> (fit: Fit, exponents: [Int]?) {
    let first: Result<Fit, LearningError>
    do { first = .success(try fit(features)) } catch { first = .failure(error) }
    let isSuspect =
      switch first {
      case .success(let fit): !constantColumns(fit).isEmpty
      case .failure(.overflow): true
      case .failure: false
      }
    // Without scaling the penalty sees the columns in their own units, and they stay as they are.
    guard isSuspect, standardisation == .centredAndScaled, let range = Self(features) else {
      return (try first.get(), nil)
    }
    return (try fit(range.apply(to: features)), range.exponents)
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
