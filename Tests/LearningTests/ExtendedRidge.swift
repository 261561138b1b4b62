import LinearAlgebra
import Testing

@testable import Learning

/// Ridge regression by textbook formulae in more digits than the code under test has: 64 bits where the processor
/// has them, which is enough to judge the last digits of a double.
struct ExtendedRidge {
  #if arch(x86_64) && !os(Windows)
    typealias Number = Float80
  #else
    typealias Number = Double
  #endif

  private(set) var coefficients: [Number]
  private(set) var intercept: Number
  /// Standard deviations of the columns, and of the target after them.
  let deviations: [Number]
  /// The condition of the equations that were solved.
  let condition: Double

  /// - Parameter isScaled: Whether columns are divided by their deviations.
  init(
    _ rows: [ContiguousArray<Double>], _ target: ContiguousArray<Double>,
    weights: ContiguousArray<Double>? = nil, penalty: Double, isScaled: Bool = true
  ) throws {
    let (n, p) = (rows.count, rows[0].count)
    let weights = (weights ?? ContiguousArray(repeating: 1, count: n)).map { Number($0) }
    let total = weights.reduce(0, +)
    func column(_ j: Int) -> [Number] { (0..<n).map { Number(j < p ? rows[$0][j] : target[$0]) } }
    var (means, columns, deviations): ([Number], [[Number]], [Number]) = ([], [], [])
    for j in 0...p {
      let values = column(j)
      let mean = zip(weights, values).reduce(0) { $0 + $1.0 * $1.1 } / total
      let centred = values.map { $0 - mean }
      let square = zip(weights, centred).reduce(0) { $0 + $1.0 * $1.1 * $1.1 }
      means.append(mean)
      deviations.append((square / total).squareRoot())
      let scale = j < p && isScaled ? 1 / deviations[j] : 1
      columns.append(centred.map { $0 * scale })
    }
    func product(_ i: Int, _ j: Int) -> Number {
      (0..<n).reduce(0) { $0 + weights[$1] * columns[i][$1] * columns[j][$1] }
    }
    // Cholesky, L in the lower triangle.
    var lower = (0..<p).map { i in (0...i).map { product(i, $0) + (i == $0 ? Number(penalty) : 0) }
    }
    var gram = try Matrix(rowCount: p, columnCount: p)
    for i in 0..<p { for j in 0...i { gram[i, j] = Double(lower[i][j]) } }
    let eigenvalues = try SymmetricEigen(gram).values
    condition = eigenvalues[p - 1] / eigenvalues[0]
    for i in 0..<p {
      for j in 0...i {
        for k in 0..<j { lower[i][j] -= lower[i][k] * lower[j][k] }
        lower[i][j] = i == j ? lower[i][i].squareRoot() : lower[i][j] / lower[j][j]
      }
    }
    var solution = (0..<p).map { product($0, p) }
    for i in 0..<p {
      for k in 0..<i { solution[i] -= lower[i][k] * solution[k] }
      solution[i] /= lower[i][i]
    }
    for i in (0..<p).reversed() {
      for k in i + 1..<p { solution[i] -= lower[k][i] * solution[k] }
      solution[i] /= lower[i][i]
    }
    coefficients = (0..<p).map { isScaled ? solution[$0] / deviations[$0] : solution[$0] }
    intercept = means[p]
    for j in 0..<p { intercept -= coefficients[j] * means[j] }
    self.deviations = deviations
  }

  func predict(_ row: ContiguousArray<Double>) -> Number {
    (0..<row.count).reduce(intercept) { $0 + coefficients[$1] * Number(row[$1]) }
  }

  /// What a model is off by, as a share of what `StreamingRidge` promises: 64 ε κ of the size of standardised
  /// coefficients, or of the target's deviation where that is larger.
  func shareOfPromise(_ model: LinearModel) -> Double {
    let p = coefficients.count
    var (error, size): (Number, Number) = (0, 0)
    for j in 0..<p {
      let away = (Number(model.coefficients[j]) - coefficients[j]) * deviations[j]
      error += away * away
      size += coefficients[j] * deviations[j] * (coefficients[j] * deviations[j])
    }
    let whole = max(size.squareRoot(), deviations[p])
    return Double(error.squareRoot() / whole) / (64 * .ulpOfOne * condition)
  }
}
