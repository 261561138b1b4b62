import LinearAlgebra
import TestSupport
import Testing

@testable import Learning

/// That a state is the minimum for the rows held: by the distance that two points with small gradients can
/// have, from a fit of the same rows with the scales of the state and a far smaller gradient.
private func expectExact(
  _ state: StreamingLogistic, _ data: RandomLabels, _ held: [Int]
) throws {
  let p = state.featureCount
  var scaled = data.features.rows(at: held)
  for j in 0..<p {
    for i in 0..<held.count {
      scaled[i, j] = (scaled[i, j] - state.scales.means[j]) * state.scales.inverseScales[j]
    }
  }
  let labels = ContiguousArray(held.map { data.labels[$0] })
  let weights = ContiguousArray(held.map { data.weights[$0] })
  let settings = LogisticRegression(
    penalty: state.settings.penalty, standardisation: .centred, tolerance: 1e-13)
  let expected = try settings.fit(scaled, labels: labels, weights: weights).model
  var curvature = try Matrix(rowCount: p + 1, columnCount: p + 1)
  for i in 0..<held.count {
    let row = scaled.row(i) + [1]
    let probability = expected.probability(scaled.row(i))
    for j in 0...p {
      for k in j...p {
        curvature[k, j] += weights[i] * probability * (1 - probability) * row[j] * row[k]
      }
    }
  }
  for j in 0..<p { curvature[j, j] += settings.penalty }
  let least = try SymmetricEigen(curvature).values[0]
  // Away from the minimum the second derivative is not quite that at it.
  let bound = 1.1 * 1.001e-8 * state.weightSum * Double(p + 1).squareRoot() / least

  var square = 0.0
  for j in 0..<p where state.scales.inverseScales[j] > 0 {
    let found = state.model.coefficients[j] / state.scales.inverseScales[j]
    square += (found - expected.coefficients[j]) * (found - expected.coefficients[j])
  }
  #expect(square.squareRoot() <= bound + 1e-12)
  #expect(state.gradient <= 1e-8)
  #expect(state.rowCount == held.count)
  #expect(abs(state.weightSum - weights.reduce(0, +)) <= 1e-12 * state.weightSum)
}

@Suite struct `A streaming logistic regression` {
  private func state(
    _ data: RandomLabels, _ held: [Int], penalty: Double = 1
  ) throws -> StreamingLogistic {
    try StreamingLogistic(
      LogisticRegression(penalty: penalty), keys: held, data.features.rows(at: held),
      labels: ContiguousArray(held.map { data.labels[$0] }),
      weights: ContiguousArray(held.map { data.weights[$0] }))
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `equals a fresh fit after any edits`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let featureCount = Int.random(in: 1...12, using: &random)
    var data = try RandomLabels(
      seed: seed, rowCount: 300, featureCount: featureCount,
      strength: [0.2, 1, 5].randomElement(using: &random) ?? 1)
    var held = Array(0..<Int.random(in: 10...140, using: &random))
    var state = try state(
      data, held, penalty: [0.01, 1, 30].randomElement(using: &random) ?? 1)
    try expectExact(state, data, held)
    for step in 0..<300 {
      let spare = (0..<300).filter { !held.contains($0) }
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where !spare.isEmpty:
        let i = spare.randomElement(using: &random) ?? 0
        try state.set(i, data.row(i), label: data.labels[i], weight: data.weights[i])
        held.append(i)
      case 1 where held.count > 6:
        let position = Int.random(in: 0..<held.count, using: &random)
        let rest = held.enumerated().filter { $0.offset != position }.map(\.element)
        if Set(rest.map { data.labels[$0] }).count == 2 {
          try state.remove(held[position])
          held = rest
        } else {
          #expect(throws: LearningError.singleClass) { try state.remove(held[position]) }
        }
      case 2:
        let i = held.randomElement(using: &random) ?? 0
        for j in 0..<featureCount {
          data.features[i, j] += Double.random(in: -1...1, using: &random)
        }
        data.weights[i] = Double.random(in: 0.25...4, using: &random)
        try state.set(i, data.row(i), label: data.labels[i], weight: data.weights[i])
      case 3 where spare.count > 5:
        let many = Array(spare.prefix(5))
        try state.set(
          many, data.features.rows(at: many), labels: ContiguousArray(many.map { data.labels[$0] }),
          weights: ContiguousArray(many.map { data.weights[$0] }))
        held += many
      default: break
      }
      if step % 50 == 49 { try expectExact(state, data, held) }
    }
  }

  @Test func `is as exact after 4,000 edits`() throws {
    var random = SplitMix64(seed: 4000)
    let data = try RandomLabels(seed: 4000, rowCount: 200, featureCount: 6)
    var isHeld = (0..<200).map { $0 < 100 }
    var state = try state(data, Array(0..<100))
    for _ in 0..<4000 {
      let i = Int.random(in: 2..<200, using: &random)
      if isHeld[i] {
        try state.remove(i)
      } else {
        try state.set(i, data.row(i), label: data.labels[i], weight: data.weights[i])
      }
      isHeld[i].toggle()
    }
    try expectExact(state, data, (0..<200).filter { isHeld[$0] })
  }
}
