import LinearAlgebra
import TestSupport
import Testing

@testable import Learning

/// What a streaming state must agree with: the rows held, summed and solved from scratch with the
/// scales of the state.
private func fresh(
  _ state: StreamingRidge, _ rows: RandomRows, _ held: [Int]
) throws -> (model: LinearModel, condition: Double) {
  let p = state.featureCount
  let inverses = state.inverseScales
  var scaled = rows.features.rows(at: held)
  for j in 0..<p {
    let centre = state.sums.centre[j]
    for i in 0..<held.count { scaled[i, j] = (scaled[i, j] - centre) * inverses[j] }
  }
  let penalty = state.settings.penalty
  let target = ContiguousArray(held.map { rows.target[$0] })
  let weights = ContiguousArray(held.map { rows.weights[$0] })
  let fit = try RidgeRegression(penalty: penalty, standardisation: .centred)
    .fit(scaled, target: target, weights: weights)
  var coefficients = fit.model.coefficients
  var intercept = fit.model.intercept
  for j in 0..<p {
    coefficients[j] *= inverses[j]
    intercept -= coefficients[j] * state.sums.centre[j]
  }
  let moments = try Moments(features: scaled, targets: Matrix(columns: [target]), weights: weights)
  var gram = try Matrix(rowCount: p, columnCount: p)
  for j in 0..<p {
    for i in j..<p { gram[i, j] = moments.products[j * moments.order + i] }
    gram[j, j] += penalty
  }
  let values = try SymmetricEigen(gram).values
  return (LinearModel(intercept: intercept, coefficients: coefficients), values[p - 1] / values[0])
}

private func expectExact(_ state: StreamingRidge, _ rows: RandomRows, _ held: [Int]) throws {
  let (expected, condition) = try fresh(state, rows, held)
  let bound = max(64, Double(state.featureCount)) * .ulpOfOne * condition
  let scales = state.inverseScales
  let pairs = zip(state.model.coefficients, expected.coefficients).enumerated()
  var (error, size) = (0.0, 0.0)
  for (j, (found, wanted)) in pairs {
    error += ((found - wanted) / scales[j]) * ((found - wanted) / scales[j])
    size += (wanted / scales[j]) * (wanted / scales[j])
  }
  // Rounding of the products with the target is of the size of its spread, however small β is.
  let moments = try Moments(
    features: rows.features.rows(at: held),
    targets: Matrix(columns: [ContiguousArray(held.map { rows.target[$0] })]),
    weights: ContiguousArray(held.map { rows.weights[$0] }))
  let spread = (moments.products.last.map { $0 / moments.weightSum } ?? 0).squareRoot()
  #expect(error.squareRoot() <= bound * max(spread, size.squareRoot()), "κ \(condition)")
}

