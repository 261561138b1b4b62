import TestSupport
import Testing

@testable import Personalisation

@Suite struct `The gate` {
  /// Days with an outcome, forecasts off by noise of this size, and rules off by noise of size 1.
  private func stretch(days: Int, error: Double, seed: UInt64) -> SkillGate.Stretch {
    var random = SplitMix64(seed: seed)
    let outcomes = ContiguousArray((0..<days).map { _ in 50 + 5 * random.normal() })
    func forecasts(_ error: Double) -> ContiguousArray<Double> {
      ContiguousArray(outcomes.map { $0 + error * random.normal() })
    }
    let own = forecasts(error)
    return SkillGate.Stretch(
      forecast: own, baselines: NaiveRule.baselines.map { _ in forecasts(1) }, outcomes: outcomes)
  }

  private func gate(_ stretch: SkillGate.Stretch, isBinary: Bool = false) -> SkillGate {
    func scores(_ forecasts: ContiguousArray<Double>) -> Scores {
      Scores(forecasts, stretch.outcomes, isBinary: isBinary)
    }
    return SkillGate(
      forecast: scores(stretch.forecast), baselines: stretch.baselines.map(scores),
      judged: stretch, isBinary: isBinary)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `opens for a forecast that is clearly better, and its bound is below the skill`(
    seed: UInt64
  ) {
    let gate = gate(stretch(days: 120, error: 0.5, seed: seed))
    #expect(gate.isOpen)
    #expect(gate.skillLower > 0 && gate.skillLower < gate.skill)
    // The true skill is a half.
    #expect(gate.skillLower < 0.5)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `stays closed for one that is worse, whatever its length`(seed: UInt64) {
    for days in [20, 60, 400] {
      #expect(!gate(stretch(days: days, error: 1.5, seed: seed)).isOpen)
    }
  }

  @Test func `is closed while few days are scored, and where a rule is never wrong`() {
    #expect(!gate(stretch(days: SkillGate.leastDays - 1, error: 0.1, seed: 1)).isOpen)
    #expect(gate(stretch(days: SkillGate.leastDays, error: 0.1, seed: 1)).isOpen)
    let exact = ContiguousArray(repeating: 4.0, count: 60)
    let perfect = SkillGate.Stretch(
      forecast: exact, baselines: NaiveRule.baselines.map { _ in exact }, outcomes: exact)
    #expect(!gate(perfect).isOpen)
    #expect(gate(perfect).skill == 0)
  }

  @Test(arguments: [1e-200, 1, 1e200])
  func `judges alike in any unit`(unit: Double) {
    let plain = stretch(days: 80, error: 0.6, seed: 5)
    func scaled(_ values: ContiguousArray<Double>) -> ContiguousArray<Double> {
      ContiguousArray(values.map { unit * $0 })
    }
    let other = SkillGate.Stretch(
      forecast: scaled(plain.forecast), baselines: plain.baselines.map(scaled),
      outcomes: scaled(plain.outcomes))
    #expect(abs(gate(other).skillLower - gate(plain).skillLower) <= 1e-9)
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `is open exactly where the lower bound of the skill is above zero`(seed: UInt64) {
    let gate = gate(stretch(days: 60, error: 0.8 + Double(seed) / 150, seed: seed))
    #expect(gate.isOpen == (gate.skillLower > 0))
    #expect(gate.skillLower <= gate.skill)
  }
}
