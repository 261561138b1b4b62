import LinearAlgebra
import TestSupport
import Testing

@testable import Learning

/// Numbers at the edge of what a double holds, and settings at the edge of what an Int does.
@Suite struct `Numbers at the edge` {
  @Test(arguments: [1e-305, 1e-307, 1e-308, 0x1p-1030])
  func `that no coefficient can answer are a named error`(unit: Double) throws {
    let features = try Matrix(rows: (0..<6).map { [Double($0) * unit] })
    let target = ContiguousArray((0..<6).map { 1e4 * Double($0) })
    #expect(throws: LearningError.overflow(column: 0)) {
      try RidgeRegression(penalty: 0).fit(features, target: target)
    }
    #expect(throws: LearningError.overflow(column: 0)) {
      try StreamingRidge(RidgeRegression(), features, target: target)
    }
    if unit < 1e-308 {
      #expect(throws: LearningError.overflow(column: 0)) {
        try LogisticRegression(penalty: 1e-3).fit(features, labels: [0, 0, 1, 0, 1, 1])
      }
    }
  }

  @Test(arguments: [1e-150, 1e-154, 1e-156, 1e-160, 1e-162, 1e-200, 1e-300, 1e150, 1e200])
  func `are no others to a stream than to a fit`(unit: Double) throws {
    let features = try Matrix(rows: (0..<6).map { [Double($0) * unit, Double($0 * $0 % 5)] })
    let target: ContiguousArray<Double> = [0, 1, 2, 3, 4, 6]
    let fit = try RidgeRegression().fit(features, target: target).model
    var stream = try StreamingRidge(RidgeRegression(), features, target: target)
    #expect(stream.constantColumns.isEmpty)
    #expect(try agree(stream.model.predict(features), fit.predict(features), within: 1e-13))
    try stream.add([unit, 2], target: 1)
    try stream.remove([unit, 2], target: 1)
    #expect(try agree(stream.model.predict(features), fit.predict(features), within: 1e-13))
  }

  /// Leave-one-out errors of refits in more digits; the scales are those of all rows, as centring alone has none.
  @Test(arguments: [(12, 40), (15, 30), (6, 200)])
  func `of a small penalty leave wide fits their leave-one-out errors`(size: (Int, Int)) throws {
    let (n, p) = size
    var random = SplitMix64(seed: UInt64(p))
    let rows = (0..<n).map { _ in
      ContiguousArray((0..<p).map { _ in Double.random(in: -0.5...0.5, using: &random) })
    }
    let target = ContiguousArray((0..<n).map { _ in Double.random(in: -0.5...0.5, using: &random) })
    let weights = ContiguousArray((0..<n).map { _ in Double.random(in: 0.5...2, using: &random) })
    let features = try Matrix(rows: rows)
    for penalty in [1, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10] {
      for weights in [nil, weights] {
        var squares = 0.0
        let fit = try RidgeRegression(penalty: penalty, standardisation: .centred)
          .fit(features, target: target, weights: weights)
        let found = try fit.diagnostics(features, target: target, weights: weights)
        for i in 0..<n {
          let kept = (0..<n).filter { $0 != i }
          // The refit through the equations of the rows, of which there are fewer: those of the columns are singular.
          let away = try Self.leftOut(
            kept.map { rows[$0] }, kept.map { target[$0] },
            weights.map { weights in kept.map { weights[$0] } }, penalty, rows[i], target[i])
          // Equations of n rows whose condition is below 1e3: see the spread of the entries.
          #expect(abs(found.leaveOneOutResiduals[i, 0] / away - 1) <= 64 * 1e3 * .ulpOfOne)
          #expect(found.leverages[i] <= 1)
          squares += (weights.map { $0[i] } ?? 1) * away * away
          let leverage = try fit.leverage(of: rows[i]) * (weights.map { $0[i] } ?? 1)
          #expect(abs(leverage - found.leverages[i]) <= 64 * 1e3 * .ulpOfOne)
        }
        let path = try PenaltyPath(
          [penalty], features, target: target, weights: weights, standardisation: .centred)
        let mean = squares / (weights?.reduce(0, +) ?? Double(n))
        #expect(abs(path.leaveOneOutMeanSquares[0, 0] / mean - 1) <= 128 * 1e3 * .ulpOfOne)
        #expect(abs(path.degreesOfFreedom[0] - found.degreesOfFreedom) <= 64 * 1e3 * .ulpOfOne)
      }
    }
  }

  /// y − ŷ of a row that was left out, by (K + λI)α = y of the centred rows kept, in more digits.
  private static func leftOut(
    _ rows: [ContiguousArray<Double>], _ target: [Double], _ weights: [Double]?, _ penalty: Double,
    _ row: ContiguousArray<Double>, _ outcome: Double
  ) throws -> Double {
    typealias Number = ExtendedRidge.Number
    let (n, p) = (rows.count, row.count)
    let weights = (weights ?? [Double](repeating: 1, count: n)).map { Number($0) }
    let total = weights.reduce(0, +)
    let means = (0..<p).map { j in
      (0..<n).reduce(0) { $0 + weights[$1] * Number(rows[$1][j]) } / total
    }
    let mean = (0..<n).reduce(0) { $0 + weights[$1] * Number(target[$1]) } / total
    let z = (0..<n).map { i in
      (0..<p).map { weights[i].squareRoot() * (Number(rows[i][$0]) - means[$0]) }
    }
    // Adding r rᵀ, of the roots of the weights, changes nothing: the centred rows are orthogonal to it.
    var lower = (0..<n).map { i in
      (0...i).map { k in
        (0..<p).reduce(
          (weights[i] * weights[k]).squareRoot() / total + (i == k ? Number(penalty) : 0)
        ) {
          $0 + z[i][$1] * z[k][$1]
        }
      }
    }
    for i in 0..<n {
      for j in 0...i {
        for k in 0..<j { lower[i][j] -= lower[i][k] * lower[j][k] }
        lower[i][j] = i == j ? lower[i][i].squareRoot() : lower[i][j] / lower[j][j]
      }
    }
    var alpha = (0..<n).map { weights[$0].squareRoot() * (Number(target[$0]) - mean) }
    for i in 0..<n {
      for k in 0..<i { alpha[i] -= lower[i][k] * alpha[k] }
      alpha[i] /= lower[i][i]
    }
    for i in (0..<n).reversed() {
      for k in i + 1..<n { alpha[i] -= lower[k][i] * alpha[k] }
      alpha[i] /= lower[i][i]
    }
    var away = Number(outcome) - mean
    for j in 0..<p {
      let coefficient = (0..<n).reduce(0) { $0 + z[$1][j] * alpha[$1] }
      away -= coefficient * (Number(row[j]) - means[j])
    }
    return Double(away)
  }

  @Test func `in settings are an error, or as good as any other`() throws {
    let features = try Matrix(rows: (0..<40).map { [Double($0), Double($0 % 7)] })
    let target = ContiguousArray((0..<40).map { Double($0 * $0 % 11) })
    let never = try RollingOrigin(scaleInterval: .max).evaluate([1], features, target: target)
    let rarely = try RollingOrigin(scaleInterval: 1000).evaluate([1], features, target: target)
    #expect(agree(never.columns[0], rarely.columns[0], within: 1e-12))
    #expect(
      throws: LearningError.tooFewRows(needed: 41, actual: 40),
      performing: { try RollingOrigin(horizon: .max).evaluate([1], features, target: target) })
    #expect(
      try RowSplit.rollingOrigin(rowCount: 10, first: 5, step: .max).map(\.heldOut) == [
        [5, 6, 7, 8, 9]
      ])
    #expect(throws: LearningError.invalidSetting("first")) {
      try RowSplit.rollingOrigin(rowCount: 10, first: .max, step: 1, gap: .max)
    }
    #expect(throws: LearningError.self) { try Moments(featureCount: .max) }
    #expect(throws: LearningError.self) { try Moments(featureCount: 1, targetCount: .max) }
    #expect(throws: LearningError.emptyInput(rowCount: 0, columnCount: -1)) {
      try Moments(featureCount: -1, targetCount: 3)
    }
    #expect(throws: LearningError.self) { try KeyedMoments(featureCount: .max) }
    #expect(throws: LearningError.self) { try KeyedMoments(featureCount: .max - 1) }
  }

  @Test func `at the ends of a double's range are refused or right`() throws {
    let (forecasts, outcomes): (ContiguousArray<Double>, ContiguousArray<Double>) = (
      [1, 0], [0, 1]
    )
    #expect(throws: LearningError.invalidWeight(row: 1)) {
      try NumericScores(forecasts, outcomes, weights: [1, .leastNonzeroMagnitude])
    }
    #expect(throws: LearningError.invalidWeight(row: 0)) {
      try ProbabilityScores(forecasts, outcomes, weights: [1e308, 1])
    }
    #expect(throws: LearningError.overflow(column: 0)) {
      try NumericScores([1e200, 0], [-1e200, 1], weights: [1e200, 1])
    }
    let table = try CalibrationTable([0.1, 1, 0.4], [0, 1, 0], binCount: .max)
    #expect(table.bins.count == 3)
    let wide = try CalibrationTable(
      [0.1, 1, 0.4], [0, 1, 0], binCount: .max, binning: .equalWidths)
    #expect(wide.bins.map(\.count) == [1, 1, 1])
    var interval = try AdaptiveInterval(coverage: 0.9, memory: 4, step: 0.5, leastErrors: 1)
    for _ in 0..<4 { try interval.observe(1.7e308, halfWidth: 0) }
    #expect(interval.halfWidth == .greatestFiniteMagnitude)
    let eigen = try SymmetricEigen(Matrix(rows: [[1e308, 0.5e308], [0.5e308, 1e308]]))
    #expect(
      abs(eigen.values[1] / 1.5e308 - 1) < 1e-15 && abs(eigen.values[0] / 0.5e308 - 1) < 1e-15)
  }

  @Test(arguments: [1e-200, 1, 1e150])
  func `of targets leave the share explained as it is`(unit: Double) throws {
    let rows = try RandomRows(seed: 69, rowCount: 30, featureCount: 2)
    func explained(_ unit: Double) throws -> Double {
      let target = ContiguousArray(rows.target.map { $0 * unit })
      return try RidgeRegression().fit(rows.features, target: target)
        .inference(rows.features, target: target).rSquared[0]
    }
    #expect(abs(try explained(unit) - explained(1)) < 1e-12)
  }

  @Test func `of rows beyond a thousand keep their scales and change no forecast`() throws {
    let rows = try RandomRows(seed: 68, rowCount: 2600, featureCount: 2)
    // The scales are taken once: all forecasts are those of one stretch, cut into parts.
    let whole = try RollingOrigin(leastRows: 30, scaleInterval: .max)
      .evaluate([1], rows.features, target: rows.target)
    let part = try RollingOrigin(leastRows: 30, scaleInterval: .max)
      .evaluate([1], rows.features.rows(0..<1700), target: ContiguousArray(rows.target[..<1700]))
    #expect(whole.columns[0].prefix(1670) == part.columns[0][...])
    // A row of the second part, by a fit of the rows before it with the scales of the first 30.
    let first = try Moments(
      features: rows.features.rows(0..<30),
      targets: Matrix(columns: [ContiguousArray(rows.target[..<30])]))
    let inverses = ColumnScales(first, .centredAndScaled).inverseScales
    let scaled = (0..<1500).map { i in
      ContiguousArray((0..<2).map { rows.features[i, $0] * inverses[$0] })
    }
    let fit = try ExtendedRidge(
      Array(scaled[..<1499]), ContiguousArray(rows.target[..<1499]), penalty: 1, isScaled: false)
    #expect(abs(whole.columns[0][1469] - Double(fit.predict(scaled[1499]))) < 1e-10)
  }

  @Test func `are no errors that an interval could learn from`() throws {
    var interval = try AdaptiveInterval(coverage: 0.9, memory: 4, leastErrors: 1)
    try interval.observe(6, halfWidth: nil)
    let before = interval
    for error in [Double.nan, .infinity, -3] {
      #expect(throws: LearningError.invalidSetting("error")) {
        try interval.observe(error, halfWidth: interval.halfWidth)
      }
    }
    for half in [Double.nan, .infinity, -1] {
      #expect(throws: LearningError.invalidSetting("halfWidth")) {
        try interval.observe(1, halfWidth: half)
      }
    }
    #expect(interval == before)
  }

  @Test func `in a blob whose checksum is right are refused or harmless`() throws {
    let rows = try RandomRows(seed: 69, rowCount: 20, featureCount: 3)
    var stream = try StreamingRidge(RidgeRegression(), rows.features, target: rows.target)
    try stream.add([1e6, 1, 1], target: 1)
    let good = stream.encoded()
    var random = SplitMix64(seed: 69)
    for _ in 0..<20_000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: 16..<bytes.count - 8, using: &random)] ^= UInt8.random(
          in: 1...255, using: &random)
      }
      let check = CRC64.checksum(bytes[..<(bytes.count - 8)])
      for i in 0..<8 { bytes[bytes.count - 8 + i] = UInt8(truncatingIfNeeded: check >> (8 * i)) }
      guard let state = try? StreamingRidge(decoding: bytes) else { continue }
      #expect(state.model.coefficients.allSatisfy { $0.isFinite } && state.model.intercept.isFinite)
    }
  }
}
