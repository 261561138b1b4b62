public import LinearAlgebra

/// Exact leave-one-out and generalised cross-validation for a whole list of penalties, from one
/// eigendecomposition.
///
/// The objective and the meaning of λ are those of ``RidgeRegression``. A leave-one-out residual is
/// that of a refit without the row, with the column scales of all rows kept.
public struct PenaltyPath: Sendable {
  /// The penalties, as given.
  public let penalties: ContiguousArray<Double>
  /// Weighted mean square of the leave-one-out residuals: a row per penalty, a column per target;
  /// infinite where a row decides its own fitted value.
  public let leaveOneOutMeanSquares: Matrix
  /// Generalised cross-validation, laid out alike; infinite where no degree of freedom is left.
  public let generalisedCrossValidation: Matrix
  /// Effective degrees of freedom per penalty, the intercept counts 1.
  public let degreesOfFreedom: ContiguousArray<Double>
  /// The columns found constant, which no model uses; ascending.
  public let constantColumns: [Int]
  /// The sums over the rows, nil where there are more columns than rows or a column's squares leave the
  /// range of a double: ``RidgeRegression/fit(_:)``
  /// refits from them at a penalty without another pass over the rows.
  public private(set) var moments: Moments?

  /// Evaluates every penalty on all rows.
  ///
  /// - Parameters:
  ///   - penalties: From 0 up. 0 is the minimum-norm least squares solution.
  ///   - features: One row per observation, finite.
  ///   - targets: As many rows, a column per target.
  ///   - weights: One per row, from 0 up; nil is 1 for all.
  ///   - standardisation: How columns are brought to one scale.
  ///   - threads: How many threads may share the work; the result is the same to the bit.
  ///   - progress: Called after the sums and the decomposition, and after each block of rows where there are no more
  ///     columns than rows; nil goes on to the end.
  /// - Throws: What is wrong with the input, with its position; ``LearningError/cancelled``.
  /// - Complexity: O(*n p*² + *p*³ + *n p l*) for *l* penalties, O(*n*² *p* + *n*³ + *n*² *l*) where
  ///   there are more columns than rows; memory for the sums and one block of rows per thread.
  public init(
    _ penalties: ContiguousArray<Double>, _ features: Matrix, targets: Matrix,
    weights: ContiguousArray<Double>? = nil,
    standardisation: Standardisation = .centredAndScaled, threads: Int = 1,
    progress: ProgressHandler? = nil
  ) throws(LearningError) {
    guard !penalties.isEmpty else { throw .invalidSetting("penalties") }
    for (position, penalty) in penalties.enumerated() {
      try CheckedInput.check(penalty: penalty, position: position)
    }
    let (path, exponents) = try ColumnExponents.fitting(
      features, standardisation, constantColumns: \.constantColumns
    ) { features throws(LearningError) in
      try PenaltyPath(
        inRange: penalties, features, targets, weights, standardisation, threads, progress)
    }
    self = path
    // The sums would be those of other columns; the residuals do not depend on the scale of a column.
    if exponents != nil { moments = nil }
  }

  private init(
    inRange penalties: ContiguousArray<Double>, _ features: Matrix, _ targets: Matrix,
    _ weights: ContiguousArray<Double>?, _ standardisation: Standardisation, _ threads: Int,
    _ progress: ProgressHandler?
  ) throws(LearningError) {
    let isTall = features.columnCount <= features.rowCount
    let input = try CheckedInput(features, targets, weights, threads: threads, samples: isTall)
    guard input.positiveCount >= 2 else {
      throw .tooFewRows(needed: 2, actual: input.positiveCount)
    }
    self.penalties = penalties
    var (leftOut, fitted): (ContiguousArray<Double>, ContiguousArray<Double>)
    if isTall {
      let meter = ProgressMeter(progress, total: 2 + input.chunks.count)
      let moments = try Moments(input, threads: threads)
      try meter?.step()
      let basis = try PenaltyBasis(moments, standardisation)
      try meter?.step()
      let sums = try PenaltySums(basis, input, penalties, threads: threads, meter)
      self.moments = moments
      (degreesOfFreedom, constantColumns) = (sums.degreesOfFreedom, basis.constantColumns)
      (leftOut, fitted) = (sums.leftOut, sums.fitted)
    } else {
      let meter = ProgressMeter(progress, total: 2)
      let rows = try StandardisedRows(input, standardisation)
      try meter?.step()
      let dual = try DualPath(rows, penalties)
      try meter?.step()
      moments = nil
      (degreesOfFreedom, constantColumns) = (dual.degreesOfFreedom, dual.constantColumns)
      (leftOut, fitted) = (dual.leftOut, dual.fitted)
    }
    let count = Double(input.positiveCount)
    for i in leftOut.indices {
      leftOut[i] /= input.weightSum
      let left = 1 - degreesOfFreedom[i % penalties.count] / count
      fitted[i] = left > 0 ? fitted[i] / input.weightSum / (left * left) : .infinity
    }
    do {
      let targetCount = targets.columnCount
      leaveOneOutMeanSquares = try Matrix(
        columnMajor: leftOut, rowCount: penalties.count, columnCount: targetCount)
      generalisedCrossValidation = try Matrix(
        columnMajor: fitted, rowCount: penalties.count, columnCount: targetCount)
    } catch { throw LearningError(error) }
  }

  /// The same for one target.
  public init(
    _ penalties: ContiguousArray<Double>, _ features: Matrix, target: ContiguousArray<Double>,
    weights: ContiguousArray<Double>? = nil,
    standardisation: Standardisation = .centredAndScaled, threads: Int = 1,
    progress: ProgressHandler? = nil
  ) throws(LearningError) {
    try self.init(
      penalties, features, targets: CheckedInput.column(target), weights: weights,
      standardisation: standardisation, threads: threads, progress: progress)
  }

  /// What penalties are compared by.
  public enum Criterion: Sendable, CaseIterable {
    /// ``PenaltyPath/leaveOneOutMeanSquares``.
    case leaveOneOut
    /// ``PenaltyPath/generalisedCrossValidation``.
    case generalisedCrossValidation
  }

  /// The penalty with the least score for a target; of equal ones the largest.
  public func bestPenalty(by criterion: Criterion = .leaveOneOut, target: Int = 0) -> Double {
    penalties[bestPosition(by: criterion, target: target)]
  }

  /// The position of ``bestPenalty(by:target:)`` in ``penalties``.
  public func bestPosition(by criterion: Criterion = .leaveOneOut, target: Int = 0) -> Int {
    let scores =
      criterion == .leaveOneOut ? leaveOneOutMeanSquares : generalisedCrossValidation
    var best = 0
    for position in penalties.indices {
      let (score, least) = (scores[position, target], scores[best, target])
      if score < least || (score == least && penalties[position] > penalties[best]) {
        best = position
      }
    }
    return best
  }
}
