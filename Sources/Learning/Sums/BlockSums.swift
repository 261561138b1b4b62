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

  /// Room to sum in: centred rows, and their products as a square.
  struct Workspace {
    fileprivate var block: ContiguousArray<Double> = []
    fileprivate var square: ContiguousArray<Double> = []
    fileprivate var offsets: ContiguousArray<Double> = []
  }

  /// The sums of rows that lie one after the other, each of `order` values and a positive weight.
  init(rows: ContiguousArray<Double>, order: Int) {
    self.init(order: order)
    var workspace = Workspace()
    sum(rows, &workspace)
  }

  /// Becomes the sums of other rows, at least one.
  mutating func sum(_ rows: ContiguousArray<Double>, _ workspace: inout Workspace) {
    let (order, lead) = (order, order + 1)
    rowCount = rows.count / lead
    weightSum = 0
    for j in 0..<order { means[j] = 0 }
    for i in 0..<rowCount {
      let weight = rows[i * lead + order]
      weightSum += weight
      Elementwise.add(order, weight, rows, xAt: i * lead, to: &means)
    }
    for j in 0..<order { means[j] /= weightSum }
    if workspace.block.count != rows.count {
      workspace.block = ContiguousArray(repeating: 0, count: rows.count)
    }
    if workspace.square.count != lead * lead {
      workspace.square = ContiguousArray(repeating: 0, count: lead * lead)
      workspace.offsets = ContiguousArray(repeating: 0, count: order)
    }
    // Root weights as a last column, whose products are what the means are off by.
    for i in 0..<rowCount {
      let root = rows[i * lead + order].squareRoot()
      Elementwise.centre(
        order, rows, xAt: i * lead, at: means, times: root, into: &workspace.block, zAt: i * lead)
      workspace.block[i * lead + order] = root
    }
    BLAS.syrk(
      Block(workspace.block, rowCount: lead, columnCount: rowCount), isFinite: true,
      &workspace.square)
    for j in 0..<order { workspace.offsets[j] = workspace.square[j * lead + order] }
    var at = 0
    for j in 0..<order {
      let shift = workspace.offsets[j] / weightSum
      Elementwise.combine(
        order - j, workspace.square, xAt: j * lead + j, -shift, workspace.offsets, yAt: j,
        into: &packed, zAt: at)
      at += order - j
    }
    for j in 0..<order { means[j] += workspace.offsets[j] / weightSum }
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
      Elementwise.combine(
        order - j, left.packed, xAt: at, 1, right.packed, yAt: at, into: &packed, zAt: at)
      Elementwise.add(order - j, scaled, apart, xAt: j, to: &packed, zAt: at)
      at += order - j
    }
  }

  /// Writes the sums, unpacked, into those of as many features.
  func unpack(into moments: inout Moments) {
    moments.rowCount = rowCount
    moments.weightSum = weightSum
    moments.means = means
    var at = 0
    for j in 0..<order {
      Elementwise.copy(order - j, packed, xAt: at, to: &moments.products, zAt: j * order + j)
      at += order - j
    }
  }
}
