public import LinearAlgebra

/// Settings of ridge regression: a linear model with a penalty on the size of its coefficients.
///
/// Minimises Σ wᵢ (yᵢ − b − xᵢ'β)² + λ Σ βⱼ² over b and β, where x are standardised columns (see
/// ``Standardisation``). The intercept b is not penalised. λ = 0 is least squares; where columns are
/// collinear, the solution of least Σ βⱼ². To compare with a library that penalises columns in their
/// own units use ``Standardisation/centred``; with one that divides the sum of squares by n or 2n,
/// multiply its λ by n or 2n.
public struct RidgeRegression: Equatable, Sendable {
  /// λ, from 0 up.
  public var penalty: Double
  /// What is done to the columns first.
  public var standardisation: Standardisation

  /// Settings with this penalty.
  public init(penalty: Double = 1, standardisation: Standardisation = .centredAndScaled) {
    self.penalty = penalty
    self.standardisation = standardisation
  }

  /// The model fitted to all rows.
  ///
  /// - Parameters:
  ///   - features: One row per observation, finite. Constant, collinear and hugely scaled columns are
  ///     no errors.
  ///   - target: One value per row, finite.
  ///   - weights: One per row, from 0 up; nil is 1 for all.
  /// - Throws: What is wrong with the input, with its position.
  /// - Complexity: O(*n p*²) for *n* rows of *p* columns.
  public func fit(
    _ features: Matrix, target: ContiguousArray<Double>, weights: ContiguousArray<Double>? = nil
  ) throws(LearningError) -> RidgeModel {
    try InputCheck.penalty(penalty)
    let moments = try Moments(
      features: features, targets: InputCheck.column(target), weights: weights)
    let scales = ColumnScales(moments, standardisation)
    let order = features.columnCount
    let kept = (0..<order).filter { scales.scales[$0] > 0 }
    var gram = ContiguousArray<Double>(repeating: 0, count: kept.count * kept.count)
    var right = ContiguousArray<Double>(repeating: 0, count: kept.count)
    for (j, column) in kept.enumerated() {
      for (i, row) in kept.enumerated() where i >= j {
        gram[j * kept.count + i] =
          moments.products[column * moments.order + row]
          / (scales.scales[column] * scales.scales[row])
      }
      gram[j * kept.count + j] += penalty
      right[j] = moments.products[column * moments.order + order] / scales.scales[column]
    }
    do {
      try CholeskyFactor(order: kept.count, lower: gram).solve(inPlace: &right)
    } catch { throw LearningError(error) }
    var coefficients = ContiguousArray<Double>(repeating: 0, count: order)
    for (j, column) in kept.enumerated() { coefficients[column] = right[j] / scales.scales[column] }
    let intercept =
      moments.means[order] - BLAS.dot(order, moments.means, coefficients)
    return RidgeModel(intercept: intercept, coefficients: coefficients)
  }
}
