extension CholeskyFactor {
  /// Makes this the factor of A + vvᵀ.
  ///
  /// An entry of v that is NaN or infinite makes NaN of the factor, as in every product; check the row first.
  ///
  /// - Complexity: O(order²), without allocating.
  /// - Note: Givens rotations: *Methods for modifying matrix factorizations*, Gill, Golub, Murray
  ///   and Saunders, Math. Comp. 28 (1974), 505–535.
  public mutating func update(adding vector: ContiguousArray<Double>) {
    precondition(vector.count == lead, "\(vector.count) entries for order \(lead)")
    for i in 0..<lead { scratch[i] = vector[i] }
    BLAS.rotateIn(order: order, rowsBelow: rowsBelow, &lower, using: &scratch)
  }

  /// The same with a vector that is used up. For each row kept below L it has an entry after those of v,
  /// the c of a right-hand side that becomes b + cv.
  package mutating func update(using vector: inout ContiguousArray<Double>) {
    BLAS.rotateIn(order: order, rowsBelow: rowsBelow, &lower, using: &vector)
  }
}
