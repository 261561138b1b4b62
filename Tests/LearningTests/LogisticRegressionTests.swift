import LinearAlgebra
import TestSupport
import Testing

@testable import Learning

/// Made-up rows with yes/no labels whose log odds are linear in the columns, plus noise.
struct RandomLabels {
  var features: Matrix
  var labels: ContiguousArray<Double>
  var weights: ContiguousArray<Double>

  init(seed: UInt64, rowCount: Int, featureCount: Int, strength: Double = 1) throws {
    let rows = try RandomRows(seed: seed, rowCount: rowCount, featureCount: featureCount)
    var random = SplitMix64(seed: seed ^ 0xABCD)
    features = rows.features
    weights = rows.weights
    let middle = rows.target.reduce(0, +) / Double(rowCount)
    labels = ContiguousArray(
      rows.target.map { value in
        let odds = strength * (value - middle)
        return Double.random(in: 0..<1, using: &random) < 1 / (1 + _exp(-odds)) ? 1 : 0
      })
    labels[0] = 0
    labels[1] = 1
  }

  func row(_ i: Int) -> ContiguousArray<Double> { features.row(i) }
}

/// e to the power of x by its series: the tests import no C library.
private func _exp(_ x: Double) -> Double {
  let halved = x / 1024
  var (sum, term) = (1.0, 1.0)
  for k in 1..<12 {
    term *= halved / Double(k)
    sum += term
  }
  for _ in 0..<10 { sum *= sum }
  return sum
}

/// The gradient divided by the weight sum in plain loops over columns that are standardised here, and what the
/// columns were divided by.
func plainGradient(
  _ model: LinearModel, _ data: RandomLabels, weights: ContiguousArray<Double>?, penalty: Double,
  scaled: Bool = true
) throws -> Double {
  let x = data.features
  let (n, p) = (x.rowCount, x.columnCount)
  let w = weights ?? ContiguousArray(repeating: 1, count: n)
  let total = w.reduce(0, +)
  var largest = 0.0
  var slope = 0.0
  let residuals = try (0..<n).map { i in w[i] * (try model.predict(x.row(i)) - data.labels[i]) }
  for r in residuals { slope += r }
  largest = abs(slope)
  for j in 0..<p {
    var mean = 0.0
    for i in 0..<n { mean += w[i] * x[i, j] }
    mean /= total
    var square = 0.0
    for i in 0..<n { square += w[i] * (x[i, j] - mean) * (x[i, j] - mean) }
    let scale = scaled ? (square / total).squareRoot() : 1
    if scale == 0 { continue }
    var sum = penalty * model.coefficients[j] * scale
    for i in 0..<n { sum += residuals[i] * (x[i, j] - mean) / scale }
    largest = max(largest, abs(sum))
  }
  return largest / total
}

