internal import LinearAlgebra

/// Coordinates in which every penalty is a division: rows B = ZV with BᵀB diagonal, made block by block of the rows.
struct PenaltyBasis: Sendable {
  /// The diagonal of BᵀB, 0 where only rounding is left.
  let values: ContiguousArray<Double>
  /// Bᵀy, a column per target.
  private(set) var projections: ContiguousArray<Double>
  let constantColumns: [Int]
  private let eigen: SymmetricEigen
  private let scales: ColumnScales
  private let means: ContiguousArray<Double>

  /// From the eigenvectors of the columns' products.
  init(_ moments: Moments, _ standardisation: Standardisation) throws(LearningError) {
    scales = ColumnScales(moments, standardisation)
    let system = RidgeSystem(moments, scales)
    let order = system.order
    do {
      eigen = try SymmetricEigen(
        Matrix(columnMajor: system.gram, rowCount: order, columnCount: order))
    } catch { throw LearningError(error) }
    values = Self.clean(eigen.values, count: order)
    projections = system.right
    BLAS.gemm(
      eigen.vectors.block.transposed,
      Block(system.right, rowCount: order, columnCount: system.targetCount), &projections)
    constantColumns = scales.constantColumns
    means = moments.means
  }

  /// One over each of ``values`` with the penalty added, 0 where both are 0; penalty after penalty.
  func inverses(_ penalties: ContiguousArray<Double>) -> ContiguousArray<Double> {
    let order = values.count
    var inverses = ContiguousArray<Double>(repeating: 0, count: order * penalties.count)
    for (l, penalty) in penalties.enumerated() {
      for j in 0..<order where values[j] > 0 || penalty > 0 {
        inverses[l * order + j] = 1 / (values[j] + penalty)
      }
    }
    return inverses
  }

  /// Rows of B, and of the targets after them, in a block of `lead` rows that holds finite numbers;
  /// `scratch` is as large.
  func rows(
    _ rows: Range<Int>, _ input: CheckedInput, into block: inout ContiguousArray<Double>,
    scratch: inout ContiguousArray<Double>, lead: Int
  ) {
    let order = eigen.order
    input.features.centre(
      rows: rows, means: scales.means, columnFactors: scales.inverseScales,
      rowFactors: input.rootWeights, into: &scratch, lead: lead)
    BLAS.gemm(
      Block(scratch, rowCount: rows.count, columnCount: order, lead: lead), eigen.vectors.block,
      isFinite: true, &block, lead: lead)
    input.targets.centre(
      rows: rows, means: means, meansAt: order, rowFactors: input.rootWeights,
      into: &block, at: order * lead, lead: lead)
  }

  /// Eigenvalues without what rounding makes of zeros, as large as ε times the largest and the count.
  static func clean(
    _ values: ContiguousArray<Double>, count: Int
  ) -> ContiguousArray<Double> {
    let noise = (values.last ?? 0) * .ulpOfOne * Double(max(count, values.count))
    return ContiguousArray(values.map { $0 > noise ? $0 : 0 })
  }
}
