internal import LinearAlgebra

/// Means and centred products of some rows, packed: half the memory of a square.
struct BlockSums: Sendable {
  private(set) var rowCount = 0
  private(set) var weightSum = 0.0
  /// Weighted means of the features and the target after them.
  private(set) var means: ContiguousArray<Double>
  /// The lower triangle of Σ w (z − mean)(z − mean)ᵀ, column after column.
  private(set) var packed: ContiguousArray<Double>

  private var order: Int { means.count }

  init(order: Int) {
    means = ContiguousArray(repeating: 0, count: order)
    packed = ContiguousArray(repeating: 0, count: order * (order + 1) / 2)
  }

  /// The sums of rows that lie one after the other, each of `order` values and a positive weight.
  init(rows: ContiguousArray<Double>, order: Int) {
    self.init(order: order)
    let lead = order + 1
    rowCount = rows.count / lead
    for i in 0..<rowCount {
      let (at, weight) = (i * lead, rows[i * lead + order])
      weightSum += weight
      for j in 0..<order { means[j] += weight * rows[at + j] }
    }
    for j in 0..<order { means[j] /= weightSum }
    // Root weights as a last column, whose products are what the means are off by.
    var block = rows
    for i in 0..<rowCount {
      let (at, root) = (i * lead, rows[i * lead + order].squareRoot())
      for j in 0..<order { block[at + j] = (rows[at + j] - means[j]) * root }
      block[at + order] = root
    }
    var square = ContiguousArray<Double>(repeating: 0, count: lead * lead)
    BLAS.syrk(
      transposed: false, order: lead, inner: rowCount, block, aLead: lead, &square, cLead: lead)
    var offsets = ContiguousArray((0..<order).map { square[$0 * lead + order] })
    var at = 0
    for j in 0..<order {
      let shift = offsets[j] / weightSum
      for i in j..<order { packed[at + i - j] = square[j * lead + i] - shift * offsets[i] }
      at += order - j
    }
    for j in 0..<order {
      offsets[j] /= weightSum
      means[j] += offsets[j]
    }
  }

  /// Becomes the sums of the rows of both, `left` before `right`.
  ///
  /// - Note: *Updating formulae and a pairwise algorithm for computing sample variances*, Chan, Golub
  ///   and LeVeque, COMPSTAT 1982.
  mutating func merge(_ left: BlockSums, _ right: BlockSums) {
    rowCount = left.rowCount + right.rowCount
    weightSum = left.weightSum + right.weightSum
    let share = right.weightSum / weightSum
    var apart = right.means
    for j in 0..<order {
      apart[j] -= left.means[j]
      means[j] = left.means[j] + apart[j] * share
    }
    var at = 0
    for j in 0..<order {
      let scaled = apart[j] * left.weightSum * share
      for i in 0..<order - j {
        packed[at + i] = left.packed[at + i] + right.packed[at + i] + scaled * apart[j + i]
      }
      at += order - j
    }
  }

  /// The same sums, unpacked.
  var moments: Moments {
    var products = ContiguousArray<Double>(repeating: 0, count: order * order)
    var at = 0
    for j in 0..<order {
      for i in 0..<order - j { products[j * order + j + i] = packed[at + i] }
      at += order - j
    }
    return Moments(
      featureCount: order - 1, targetCount: 1, rowCount: rowCount, weightSum: weightSum,
      means: means, products: products)
  }
}