@Suite struct `A streaming ridge regression` {
  @Test(arguments: 0..<24 as Range<UInt64>)
  func `equals a fresh fit after any edits`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let featureCount = Int.random(in: 1...12, using: &random)
    let rows = try RandomRows(seed: seed, rowCount: 120, featureCount: featureCount)
    var held = Array(0..<40)
    var state = try StreamingRidge(
      RidgeRegression(penalty: [0.01, 1, 30].randomElement(using: &random) ?? 1),
      rows.features.rows(at: held), target: ContiguousArray(held.map { rows.target[$0] }),
      weights: ContiguousArray(held.map { rows.weights[$0] }))
    try expectExact(state, rows, held)
    for step in 0..<300 {
      let spare = (0..<120).filter { !held.contains($0) }
      switch Int.random(in: 0..<3, using: &random) {
      case 0 where !spare.isEmpty:
        let i = spare.randomElement(using: &random) ?? 0
        try state.add(rows.row(i), target: rows.target[i], weight: rows.weights[i])
        held.append(i)
      case 1 where held.count > 2:
        let i = held.remove(at: Int.random(in: 0..<held.count, using: &random))
        try state.remove(rows.row(i), target: rows.target[i], weight: rows.weights[i])
      case 2 where !spare.isEmpty:
        let position = Int.random(in: 0..<held.count, using: &random)
        let (old, new) = (held[position], spare.randomElement(using: &random) ?? 0)
        try state.change(
          rows.row(old), target: rows.target[old], weight: rows.weights[old], to: rows.row(new),
          target: rows.target[new], weight: rows.weights[new])
        held[position] = new
      default: break
      }
      if step % 50 == 49 { try expectExact(state, rows, held) }
    }
    #expect(state.rowCount == held.count)
  }

  @Test func `is as exact after 20,000 random edits`() throws {
    var random = SplitMix64(seed: 20_000)
    let rows = try RandomRows(seed: 20_000, rowCount: 400, featureCount: 10)
    var held = Array(0..<150)
    var state = try StreamingRidge(
      RidgeRegression(penalty: 1), rows.features.rows(at: held),
      target: ContiguousArray(held.map { rows.target[$0] }),
      weights: ContiguousArray(held.map { rows.weights[$0] }))
    var isHeld = (0..<400).map { $0 < 150 }
    for _ in 0..<20_000 {
      let i = Int.random(in: 0..<400, using: &random)
      if isHeld[i] {
        try state.remove(rows.row(i), target: rows.target[i], weight: rows.weights[i])
      } else {
        try state.add(rows.row(i), target: rows.target[i], weight: rows.weights[i])
      }
      isHeld[i].toggle()
    }
    held = (0..<400).filter { isHeld[$0] }
    try expectExact(state, rows, held)
  }

  @Test func `NUM_12: a row far out goes as if it had never come`() throws {
    let rows = try RandomRows(seed: 5, rowCount: 60, featureCount: 4)
    var state = try StreamingRidge(
      RidgeRegression(), rows.features, target: rows.target, weights: rows.weights)
    for size in [1e3, 1e6, 1e9] {
      let far = ContiguousArray(repeating: size, count: 4)
      try state.add(far, target: -size)
      try state.add(rows.row(0), target: 0)
      try state.remove(far, target: -size)
      try state.remove(rows.row(0), target: 0)
      try expectExact(state, rows, Array(0..<60))
    }
  }

  @Test func `NUM_13: a constant stretch does not spoil what comes after`() throws {
    let rows = try RandomRows(seed: 6, rowCount: 40, featureCount: 3)
    var state = try StreamingRidge(RidgeRegression(), rows.features, target: rows.target)
    let before = state.model
    for _ in 0..<500 { try state.add(rows.row(3), target: rows.target[3]) }
    for _ in 0..<500 { try state.remove(rows.row(3), target: rows.target[3]) }
    #expect(agree(state.model.coefficients, before.coefficients, within: 1e-12))
  }

  @Test func `adds many rows as it adds them one by one`() throws {
    let rows = try RandomRows(seed: 7, rowCount: 80, featureCount: 5)
    let start = try StreamingRidge(
      RidgeRegression(), rows.features.rows(0..<30), target: ContiguousArray(rows.target[..<30]))
    var (one, many) = (start, start)
    for i in 30..<80 { try one.add(rows.row(i), target: rows.target[i], weight: rows.weights[i]) }
    try many.add(
      rows.features.rows(30..<80), target: ContiguousArray(rows.target[30...]),
      weights: ContiguousArray(rows.weights[30...]))
    #expect(one.model == many.model)
    var broken = rows.features.rows(30..<80)
    broken[20, 2] = .nan
    var state = start
    #expect(throws: LearningError.nonFiniteFeature(row: 20, column: 2)) {
      try state.add(broken, target: ContiguousArray(rows.target[30...]))
    }
    #expect(state.model == start.model && state.rowCount == 30)
  }

  @Test func `merges with another as if it had seen its rows`() throws {
    let rows = try RandomRows(seed: 10, rowCount: 90, featureCount: 4)
    func part(_ range: Range<Int>) throws -> StreamingRidge {
      try StreamingRidge(
        RidgeRegression(), rows.features.rows(range), target: ContiguousArray(rows.target[range]),
        weights: ContiguousArray(rows.weights[range]))
    }
    var merged = try part(0..<50)
    try merged.merge(part(50..<90))
    try expectExact(merged, rows, Array(0..<90))
    var restandardised = merged
    try restandardised.restandardise()
    let whole = try RidgeRegression()
      .fit(rows.features, target: rows.target, weights: rows.weights).model
    #expect(agree(restandardised.model.coefficients, whole.coefficients, within: 1e-12))
    #expect(
      abs(
        try restandardised.leverage(of: rows.row(3))
          - RidgeRegression().fit(rows.features, target: rows.target, weights: rows.weights)
          .leverage(of: rows.row(3))) < 1e-12)
  }

  @Test func `takes up a column that was constant when scales are taken anew`() throws {
    var rows = try RandomRows(seed: 16, rowCount: 60, featureCount: 3)
    for i in 0..<30 { rows.features[i, 1] = 5 }
    var state = try StreamingRidge(
      RidgeRegression(), rows.features.rows(0..<30), target: ContiguousArray(rows.target[..<30]))
    #expect(state.constantColumns == [1])
    try state.add(rows.features.rows(30..<60), target: ContiguousArray(rows.target[30...]))
    #expect(state.model.coefficients[1] == 0)
    try state.restandardise()
    let whole = try RidgeRegression().fit(rows.features, target: rows.target).model
    #expect(agree(state.model.coefficients, whole.coefficients, within: 1e-12))
  }

  @Test func `refuses what it cannot do and stays as it was`() throws {
    let rows = try RandomRows(seed: 17, rowCount: 3, featureCount: 2)
    var state = try StreamingRidge(
      RidgeRegression(penalty: 0), rows.features, target: rows.target)
    let before = state.model
    #expect(throws: LearningError.singular(order: 2)) {
      try state.remove(rows.row(0), target: rows.target[0])
    }
    #expect(throws: LearningError.tooFewRows(needed: 2, actual: 3)) {
      try state.remove(rows.row(0), target: rows.target[0], weight: 3)
    }
    #expect(throws: LearningError.lengthMismatch(expected: 2, actual: 1)) {
      try state.add([1], target: 0)
    }
    #expect(throws: LearningError.nonFiniteTarget(row: 0, column: 0)) {
      try state.change(rows.row(0), target: rows.target[0], to: rows.row(1), target: .nan)
    }
    #expect(throws: LearningError.overflow(column: 1)) {
      try state.add([0, 1e300], target: 0)
    }
    #expect(state.model == before)
    try state.add(rows.row(0), target: rows.target[0], weight: 0)
    #expect(state.model == before && state.rowCount == 3)
  }

  @Test func `is read back to the bit and goes on to the bit`() throws {
    let rows = try RandomRows(seed: 18, rowCount: 80, featureCount: 5)
    var state = try StreamingRidge(
      RidgeRegression(), rows.features.rows(0..<30), target: ContiguousArray(rows.target[..<30]))
    for i in 30..<41 { try state.add(rows.row(i), target: rows.target[i]) }
    var again = try StreamingRidge(decoding: state.encoded())
    #expect(again.model == state.model)
    #expect(again.encoded() == state.encoded())
    for i in 0..<600 {
      let (old, new) = (i % 80, (i + 41) % 80)
      try state.change(rows.row(old), target: rows.target[old], to: rows.row(new), target: 1)
      try again.change(rows.row(old), target: rows.target[old], to: rows.row(new), target: 1)
      if i % 97 == 0 { #expect(again.model == state.model) }
      try state.change(
        rows.row(new), target: 1, to: rows.row(old), target: rows.target[old])
      try again.change(
        rows.row(new), target: 1, to: rows.row(old), target: rows.target[old])
    }
    #expect(again.encoded() == state.encoded())
  }
}
