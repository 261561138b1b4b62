import Learning
import LinearAlgebra
import TestSupport

/// Hashes over the bits of what the numeric core computes on seeded rows, a name and a hash each.
///
/// They are the same as long as every sum is taken in the same order by the same library and kernel.
/// A change that is to leave results alone shows here whether it does.
enum Fingerprints {
  static func print() throws {
    let tall = try Rows(seed: 15, rowCount: 300, featureCount: 24)
    let wide = try Rows(seed: 16, rowCount: 40, featureCount: 90)
    try printRidge(tall, wide)
    try printLogistic(tall, wide)
    try printEvaluation(tall)
    try printStreams(tall)
  }

  private static func printRidge(_ tall: Rows, _ wide: Rows) throws {
    let penalties = ContiguousArray((0..<20).map { Double(1 << $0) / 1024 })
    for (name, rows) in [("tall", tall), ("wide", wide)] {
      for (kind, penalty) in [("ridge", 3.0), ("least-norm", 0)] {
        let fit = try RidgeRegression(penalty: penalty).fit(
          rows.features, target: rows.target, weights: rows.weights)
        say("\(kind)-\(name)", [fit.model.intercept] + fit.model.coefficients)
        let diagnostics = try fit.diagnostics(
          rows.features, target: rows.target, weights: rows.weights)
        say("diagnostics-\(kind)-\(name)", diagnostics.leverages + diagnostics.residuals.column(0))
      }
      let path = try PenaltyPath(
        penalties, rows.features, target: rows.target, weights: rows.weights)
      say("path-\(name)", path.leaveOneOutMeanSquares.column(0) + path.degreesOfFreedom)
    }
  }

  private static func printLogistic(_ tall: Rows, _ wide: Rows) throws {
    let penalties: ContiguousArray = [100, 10, 1, 0.1]
    for (name, rows) in [("tall", tall), ("wide", wide)] {
      let path = try LogisticPath(
        penalties, rows.features, labels: rows.labels, weights: rows.weights)
      say(
        "logistic-\(name)",
        ContiguousArray(path.fits.flatMap { [$0.model.intercept] + $0.model.coefficients }))
    }
    let validation = try LogisticCrossValidation(
      penalties, tall.features, labels: tall.labels, weights: tall.weights,
      splits: RowSplit.consecutiveFolds(rowCount: 300, count: 5))
    say("logistic-validation", validation.logLosses)
  }

  private static func printEvaluation(_ rows: Rows) throws {
    let forecasts = try RollingOrigin(leastRows: 40).evaluate(
      [1, 100], rows.features, target: rows.target, weights: rows.weights)
    say("rolling", forecasts.forecasts() + forecasts.forecasts(position: 1))
    var keyed = try KeyedMoments(
      keys: Array(0..<300), rows.features, target: rows.target, weights: rows.weights)
    for key in stride(from: 0, to: 300, by: 7) { try keyed.remove(key) }
    say("keyed", keyed.moments.means + keyed.moments.products)
  }

  private static func printStreams(_ rows: Rows) throws {
    let (first, rest) = (rows.features.rows(0..<100), 100..<300)
    let settings = RidgeRegression(penalty: 2)
    var stream = try StreamingRidge(
      settings, first, target: ContiguousArray(rows.target.prefix(100)))
    var window = try SlidingWindowRidge(
      settings, first, target: ContiguousArray(rows.target.prefix(100)))
    var odds = try StreamingLogistic(
      LogisticRegression(), keys: Array(0..<100), first,
      labels: ContiguousArray(rows.labels.prefix(100)))
    for i in rest {
      try stream.add(rows.features.row(i), target: rows.target[i], weight: rows.weights[i])
      if i % 3 == 0 { try stream.remove(rows.features.row(i - 100), target: rows.target[i - 100]) }
      try window.slide(rows.features.row(i), target: rows.target[i])
      try odds.set(i, rows.features.row(i), label: rows.labels[i])
      if i % 3 == 0 { try odds.remove(i - 100) }
    }
    say("streaming-ridge", [stream.model.intercept] + stream.model.coefficients)
    say("sliding-window", [window.model.intercept] + window.model.coefficients)
    say("streaming-logistic", [odds.model.intercept] + odds.model.coefficients)
  }

  /// FNV-1a over the bytes of the numbers, lowest byte first.
  private static func say(_ name: String, _ values: ContiguousArray<Double>) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for value in values {
      for shift in stride(from: 0, to: 64, by: 8) {
        hash = (hash ^ (value.bitPattern >> UInt64(shift)) & 0xff) &* 0x100_0000_01b3
      }
    }
    Swift.print("fingerprint-\(name)", String(hash, radix: 16))
  }

  /// Correlated columns, weights, a target and labels that depend on them, from a seed.
  private struct Rows {
    var features: Matrix
    var target: ContiguousArray<Double>
    var labels: ContiguousArray<Double>
    var weights: ContiguousArray<Double>

    init(seed: UInt64, rowCount: Int, featureCount: Int) throws {
      var random = SplitMix64(seed: seed)
      features = try Matrix(rowCount: rowCount, columnCount: featureCount)
      target = ContiguousArray(repeating: 0, count: rowCount)
      labels = target
      weights = target
      for i in 0..<rowCount {
        weights[i] = Double.random(in: 0.25...4, using: &random)
        for j in 0..<featureCount {
          features[i, j] =
            Double.random(in: -1...1, using: &random) + Double(j)
            + (j > 0 ? features[i, j - 1] / 2 : 0)
          target[i] += features[i, j] / Double(j + 1)
        }
        target[i] += Double.random(in: -1...1, using: &random)
        let score = features[i, 0] + Double.random(in: -1...1, using: &random)
        labels[i] = score > 0 ? 1 : 0
      }
    }
  }
}
