extension CholeskyFactor {
  /// Makes this the factor of A − vvᵀ.
  ///
  /// - Parameter remainder: The least 1 − vᵀA⁻¹v that is accepted, the factor by which the
  ///   determinant shrinks: rounding errors grow by its inverse.
  /// - Throws: ``LinearAlgebraError/losesPivot(order:)`` where less remains; the factor is then
  ///   unchanged.
  /// - Complexity: O(order²), without allocating.
  /// - Note: The same paper as ``update(adding:)``, method C2 in the form of LINPACK's `dchdd`.
  public mutating func downdate(
    removing vector: ContiguousArray<Double>, remainder: Double = 0x1p-40
  ) throws(LinearAlgebraError) {
    precondition(vector.count == lead, "\(vector.count) entries for order \(lead)")
    // Taken out of this value for the while, as two parts of it cannot change in one call.
    var taken: ContiguousArray<Double> = []
    swap(&taken, &scratch)
    defer { swap(&taken, &scratch) }
    for i in 0..<lead { taken[i] = vector[i] }
    try downdate(using: &taken, remainder: remainder)
  }

  /// The same with a vector that is used up, and that has an entry c for each row kept below L, whose
  /// right-hand side becomes b − cv.
  package mutating func downdate(
    using vector: inout ContiguousArray<Double>, remainder: Double
  ) throws(LinearAlgebraError) {
    BLAS.trsv(block, &vector)
    let left = 1 - BLAS.dot(order, vector, vector)
    // Written so that NaN fails.
    guard left >= remainder else { throw losesPivot(vector, remainder) }
    // Rotations from the last entry to the first take (a, √left) to (0, 1).
    var length = left.squareRoot()
    for k in stride(from: order - 1, through: 0, by: -1) {
      let longer = (length * length + vector[k] * vector[k]).squareRoot()
      cosines[k] = length / longer
      sines[k] = vector[k] / longer
      length = longer
    }
    // The rows below L turn the other way round: forwards, each entry solved for what it becomes.
    for row in order..<lead {
      var rest = vector[row]
      for k in 0..<order {
        let entry = (lower[k * lead + row] - sines[k] * rest) / cosines[k]
        rest = cosines[k] * rest - sines[k] * entry
        lower[k * lead + row] = entry
      }
    }
    for k in 0..<order { vector[k] = 0 }
    BLAS.rotateOut(
      order: order, rowsBelow: rowsBelow, &lower, cosines: cosines, sines: sines, zeros: &vector)
  }

  /// The error that names the pivot at which too little remains.
  private func losesPivot(
    _ solved: ContiguousArray<Double>, _ remainder: Double
  ) -> LinearAlgebraError {
    var left = 1.0
    for k in 0..<order {
      left -= solved[k] * solved[k]
      if !(left >= remainder) { return .losesPivot(order: k + 1) }
    }
    return .losesPivot(order: order)
  }
}
