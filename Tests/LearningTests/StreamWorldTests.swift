import LinearAlgebra
import TestSupport
import Testing

@testable import Learning

/// A made-up log and what happens to it: levels, units, sparse columns, weights, and rows far out that come and go.
private struct StreamWorld {
  struct Row {
    var features: ContiguousArray<Double>
    var target: Double
    var weight: Double
  }

  private var random: SplitMix64
  private let (featureCount, startCount): (Int, Int)
  private let (level, unit, farness): (Double, Double, Double)
  private let (isSparse, hasSparseTarget, isWeighted, farTargets): (Bool, Bool, Bool, Bool)
  /// Powers of ten of the weights of rows far out.
  private let farWeights: ClosedRange<Double>
  private let startsEmpty: Bool
  private(set) var held: [Row] = []
  private var far: [Row] = []

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }
    func power(_ range: ClosedRange<Double>) -> Double {
      pow10(Double.random(in: range, using: &random))
    }
    featureCount = Int.random(in: 1...4, using: &random)
    startCount = Int.random(in: 4...80, using: &random)
    level = chance(0.5) ? 0 : power(0...8)
    unit = chance(0.75) ? 1 : power(-100...100)
    farness = power(1...18)
    isSparse = chance(0.5)
    hasSparseTarget = chance(0.25)
    isWeighted = chance(0.5)
    farTargets = chance(0.5)
    farWeights = chance(0.3) ? 0...12 : chance(0.5) ? -12...0 : 0...0
    startsEmpty = chance(0.25)
    self.random = random
  }

  private mutating func chance(_ share: Double) -> Bool {
    Double.random(in: 0..<1, using: &random) < share
  }

  private mutating func row() -> Row {
    var features = ContiguousArray(repeating: 0.0, count: featureCount)
    for j in 0..<featureCount where !isSparse || chance(0.2) {
      features[j] = Double.random(in: -1...1, using: &random)
    }
    var target = features.reduce(0, +) + Double.random(in: -1...1, using: &random)
    target = hasSparseTarget && chance(0.8) ? 0 : target + level
    for j in 0..<featureCount { features[j] += level }
    features[0] *= unit
    let weight = isWeighted ? pow10(Double.random(in: -1...1, using: &random)) : 1
    return Row(features: features, target: target, weight: weight)
  }

  private mutating func rowFarOut() -> Row {
    var row = row()
    if farTargets { row.target = farness * Double.random(in: -1...1, using: &random) }
    if !farTargets || chance(0.3) {
      let j = Int.random(in: 0..<featureCount, using: &random)
      row.features[j] *= farness * Double.random(in: -1...1, using: &random)
    }
    row.weight *= pow10(Double.random(in: farWeights, using: &random))
    return row
  }

  /// The stream after some hundred edits at random, when all rows far out have gone.
  mutating func stream() throws -> StreamingRidge {
    held = (0..<startCount).map { _ in row() }
    far = (0..<Int.random(in: 0...4, using: &random)).map { _ in rowFarOut() }
    let start = (held + far).shuffled(using: &random)
    var stream =
      startsEmpty
      ? try StreamingRidge(RidgeRegression(), featureCount: featureCount) : try Self.trained(start)
    if startsEmpty { for row in start { try Self.add(row, to: &stream) } }
    for _ in 0..<Int.random(in: 0...700, using: &random) { try edit(&stream) }
    for row in far {
      try stream.remove(row.features, target: row.target, weight: row.weight)
    }
    try stream.restandardise()
    return stream
  }

  private mutating func edit(_ stream: inout StreamingRidge) throws {
    switch Int.random(in: 0..<20, using: &random) {
    case 0 where far.count < 8:
      far.append(rowFarOut())
      try Self.add(far[far.count - 1], to: &stream)
    case 1 where !far.isEmpty:
      let row = far.remove(at: Int.random(in: 0..<far.count, using: &random))
      try stream.remove(row.features, target: row.target, weight: row.weight)
    case 2: try stream.restandardise()
    case 3 where chance(0.2):
      let others = (0..<Int.random(in: 2...30, using: &random)).map { _ in row() }
      held += others
      try stream.merge(try Self.trained(others))
    case 4...10 where held.count > 4:
      let row = held.remove(at: Int.random(in: 0..<held.count, using: &random))
      try stream.remove(row.features, target: row.target, weight: row.weight)
    default:
      held.append(row())
      try Self.add(held[held.count - 1], to: &stream)
    }
  }

  private static func add(_ row: Row, to stream: inout StreamingRidge) throws {
    try stream.add(row.features, target: row.target, weight: row.weight)
  }

  private static func trained(_ rows: [Row]) throws -> StreamingRidge {
    try StreamingRidge(
      RidgeRegression(), Matrix(rows: rows.map(\.features)),
      target: ContiguousArray(rows.map(\.target)), weights: ContiguousArray(rows.map(\.weight)))
  }

  /// Whether every column of the rows held varies, so that there is a condition to speak of.
  var varies: Bool {
    (0..<featureCount).allSatisfy { j in Set(held.map { $0.features[j] }).count > 1 }
      && Set(held.map(\.target)).count > 1
  }
}

/// 10 to a power, near enough for a size.
private func pow10(_ exponent: Double) -> Double {
  let whole = Int(exponent.rounded(.down))
  let power = (0..<abs(whole)).reduce(1.0) { power, _ in whole > 0 ? power * 10 : power / 10 }
  return power * (1 + 9 * (exponent - Double(whole)))
}

@Suite struct `A stream of any rows` {
  @Test(arguments: 0..<8 as Range<UInt64>)
  func `keeps its promise whatever came and went, in any order`(group: UInt64) throws {
    var judged = 0
    for seed in group * 50..<(group + 1) * 50 {
      var world = StreamWorld(seed: seed)
      let model: LinearModel
      do {
        model = try world.stream().model
      } catch LearningError.singular {
        // A row of 10¹² times the weight may leave the penalty of 1 below the rounding of the others.
        continue
      }
      guard world.varies else { continue }
      let rows = world.held
      let truth = try ExtendedRidge(
        rows.map(\.features), ContiguousArray(rows.map(\.target)),
        weights: ContiguousArray(rows.map(\.weight)), penalty: 1)
      #expect(truth.shareOfPromise(model) <= 1, "seed \(seed)")
      judged += 1
    }
    #expect(judged > 40)
  }
}
