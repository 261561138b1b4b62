internal import LinearAlgebra

/// Coordinates in which every penalty is a division: rows B with BᵀB diagonal.
struct PenaltyBasis: Sendable {
  /// The diagonal of BᵀB, 0 where only rounding is left.
  let values: ContiguousArray<Double>
  /// Bᵀy, a column per target.
  private(set) var projections: ContiguousArray<Double>
  let constantColumns: [Int]
  private let source: Source

  private enum Source: Sendable {
    /// B = ZV, block by block of the rows.
    case vectors(SymmetricEigen, ColumnScales, means: ContiguousArray<Double>)
    /// B itself.
    case rows(Matrix, targets: Matrix)
  }

  /// From the eigenvectors of the columns' products.
  init(_ moments: Moments, _ standardisation: Standardisation) throws(LearningError) {
    let scales = ColumnScales(moments, standardisation)
    let system = RidgeSystem(moments, scales)
    let order = system.order
    let eigen: SymmetricEigen
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
    source = .vectors(eigen, scales, means: moments.means)
  }

  /// From the eigenvectors of the rows' products, for more columns than rows.
  init(rows: StandardisedRows) throws(LearningError) {
    let system = RidgeSystem(rows: rows)
    let order = system.order
    let eigen: SymmetricEigen
    var basis: Matrix
    do {
      eigen = try SymmetricEigen(
        Matrix(columnMajor: system.gram, rowCount: order, columnCount: order))
      values = Self.clean(eigen.values, count: rows.features.columnCount)
      basis = eigen.vectors
      for j in 0..<order {
        let root = values[j].squareRoot()
        for i in 0..<order { basis[i, j] *= root }
      }
    } catch { throw LearningError(error) }
    projections = rows.targets.storage
    BLAS.gemm(basis.block.transposed, rows.targets.block, &projections)
    constantColumns = rows.scales.constantColumns
    source = .rows(basis, targets: rows.targets)
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
    switch source {
    case .vectors(let eigen, let scales, let means):
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
    case .rows(let basis, let targets):
      let zeros = ContiguousArray<Double>(
        repeating: 0, count: max(basis.columnCount, targets.columnCount))
      basis.centre(rows: rows, means: zeros, rowFactors: nil, into: &block, lead: lead)
      targets.centre(
        rows: rows, means: zeros, rowFactors: nil, into: &block, at: basis.columnCount * lead,
        lead: lead)
    }
  }

  /// Eigenvalues without what rounding makes of zeros, as large as ε times the largest and the count.
  private static func clean(
    _ values: ContiguousArray<Double>, count: Int
  ) -> ContiguousArray<Double> {
    let noise = (values.last ?? 0) * .ulpOfOne * Double(max(count, values.count))
    return ContiguousArray(values.map { $0 > noise ? $0 : 0 })
  }
}

/// Sums of squares over some rows: a row per penalty, a column per target.
struct PenaltySums: Sendable {
  /// Of leave-one-out residuals.
  private(set) var leftOut: ContiguousArray<Double>
  /// Of residuals.
  private(set) var fitted: ContiguousArray<Double>

  /// - Parameter inverses: What ``PenaltyBasis/inverses(_:)`` gives for the penalties.
  init(
    _ basis: PenaltyBasis, _ input: CheckedInput, inverses: ContiguousArray<Double>, count: Int,
    rows: Range<Int>
  ) {
    let order = basis.values.count
    let targetCount = input.targets.columnCount
    let lead = 128
    leftOut = ContiguousArray(repeating: 0, count: count * targetCount)
    fitted = leftOut
    let coefficients = (0..<targetCount).map { t in
      var coefficients = inverses
      for l in 0..<count {
        Elementwise.multiply(
          order, inverses, xAt: l * order, 1, basis.projections, yAt: t * order,
          into: &coefficients, zAt: l * order)
      }
      return coefficients
    }
    var block = ContiguousArray<Double>(repeating: 0, count: (order + targetCount) * lead)
    var scratch = block
    var leverages = ContiguousArray<Double>(repeating: 0, count: lead * count)
    var predictions = leverages
    // What a row leaves to the others is 1 − leverage; the intercept's share of that is w / Σw.
    var unshared = ContiguousArray<Double>(repeating: 0, count: lead)
    var line = unshared
    let least = Double.ulpOfOne * Double(max(16, input.positiveCount))
    for from in stride(from: rows.lowerBound, to: rows.upperBound, by: lead) {
      let part = from..<min(from + lead, rows.upperBound)
      basis.rows(part, input, into: &block, scratch: &scratch, lead: lead)
      Elementwise.multiply(order * lead, block, 1, block, into: &scratch)
      BLAS.gemm(
        Block(scratch, rowCount: part.count, columnCount: order, lead: lead),
        Block(inverses, rowCount: order, columnCount: count), isFinite: true, &leverages, lead: lead
      )
      for i in 0..<part.count {
        let root = input.rootWeights.map { $0[from + i] } ?? 1
        unshared[i] = 1 - root * root / input.weightSum
      }
      for t in 0..<targetCount {
        BLAS.gemm(
          Block(block, rowCount: part.count, columnCount: order, lead: lead),
          Block(coefficients[t], rowCount: order, columnCount: count), isFinite: true, &predictions,
          lead: lead)
        let target = (order + t) * lead
        for l in 0..<count {
          Elementwise.combine(
            part.count, block, xAt: target, -1, predictions, yAt: l * lead, into: &line)
          fitted[t * count + l] += BLAS.dot(part.count, line, line)
          Elementwise.divide(
            part.count, &line, by: unshared, minus: leverages, yAt: l * lead, least: least)
          leftOut[t * count + l] += BLAS.dot(part.count, line, line)
        }
      }
    }
  }
}
