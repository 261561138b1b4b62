import LinearAlgebra
import TestSupport

/// Made-up rows of one seed: features with unlike scales and means, and a target that depends on them.
struct RandomRows {
  var features: Matrix
  var target: ContiguousArray<Double>
  var weights: ContiguousArray<Double>

  init(seed: UInt64, rowCount: Int, featureCount: Int) throws {
    var random = SplitMix64(seed: seed)
    features = try Matrix(rowCount: rowCount, columnCount: featureCount)
    target = ContiguousArray(repeating: 0, count: rowCount)
    weights = ContiguousArray(
      (0..<rowCount).map { _ in Double.random(in: 0.25...4, using: &random) })
    for j in 0..<featureCount {
      let scale = Double.random(in: 0.1...10, using: &random)
      let mean = Double.random(in: -50...50, using: &random)
      let slope = Double.random(in: -2...2, using: &random) / scale
      for i in 0..<rowCount {
        let value = Double.random(in: -1...1, using: &random) * scale
        features[i, j] = mean + value
        target[i] += slope * value
      }
    }
    for i in 0..<rowCount { target[i] += Double.random(in: -1...1, using: &random) }
  }

  /// The features of one row.
  func row(_ i: Int) -> ContiguousArray<Double> { features.row(i) }
}

/// Whether two lists agree within `tolerance` times the largest of either.
func agree(
  _ a: ContiguousArray<Double>, _ b: ContiguousArray<Double>, within tolerance: Double
) -> Bool {
  let size = (a + b).reduce(0) { max($0, abs($1)) }
  return a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) <= tolerance * size }
}
