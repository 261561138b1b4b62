/// Why a matrix could not be made, factored or solved. Carries positions and counts, never values.
public enum LinearAlgebraError: Error, Equatable, Sendable {
  /// The entries do not fit the 32-bit indices of BLAS, or a count is negative.
  case sizeTooLarge(rowCount: Int, columnCount: Int)
  /// A row, column or vector has another length than the rest.
  case lengthMismatch(expected: Int, actual: Int)
  /// The leading block of this order is not positive definite: the matrix is singular, indefinite
  /// or holds a NaN.
  case notPositiveDefinite(order: Int)
  /// Taking a vector out of a factor would leave this pivot without reliable digits.
  case losesPivot(order: Int)
  /// An iteration inside LAPACK did not converge, as it happens with NaN or infinity.
  case notConverged
}
