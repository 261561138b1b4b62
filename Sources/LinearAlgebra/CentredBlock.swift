extension Matrix {
  /// block[i, j] ← (self[rows[i], j] − means[j]) · columnFactors[j] · rowFactors[rows[i]], where a list
  /// that is nil counts as ones: rows as regression sees them, in a block small enough for the cache.
  ///
  /// The block is column-major with `lead` rows and begins at `at`.
  package func centre(
    rows: Range<Int>, means: ContiguousArray<Double>, meansAt: Int = 0,
    columnFactors: ContiguousArray<Double>? = nil, rowFactors: ContiguousArray<Double>?,
    into block: inout ContiguousArray<Double>, at: Int = 0, lead: Int
  ) {
    let count = rows.count
    precondition(rows.lowerBound >= 0 && rows.upperBound <= rowCount && count <= lead)
    precondition(block.count >= at + lead * columnCount && means.count >= meansAt + columnCount)
    for j in 0..<columnCount {
      let (from, into) = (j * rowCount + rows.lowerBound, at + j * lead)
      let (mean, factor) = (means[meansAt + j], columnFactors?[j] ?? 1)
      if let rowFactors {
        BLAS.update(
          count, storage, xAt: from, rowFactors, yAt: rows.lowerBound, &block, zAt: into
        ) { x, root, _ in (x - mean) * factor * root }
      } else {
        BLAS.update(count, storage, xAt: from, storage, yAt: from, &block, zAt: into) { x, _, _ in
          (x - mean) * factor
        }
      }
    }
  }
}
