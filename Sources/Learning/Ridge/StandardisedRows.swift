package import LinearAlgebra

/// All rows at once as a penalty sees them: centred, scaled, times the square roots of their weights.
///
/// For the solvers that cannot work on sums: more columns than rows, and equations that are singular.
package struct StandardisedRows: Sendable {
  package let scales: ColumnScales
  /// The targets' weighted means.
  package let targetMeans: ContiguousArray<Double>
  package private(set) var features: Matrix
  package private(set) var targets: Matrix
  /// The square roots of the weights, divided by that of their sum: orthogonal to every column.
  let unitRoots: ContiguousArray<Double>

  package init(
    _ input: CheckedInput, _ standardisation: Standardisation
  ) throws(LearningError) {
    let rowCount = input.features.rowCount
    let featureCount = input.features.columnCount
    let order = input.means.count
    var all: ContiguousArray<Double>
    do { all = try Matrix(rowCount: rowCount, columnCount: order).storage } catch {
      throw LearningError(error)
    }
    input.centre(rows: 0..<rowCount, into: &all, lead: rowCount)
    let roots = input.rootWeights ?? ContiguousArray(repeating: 1, count: rowCount)
    unitRoots = ContiguousArray(roots.map { $0 / input.weightSum.squareRoot() })
    var means = input.means
    var squares = ContiguousArray<Double>(repeating: 0, count: order)
    for j in 0..<order {
      // What is left of the mean after rounding comes off as well.
      let shift = BLAS.dot(rowCount, all, xAt: j * rowCount, roots) / input.weightSum
      means[j] += shift
      for i in 0..<rowCount { all[j * rowCount + i] -= shift * roots[i] }
      squares[j] = BLAS.dot(rowCount, all, xAt: j * rowCount, all, yAt: j * rowCount)
      guard squares[j].isFinite else { throw .overflow(column: j) }
    }
    scales = ColumnScales(
      means: ContiguousArray(means.prefix(featureCount)),
      squares: ContiguousArray(squares.prefix(featureCount)), weightSum: input.weightSum,
      rowCount: input.positiveCount, standardisation)
    targetMeans = ContiguousArray(means.dropFirst(featureCount))
    for j in 0..<featureCount {
      let factor = scales.inverseScales[j]
      for i in 0..<rowCount { all[j * rowCount + i] *= factor }
    }
    do {
      features = try Matrix(
        columnMajor: ContiguousArray(all.prefix(rowCount * featureCount)), rowCount: rowCount,
        columnCount: featureCount)
      targets = try Matrix(
        columnMajor: ContiguousArray(all.dropFirst(rowCount * featureCount)), rowCount: rowCount,
        columnCount: order - featureCount)
    } catch { throw LearningError(error) }
  }
}
