#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How far numbers are from those they should be.
enum Departure {
  /// The largest difference over the largest entry of the reference.
  static func relative(
    _ values: some Collection<Double>, from reference: some Collection<Double>
  ) -> Double {
    precondition(values.count == reference.count)
    let largest = reference.reduce(0) { max($0, abs($1)) }
    return zip(values, reference).reduce(0) { max($0, abs($1.0 - $1.1)) } / largest
  }

  /// The largest entry of the gradient of (1/n)(Σ log(1 + exp(-s(Xw + b))) + λ/2 |w|²), in plain loops.
  ///
  /// `w` holds a coefficient per column of `x` (column after column) and the intercept.
  static func gradient(
    x: Buffer, labels: Buffer, lambda: Double, w: ContiguousArray<Double>
  ) -> Double {
    let n = labels.count
    let p = w.count - 1
    var scores = ContiguousArray(repeating: w[p], count: n)
    for j in 0..<p {
      for i in 0..<n { scores[i] += x[j * n + i] * w[j] }
    }
    for i in 0..<n { scores[i] = 1 / (1 + exp(-scores[i])) - labels[i] }
    var largest = abs(scores.reduce(0, +) / Double(n))
    for j in 0..<p {
      var sum = lambda * w[j]
      for i in 0..<n { sum += x[j * n + i] * scores[i] }
      largest = max(largest, abs(sum / Double(n)))
    }
    return largest
  }
}