@Suite struct `A logistic regression` {
  @Test(arguments: 0..<24 as Range<UInt64>)
  func `ends where the gradient vanishes`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let featureCount = Int.random(in: 1...20, using: &random)
    let data = try RandomLabels(
      seed: seed, rowCount: Int.random(in: 5...300, using: &random), featureCount: featureCount,
      strength: [0.1, 1, 10].randomElement(using: &random) ?? 1)
    let weights = Bool.random(using: &random) ? data.weights : nil
    for penalty in [1e-4, 0.01, 1, 100, 1e4] {
      for standardisation in Standardisation.allCases {
        let settings = LogisticRegression(penalty: penalty, standardisation: standardisation)
        let fit = try settings.fit(data.features, labels: data.labels, weights: weights)
        #expect(fit.gradient <= 1e-8)
        let gradient = try plainGradient(
          fit.model, data, weights: weights, penalty: penalty,
          scaled: standardisation == .centredAndScaled)
        #expect(abs(gradient - fit.gradient) <= 1e-11, "\(penalty)")
      }
    }
  }

  @Test func `NUM_7: a penalty keeps separated classes finite, without one they are an error`()
    throws
  {
    let features = try Matrix(columns: [[-2, -1, 1, 2]])
    let labels: ContiguousArray<Double> = [0, 0, 1, 1]
    var settings = LogisticRegression(penalty: 1, standardisation: .centred)
    let fit = try settings.fit(features, labels: labels)
    #expect(abs(fit.model.coefficients[0] - 1.006594) < 5e-7)
    #expect(abs(fit.model.intercept) < 1e-8)
    #expect(try abs(fit.model.predict([1]) - 0.732353) < 5e-7)
    settings.penalty = 0
    #expect(throws: LearningError.separated) { try settings.fit(features, labels: labels) }
  }

  @Test func `NUM_6: a column in units of a million converges all the same`() throws {
    var data = try RandomLabels(seed: 6, rowCount: 120, featureCount: 3)
    for i in 0..<120 { data.features[i, 1] *= 1e6 }
    for standardisation in Standardisation.allCases {
      let settings = LogisticRegression(penalty: 1, standardisation: standardisation)
      let fit = try settings.fit(data.features, labels: data.labels)
      #expect(fit.gradient <= 1e-8 && fit.iterations > 0)
      let gradient = try plainGradient(
        fit.model, data, weights: nil, penalty: 1, scaled: standardisation == .centredAndScaled)
      #expect(gradient <= 2e-8)
    }
    #expect(throws: LearningError.self) {
      try LogisticRegression(tolerance: 1e-300).fit(data.features, labels: data.labels)
    }
    do {
      _ = try LogisticRegression(maximumIterations: 1).fit(data.features, labels: data.labels)
      Issue.record("one step cannot be enough")
    } catch {
      guard case .notConverged(1, let gradient) = error else { throw error }
      #expect(gradient > 1e-8 && gradient < 1)
    }
  }

  @Test func `NUM_7: classes that only touch, and collinear columns, are told apart too`() throws {
    let unpenalised = LogisticRegression(penalty: 0)
    func fit(_ columns: [ContiguousArray<Double>], _ labels: ContiguousArray<Double>)
      throws(LearningError) -> LogisticFit
    {
      do { return try unpenalised.fit(Matrix(columns: columns), labels: labels) } catch let error
        as LearningError
      { throw error } catch { throw .emptyInput(rowCount: 0, columnCount: 0) }
    }
    // One row of each class at the border: quasi-complete separation.
    #expect(throws: LearningError.separated) {
      try fit([[-2, -1, 0, 0, 1, 2]], [0, 0, 0, 1, 1, 1])
    }
    // A column that is 1 for yes only.
    #expect(throws: LearningError.separated) {
      try fit([[0, 0, 0, 0, 0, 0, 1, 1], [1, 4, 2, 3, 1, 3, 2, 4]], [0, 1, 0, 1, 0, 1, 1, 1])
    }
    // Two columns that separate only together.
    #expect(throws: LearningError.separated) {
      try fit(
        [[0, 1, 2, 3, 0, 1, 2, 3], [0.5, 1.5, 2.5, 3.5, 0, 1, 2, 3]], [0, 0, 0, 0, 1, 1, 1, 1])
    }
    // A single row in the way makes it finite.
    let mixed = try fit([[-2, -1, 0, 1, 2, 1.5]], [0, 0, 1, 1, 1, 0])
    #expect(abs(mixed.model.coefficients[0]) < 5 && mixed.gradient <= 1e-8)
    // Twice the same column: the solution of least norm gives each half.
    let one: ContiguousArray<Double> = [1, 2, 3, 4, 5, 6, 7, 8]
    let labels: ContiguousArray<Double> = [0, 0, 1, 0, 1, 0, 1, 1]
    let single = try fit([one], labels).model
    let twice = try fit([one, one], labels).model
    for value in twice.coefficients { #expect(abs(value - single.coefficients[0] / 2) < 1e-7) }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `finds a finite minimum without a penalty exactly where there is one`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    // Whole numbers and few rows: complete, quasi-complete and no separation all come up.
    let n = Int.random(in: 6...14, using: &random)
    let x = ContiguousArray((0..<n).map { _ in Double(Int.random(in: 0...3, using: &random)) })
    let labels = ContiguousArray((0..<n).map { _ in Bool.random(using: &random) ? 1.0 : 0 })
    guard Set(labels).count == 2, Set(x).count > 1 else { return }
    // In one dimension: finite where the ranges of the two classes overlap on more than a border.
    let zeros = x.indices.filter { labels[$0] == 0 }.map { x[$0] }
    let ones = x.indices.filter { labels[$0] == 1 }.map { x[$0] }
    let isApart =
      (zeros.max() ?? 0) <= (ones.min() ?? 0) || (ones.max() ?? 0) <= (zeros.min() ?? 0)
    let result = Result {
      try LogisticRegression(penalty: 0).fit(Matrix(columns: [x]), labels: labels)
    }
    switch result {
    case .success(let fit): #expect(!isApart && fit.gradient <= 1e-8)
    case .failure(let error):
      #expect(isApart && error as? LearningError == .separated, "\(error) \(x) \(labels)")
    }
  }

  @Test func `NUM_15: is stable for scores of a thousand`() throws {
    let model = LinearModel(link: .logit, intercept: 0, coefficients: [1])
    for (score, probability) in [(800.0, 1.0), (-800, 0), (1000, 1), (-1000, 0), (0, 0.5)] {
      #expect(try model.predict([score]) == probability)
      #expect(try model.score([score]) == score)
    }
    // Far out a probability keeps its digits: e^-40 and e^-700.
    #expect(try abs(model.predict([-40]) / 4.248354255291589e-18 - 1) < 1e-15)
    #expect(try abs(model.predict([-700]) / 9.859676543759770e-305 - 1) < 1e-13)
    for (score, loss) in [(800.0, 800.0), (-800, 0), (1000, 1000), (-1000, 0)] {
      let features = ContiguousArray([score])
      #expect(
        try model.logLosses(Matrix(checkedColumns: [features], rowCount: 1), labels: [0]) == [loss])
    }
  }

  @Test func `its own exponential is good to three units in the last place`() {
    // exp is checked against itself: the product of the powers of two parts of an exponent.
    var worst = 0.0
    for step in 0...20_000 {
      let x = -Double(step) * 708 / 20_000
      let wanted = LogisticFunction.probability(x) / (1 - LogisticFunction.probability(x))
      guard x < -37 else { continue }
      worst = max(worst, abs(LogisticFunction.power(x) / wanted - 1))
    }
    #expect(worst <= 3 * .ulpOfOne)
    #expect(LogisticFunction.power(0) == 1)
  }

  @Test func `NUM_4: a weight of 2 is the row twice, of 0 the row absent`() throws {
    let data = try RandomLabels(seed: 4, rowCount: 50, featureCount: 4)
    var weights = ContiguousArray(repeating: 1.0, count: 50)
    weights[7] = 2
    weights[20] = 0
    let rows = Array(0..<50).filter { $0 != 20 } + [7]
    let settings = LogisticRegression(tolerance: 1e-13)
    let weighted = try settings.fit(data.features, labels: data.labels, weights: weights)
    let repeated = try settings.fit(
      data.features.rows(at: rows), labels: ContiguousArray(rows.map { data.labels[$0] }))
    #expect(
      agree(
        weighted.model.coefficients + [weighted.model.intercept],
        repeated.model.coefficients + [repeated.model.intercept], within: 1e-11))
    #expect(weighted.rowCount == 49 && weighted.weightSum == 50)
    weights[7] = 1
    let without = Array(0..<50).filter { $0 != 20 }
    let fit = try settings.fit(data.features, labels: data.labels, weights: weights)
    let absent = try settings.fit(
      data.features.rows(at: without), labels: ContiguousArray(without.map { data.labels[$0] }))
    #expect(agree(fit.model.coefficients, absent.model.coefficients, within: 1e-12))
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `with more columns than rows ends where the gradient vanishes`(seed: UInt64) throws {
    let data = try RandomLabels(seed: seed, rowCount: 15, featureCount: 40)
    for penalty in [0.01, 1, 100] {
      let fit = try LogisticRegression(penalty: penalty).fit(
        data.features, labels: data.labels, weights: data.weights)
      #expect(fit.gradient <= 1e-8)
      #expect(
        try plainGradient(fit.model, data, weights: data.weights, penalty: penalty) <= 1.001e-8)
    }
  }

  @Test func `NUM_3: constant columns get 0, equal ones share`() throws {
    let data = try RandomLabels(seed: 3, rowCount: 60, featureCount: 2)
    let first = data.features.column(0)
    let features = try Matrix(columns: [
      first, ContiguousArray(repeating: 14.62, count: 60), data.features.column(1), first,
    ])
    let fit = try LogisticRegression(tolerance: 1e-13).fit(features, labels: data.labels)
    #expect(fit.constantColumns == [1] && fit.model.coefficients[1] == 0)
    #expect(abs(fit.model.coefficients[0] - fit.model.coefficients[3]) < 1e-10)
    let constant = try LogisticRegression().fit(
      Matrix(columns: [ContiguousArray(repeating: 3, count: 60)]), labels: data.labels)
    let share = data.labels.reduce(0, +) / 60
    #expect(constant.model.coefficients == [0])
    #expect(try abs(constant.model.predict([3]) - share) < 1e-8)
  }

  @Test func `starts where it is told and ends at the same minimum`() throws {
    let data = try RandomLabels(seed: 11, rowCount: 200, featureCount: 8)
    let cold = try LogisticRegression(penalty: 2).fit(data.features, labels: data.labels)
    let again = try LogisticRegression(penalty: 2).fit(
      data.features, labels: data.labels, startingFrom: cold.model)
    #expect(again.iterations == 0 && again.gradient <= 1e-8)
    let far = LinearModel(
      link: .logit, intercept: 1e5, coefficients: ContiguousArray(repeating: -1e6, count: 8))
    let back = try LogisticRegression(penalty: 2).fit(
      data.features, labels: data.labels, startingFrom: far)
    #expect(back.model == cold.model)
  }

  @Test func `does not depend on the order of columns, nor much on that of rows`() throws {
    let data = try RandomLabels(seed: 12, rowCount: 150, featureCount: 5)
    let settings = LogisticRegression(tolerance: 1e-12)
    let model = try settings.fit(data.features, labels: data.labels).model
    let order = [3, 0, 4, 1, 2]
    let turned = try settings.fit(
      Matrix(columns: order.map(data.features.column)), labels: data.labels
    ).model
    #expect(
      agree(
        turned.coefficients, ContiguousArray(order.map { model.coefficients[$0] }), within: 1e-9))
    let rows = Array((0..<150).reversed())
    let reversed = try settings.fit(
      data.features.rows(at: rows), labels: ContiguousArray(rows.map { data.labels[$0] })
    ).model
    #expect(agree(reversed.coefficients, model.coefficients, within: 1e-9))
  }

  @Test func `columns of huge or tiny scale come out as others do`() throws {
    let data = try RandomLabels(seed: 13, rowCount: 80, featureCount: 2)
    let plain = try LogisticRegression(tolerance: 1e-12).fit(data.features, labels: data.labels)
      .model
    for scale in [1e-300, 1e-200, 1e-12, 1e12, 1e200, 1e300] {
      let first = ContiguousArray(data.features.column(0).map { $0 * scale })
      let scaled = try LogisticRegression(tolerance: 1e-12).fit(
        Matrix(columns: [first, data.features.column(1)]), labels: data.labels
      ).model
      #expect(abs(scaled.coefficients[0] * scale / plain.coefficients[0] - 1) < 1e-9, "\(scale)")
      #expect(abs(scaled.coefficients[1] / plain.coefficients[1] - 1) < 1e-9, "\(scale)")
    }
  }

  @Test func `refuses bad input by name and position`() throws {
    let features = try Matrix(columns: [[1, 2, 4, 7], [2, 1, 2, 5]])
    let labels: ContiguousArray<Double> = [0, 1, 0, 1]
    let settings = LogisticRegression()
    #expect(throws: LearningError.emptyInput(rowCount: 0, columnCount: 0)) {
      try settings.fit(Matrix(rows: [[Double]]()), labels: [])
    }
    #expect(throws: LearningError.lengthMismatch(expected: 4, actual: 3)) {
      try settings.fit(features, labels: [0, 1, 0])
    }
    #expect(throws: LearningError.targetNotBinary(row: 2)) {
      try settings.fit(features, labels: [0, 1, 0.5, 1])
    }
    #expect(throws: LearningError.targetNotBinary(row: 0)) {
      try settings.fit(features, labels: [-1, 1, -1, 1])
    }
    #expect(throws: LearningError.nonFiniteTarget(row: 3, column: 0)) {
      try settings.fit(features, labels: [0, 1, 0, .nan])
    }
    #expect(throws: LearningError.singleClass) { try settings.fit(features, labels: [1, 1, 1, 1]) }
    #expect(throws: LearningError.singleClass) {
      try settings.fit(features, labels: labels, weights: [1, 0, 1, 0])
    }
    for bad in [-1, .nan, .infinity] {
      #expect(throws: LearningError.invalidWeight(row: 1)) {
        try settings.fit(features, labels: labels, weights: [1, bad, 1, 1])
      }
      #expect(throws: LearningError.invalidPenalty(position: 0)) {
        try LogisticRegression(penalty: bad).fit(features, labels: labels)
      }
      #expect(throws: LearningError.invalidPenalty(position: 1)) {
        try LogisticPath([1, bad], features, labels: labels)
      }
      #expect(throws: LearningError.invalidSetting("tolerance")) {
        try LogisticRegression(tolerance: bad).fit(features, labels: labels)
      }
    }
    for bad in [Double.nan, .infinity] {
      var broken = features
      broken[2, 1] = bad
      #expect(throws: LearningError.nonFiniteFeature(row: 2, column: 1)) {
        try settings.fit(broken, labels: labels)
      }
    }
    #expect(throws: LearningError.lengthMismatch(expected: 2, actual: 1)) {
      try settings.fit(
        features, labels: labels,
        startingFrom: LinearModel(link: .logit, intercept: 0, coefficients: [1]))
    }
    #expect(throws: LearningError.invalidSetting("maximumIterations")) {
      try LogisticRegression(maximumIterations: 0).fit(features, labels: labels)
    }
  }
}
