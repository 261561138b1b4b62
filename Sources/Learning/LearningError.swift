internal import LinearAlgebra

/// Why a row was refused or a model could not be fitted. Carries positions and counts, never values:
/// a health log must not end up in a crash report.
///
/// Whatever was asked to change is unchanged after it. Rows and columns are counted from 0.
public enum LearningError: Error, Equatable, Sendable {
  /// There is no row or no column.
  case emptyInput(rowCount: Int, columnCount: Int)
  /// Fewer rows of positive weight than the model needs.
  case tooFewRows(needed: Int, actual: Int)
  /// A vector or matrix has another length than the rest.
  case lengthMismatch(expected: Int, actual: Int)
  /// A feature is NaN or infinite.
  case nonFiniteFeature(row: Int, column: Int)
  /// A target is NaN or infinite; `column` counts targets.
  case nonFiniteTarget(row: Int, column: Int)
  /// A forecast that is to be scored is NaN or infinite.
  case nonFiniteForecast(row: Int)
  /// A forecast that is to be a probability is below 0 or above 1.
  case invalidProbability(row: Int)
  /// A weight is neither 0 nor from 2⁻¹⁰⁰⁰ to 2¹⁰⁰⁰, or takes the sum of weights out of the range of a double.
  case invalidWeight(row: Int)
  /// A penalty, given as one of a list or alone, is negative, NaN or infinite.
  case invalidPenalty(position: Int)
  /// A setting is outside its range; the name says which.
  case invalidSetting(String)
  /// The size does not fit the 32-bit indices of BLAS.
  case sizeTooLarge(rowCount: Int, columnCount: Int)
  /// Sums, products or the coefficient leave the range of a double in this column; the target or the intercept counts
  /// as the column after the last.
  case overflow(column: Int)
  /// A yes/no target is neither 0 nor 1.
  case targetNotBinary(row: Int)
  /// A yes/no target has one class only.
  case singleClass
  /// Without a penalty the classes can be told apart without error: the coefficients have no limit.
  /// Raise the penalty.
  case separated
  /// The iteration ended without reaching its tolerance; `gradient` is that of the objective divided
  /// by the weight sum, in the infinity norm.
  case notConverged(iterations: Int, gradient: Double)
  /// The equations are singular to working precision: remove collinear features or raise the penalty.
  case singular(order: Int)
  /// A decomposition inside LAPACK did not converge: the numbers are too large or too unlike.
  case decompositionNotConverged
  /// Names of columns that a model has and the row has not, that the row has and the model has not, and
  /// that come twice.
  case invalidFeatureNames(missing: [String], unknown: [String], repeated: [String])
  /// The caller's ``ProgressHandler`` ended the computation.
  case cancelled
  /// There is no row with this key.
  case unknownKey(Int)
  /// There is a row with this key already, and it is another one.
  case conflictingKey(Int)
  /// Two states have other shapes or settings and cannot become one.
  case incompatibleState

  /// The same, with the row of a single row's error named as row `row`.
  func inRow(_ row: Int) -> LearningError {
    switch self {
    case .nonFiniteFeature(_, let column): .nonFiniteFeature(row: row, column: column)
    case .nonFiniteTarget(_, let column): .nonFiniteTarget(row: row, column: column)
    case .invalidWeight: .invalidWeight(row: row)
    default: self
    }
  }

  init(_ error: LinearAlgebraError) {
    switch error {
    case .sizeTooLarge(let rowCount, let columnCount):
      self = .sizeTooLarge(rowCount: rowCount, columnCount: columnCount)
    case .lengthMismatch(let expected, let actual):
      self = .lengthMismatch(expected: expected, actual: actual)
    case .notPositiveDefinite(let order), .losesPivot(let order): self = .singular(order: order)
    case .notConverged: self = .decompositionNotConverged
    }
  }
}
