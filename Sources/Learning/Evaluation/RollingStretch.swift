internal import LinearAlgebra

/// Which rows a stretch has to do with.
struct StretchRows {
  /// The first row that is not in the sums yet.
  let base: Int
  /// The rows to be forecast.
  let forecast: Range<Int>
  /// How many rows the stretch has when it is whole, from `base` on. Blocks are as large as that even where
  /// rows are missing at the end of a log, so that a row goes through the same steps when more come.
  let lead: Int
  /// How many rows from `base` on are known when each is forecast.
  let known: [Int]
}

/// The equations of one stretch of rows with frozen scales, solved for all its rows at once.
///
/// Holds its scratch from one stretch to the next.
struct RollingStretch: Sendable {
  private let featureCount: Int
  private let penalties: ContiguousArray<Double>
  /// The lower triangle of G.
  private var gram: ContiguousArray<Double>
  private var factor: CholeskyFactor
  /// Centred and standardised rows, and g below them.
  private var standard: ContiguousArray<Double> = []
  /// The same in coordinates in which (G + λI)⁻¹ is 1.
  private var whitened: ContiguousArray<Double> = []
  /// Inner products of the rows of `whitened`: Z(G + λI)⁻¹Zᵀ, and in the last row Z(G + λI)⁻¹g.
  private var inner: ContiguousArray<Double> = []
  private var chain = RowChain()

  /// From this many penalties on one eigendecomposition is cheaper than a factor for each.
  private static let spectralCount = 12

  init(featureCount: Int, penalties: ContiguousArray<Double>) {
    self.featureCount = featureCount
    self.penalties = penalties
    gram = []
    factor = CholeskyFactor(identityOfOrder: 0)
  }

  /// Appends the forecasts and leverages of the rows, for every penalty; nothing where it throws.
  mutating func forecast(
    _ rows: StretchRows, _ features: Matrix, _ target: ContiguousArray<Double>,
    _ weights: ContiguousArray<Double>?, _ sums: RollingSums, _ scales: ColumnScales,
    into forecasts: inout RollingForecasts
  ) throws(LearningError) {
    let p = featureCount
    standardise(rows, features, sums, scales)
    let eigen = penalties.count >= Self.spectralCount ? try decompose(lead: rows.lead + 1) : nil
    let before = forecasts.columns.map(\.count)
    for (position, penalty) in penalties.enumerated() {
      do {
        if let eigen {
          try whiten(eigen, penalty, lead: rows.lead + 1)
        } else {
          try whiten(penalty, lead: rows.lead + 1)
        }
      } catch {
        for (other, count) in before.enumerated() {
          forecasts.columns[other].removeSubrange(count...)
          forecasts.leverageColumns[other].removeSubrange(count...)
        }
        throw error
      }
      BLAS.syrk(Block(whitened, rowCount: rows.lead + 1, columnCount: p), &inner)
      chain.run(
        rows, inner, sums, target, weights, forecasts: &forecasts.columns[position],
        leverages: &forecasts.leverageColumns[position])
    }
  }

  /// Writes G and, a row each, the standardised rows and g; rows that are missing at the end are zeros.
  private mutating func standardise(
    _ rows: StretchRows, _ features: Matrix, _ sums: RollingSums, _ scales: ColumnScales
  ) {
    let (p, lead) = (featureCount, rows.lead + 1)
    if gram.count != p * p { gram = ContiguousArray(repeating: 0, count: p * p) }
    if standard.count != lead * p {
      standard = ContiguousArray(repeating: 0, count: lead * p)
      whitened = standard
      inner = ContiguousArray(repeating: 0, count: lead * lead)
    }
    let factors = scales.inverseScales
    for j in 0..<p {
      for i in j..<p {
        gram[j * p + i] = sums.products[j * (p + 1) + i] * (factors[j] * factors[i])
      }
    }
    let held = rows.base..<rows.forecast.upperBound
    features.centre(
      rows: held, means: sums.means, columnFactors: factors, rowFactors: nil, into: &standard,
      lead: lead)
    for j in 0..<p {
      for i in held.count..<rows.lead { standard[j * lead + i] = 0 }
      standard[j * lead + rows.lead] = sums.products[j * (p + 1) + p] * factors[j]
    }
  }

