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
    let probability = try expected.predict(scaled.row(i))
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

  @Test func `says what is wrong and stays as it was`() throws {
    let data = try RandomLabels(seed: 2, rowCount: 60, featureCount: 3)
    var state = try state(data, Array(0..<50))
    for i in 50..<58 { try state.set(i, data.row(i), label: data.labels[i]) }
    try state.remove(55)
    let before = state.encoded()
    func expect(_ error: LearningError, _ edit: () throws -> Void) {
      #expect(throws: error) { try edit() }
      #expect(state.encoded() == before)
    }
    let row = data.row(0)
    expect(.unknownKey(55)) { try state.remove(55) }
    expect(.unknownKey(99)) { try state.remove([3, 99]) }
    expect(.lengthMismatch(expected: 3, actual: 2)) { try state.set(1, [1, 2], label: 1) }
    expect(.targetNotBinary(row: 0)) { try state.set(1, row, label: 0.5) }
    expect(.nonFiniteTarget(row: 0, column: 0)) { try state.set(1, row, label: .nan) }
    expect(.invalidWeight(row: 0)) { try state.set(1, row, label: 1, weight: -1) }
    expect(.nonFiniteFeature(row: 0, column: 2)) { try state.set(1, [1, 2, .nan], label: 1) }
    expect(.overflow(column: 1)) { try state.set(1, [1, 1e300, 1], label: 1) }
    expect(.nonFiniteFeature(row: 1, column: 0)) {
      try state.set([70, 71], Matrix(rows: [row, [.infinity, 0, 0]]), labels: [0, 1])
    }
    expect(.lengthMismatch(expected: 2, actual: 1)) {
      try state.set([70, 71], Matrix(rows: [row, row]), labels: [0])
    }
    let ones = (0..<58).filter { $0 != 55 && data.labels[$0] == 1 }
    expect(.singleClass) { try state.remove(ones) }
    // The same key twice, new rows and old ones: taken back in the right order.
    expect(.singleClass) {
      let keys = ones + [80, 80, 81, ones[0], 80]
      try state.set(
        keys, data.features.rows(at: keys.map { _ in 3 }),
        labels: ContiguousArray(repeating: 0, count: keys.count))
    }
    #expect(state.contains(54) && !state.contains(55) && !state.contains(80))

    #expect(throws: LearningError.invalidPenalty(position: 0)) {
      try StreamingLogistic(
        LogisticRegression(penalty: 0), keys: Array(0..<60), data.features, labels: data.labels)
    }
    #expect(throws: LearningError.conflictingKey(7)) {
      try StreamingLogistic(
        LogisticRegression(), keys: Array(repeating: 7, count: 60), data.features,
        labels: data.labels)
    }
  }

  @Test func `that does not converge in time stays as it was`() throws {
    var failures = 0
    for seed in 0..<6 as Range<UInt64> {
      let data = try RandomLabels(seed: seed, rowCount: 80, featureCount: 4)
      var settings = LogisticRegression(penalty: 1e-6, maximumIterations: 0)
      // As few steps as just let the training end.
      var made: Result<StreamingLogistic, LearningError>
      repeat {
        settings.maximumIterations += 1
        let tried = settings
        made = Result { () throws(LearningError) in
          try StreamingLogistic(
            tried, keys: Array(0..<80), data.features, labels: data.labels)
        }
      } while (try? made.get()) == nil
      var state = try made.get()
      let before = state.encoded()
      let rows = Array(20..<80)
      // Rows of other sizes that nearly tell the labels apart: more steps than a training takes, even from the start.
      var wide = data.features
      for i in 0..<80 { for j in 0..<4 { wide[i, j] *= Double(1 + i * i) } }
      var changed = state
      let result = Result { () throws(LearningError) in
        try changed.set(
          rows.map { $0 + 30 }, wide.rows(at: rows),
          labels: ContiguousArray(rows.map { wide[$0, 0] < wide[$0, 1] ? 0 : 1 }),
          weights: ContiguousArray(repeating: 1000, count: 60))
      }
      guard case .failure(.notConverged(let iterations, let gradient)) = result else { continue }
      failures += 1
      state = changed
      #expect(iterations == settings.maximumIterations && gradient > 1e-8)
      #expect(state.encoded() == before)
    }
    #expect(failures > 0)
  }

  @Test func `goes on from a blob to the bit`() throws {
    let data = try RandomLabels(seed: 8, rowCount: 200, featureCount: 5)
    var state = try state(data, Array(0..<150))
    for i in [3, 77, 149, 20] { try state.remove(i) }
    for i in 150..<160 { try state.set(i, data.row(i), label: data.labels[i]) }
    var copy = try StreamingLogistic(decoding: state.encoded())
    #expect(copy.encoded() == state.encoded() && copy.model == state.model)
    for i in 160..<200 {
      try state.set(i, data.row(i), label: data.labels[i])
      try copy.set(i, data.row(i), label: data.labels[i])
      try state.remove(i - 60)
      try copy.remove(i - 60)
      #expect(copy.model == state.model)
    }
    #expect(copy.encoded() == state.encoded())
  }

  @Test func `has the same bits in room that was made for it, and takes edits back there`() throws {
    let data = try RandomLabels(seed: 10, rowCount: 400, featureCount: 4)
    var state = try state(data, Array(0..<120))
    var roomy = state
    roomy.reserveCapacity(300)
    for i in 120..<400 {
      try state.set(i, data.row(i), label: data.labels[i])
      try roomy.set(i, data.row(i), label: data.labels[i])
      // The 129th row, among others, lies in a block that is then given back.
      let before = roomy.encoded()
      #expect(throws: LearningError.singleClass) {
        try roomy.set(
          Array(0...i) + [999], data.features.rows(at: Array(0...i) + [0]),
          labels: ContiguousArray(repeating: 1, count: i + 2))
      }
      if i % 64 == 0 { #expect(roomy.encoded() == before) }
    }
    #expect(roomy.encoded() == state.encoded())
    // Room for fewer rows than are held takes none away.
    roomy.reserveCapacity(0)
    #expect(roomy.encoded() == state.encoded())
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `fits rows far out in columns that are not scaled as a fresh fit does`(seed: UInt64) throws {
    let data = try RandomLabels(seed: seed, rowCount: 60, featureCount: 3)
    let settings = LogisticRegression(standardisation: .centred)
    var state = try StreamingLogistic(
      settings, keys: Array(0..<60), data.features, labels: data.labels)
    var (rows, labels) = ((0..<60).map { data.row($0) }, data.labels)
    var random = SplitMix64(seed: seed)
    for _ in 0..<30 {
      let place = Int.random(in: 0..<60, using: &random)
      rows[place][Int.random(in: 0..<3, using: &random)] *=
        Double.random(in: 0..<1, using: &random) < 0.3 ? 1e7 : 1
      labels[place] = 1 - labels[place]
      let matrix = try Matrix(rows: rows)
      do { _ = try settings.fit(matrix, labels: labels) } catch { continue }
      try state.set(place, rows[place], label: labels[place])
      #expect(state.gradient <= settings.tolerance)
    }
  }

  @Test func `keeps no intercept that is not finite`() throws {
    let data = try RandomLabels(seed: 4, rowCount: 40, featureCount: 2)
    var state = try StreamingLogistic(
      LogisticRegression(), keys: Array(0..<40), data.features, labels: data.labels)
    let before = state.encoded()
    for power in 10..<300 {
      do {
        try state.set(
          99, [1, 2], label: 1, weight: Double(sign: .plus, exponent: 3 * power, significand: 1))
        #expect(state.model.intercept.isFinite)
        try state.remove(99)
      } catch { #expect(state.encoded() == before || !state.contains(99)) }
    }
  }

  @Test func `leaves nothing of a row that was removed`() throws {
    let data = try RandomLabels(seed: 9, rowCount: 60, featureCount: 3)
    var state = try state(data, Array(0..<60))
    let mark = 12345.678
    try state.set(200, [mark, mark, mark], label: 1)
    #expect(state.contains(200))
    // A weight of 0 removes as well, and is no error where there is no such row.
    try state.set(200, [0, 0, 0], label: 1, weight: 0)
    try state.set(201, [0, 0, 0], label: 1, weight: 0)
    #expect(!state.contains(200) && !state.contains(201) && state.rowCount == 60)
    try expectExact(state, data, Array(0..<60))
    let trace = (mark - state.scales.means[0]) * state.scales.inverseScales[0]
    #expect(!state.rows.blocks.contains { $0.contains(trace) })
  }
}