  /// By the factor L of G + λI: ZL⁻ᵀ.
  private mutating func whiten(_ penalty: Double, lead: Int) throws(LearningError) {
    let p = featureCount
    if factor.order != p { factor = CholeskyFactor(identityOfOrder: p) }
    let share = factor.remake { lower in
      for j in 0..<p {
        for i in j..<p { lower[j * p + i] = gram[j * p + i] }
        // A constant column is zero throughout: 1 makes its coefficient 0 and touches nothing else.
        lower[j * p + j] = gram[j * p + j] == 0 ? 1 : gram[j * p + j] + penalty
      }
    }
    // What is left of a column must be more than the rounding of its products.
    guard share > 4 * .ulpOfOne else { throw .singular(order: p) }
    for i in standard.indices { whitened[i] = standard[i] }
    BLAS.trsm(factor.block.transposed, fromRight: true, count: lead, &whitened)
  }

  /// The eigenvalues of G; `standard` becomes rows of coordinates along its eigenvectors.
  private mutating func decompose(lead: Int) throws(LearningError) -> ContiguousArray<Double> {
    let p = featureCount
    let eigen: SymmetricEigen
    do {
      eigen = try SymmetricEigen(Matrix(columnMajor: gram, rowCount: p, columnCount: p))
    } catch { throw LearningError(error) }
    BLAS.gemm(Block(standard, rowCount: lead, columnCount: p), eigen.vectors.block, &whitened)
    swap(&standard, &whitened)
    return eigen.values
  }

  /// By the eigenvalues of G: each coordinate divided by the root of its own plus λ.
  private mutating func whiten(
    _ eigenvalues: ContiguousArray<Double>, _ penalty: Double, lead: Int
  ) throws(LearningError) {
    let p = featureCount
    let least = 4 * Double(p) * .ulpOfOne * max(0, eigenvalues[p - 1])
    var empty = (0..<p).count { gram[$0 * p + $0] == 0 }
    for j in 0..<p {
      let value = max(0, eigenvalues[j]) + penalty
      var inverse = 1 / value.squareRoot()
      if !(value > least) {
        // Constant columns are directions without coordinates; any other is one that no row determines.
        guard empty > 0 else { throw .singular(order: p) }
        empty -= 1
        inverse = 0
      }
      for i in 0..<lead { whitened[j * lead + i] = standard[j * lead + i] * inverse }
    }
  }
}

/// One row after the other, each conditioned on those before it: the Cholesky factor of I + K, row by row.
///
/// With weights the matrix is I + √W K √W.
private struct RowChain: Sendable {
  /// The factor, row-major.
  private var factor: ContiguousArray<Double> = []
  private var coordinates: ContiguousArray<Double> = []
  private var innovations: ContiguousArray<Double> = []
  private var roots: ContiguousArray<Double> = []

  mutating func run(
    _ rows: StretchRows, _ inner: ContiguousArray<Double>, _ sums: RollingSums,
    _ target: ContiguousArray<Double>, _ weights: ContiguousArray<Double>?,
    forecasts: inout ContiguousArray<Double>, leverages: inout ContiguousArray<Double>
  ) {
    let (order, lead) = (rows.forecast.upperBound - rows.base, rows.lead + 1)
    if factor.count < order * order {
      factor = ContiguousArray(repeating: 0, count: rows.lead * rows.lead)
      coordinates = ContiguousArray(repeating: 0, count: rows.lead)
      innovations = coordinates
      roots = ContiguousArray(repeating: 1, count: rows.lead)
    }
    if let weights {
      for i in 0..<order { roots[i] = weights[rows.base + i].squareRoot() }
    }
    // The intercept, known from Σw rows and without a penalty.
    let level = 1 / sums.weightSum
    let mean = sums.means[sums.featureCount]
    for t in 0..<order {
      // Coordinates of the row along those before it.
      for i in 0..<t {
        var sum = (inner[i * lead + t] + level) * roots[i]
        for k in 0..<i { sum -= coordinates[k] * factor[i * order + k] }
        coordinates[i] = sum / factor[i * order + i]
      }
      let own = inner[t * lead + t] + level
      let start = inner[t * lead + rows.lead]
      if rows.base + t >= rows.forecast.lowerBound {
        var (forecast, leverage) = (mean + start, own)
        for i in 0..<rows.known[rows.base + t - rows.forecast.lowerBound] {
          forecast += coordinates[i] * innovations[i]
          leverage -= coordinates[i] * coordinates[i]
        }
        forecasts.append(forecast)
        leverages.append(max(0, leverage))
      }
      var (left, surprise) = (own, target[rows.base + t] - mean - start)
      for i in 0..<t {
        left -= coordinates[i] * coordinates[i]
        surprise -= coordinates[i] * innovations[i]
        factor[t * order + i] = roots[t] * coordinates[i]
      }
      let pivot = (1 + roots[t] * roots[t] * max(0, left)).squareRoot()
      factor[t * order + t] = pivot
      innovations[t] = roots[t] * surprise / pivot
    }
  }
}
