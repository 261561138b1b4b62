import DayLog
import TestSupport
import Testing
import Time

@testable import Personalisation

/// Logs that are odd, and what training says of them.
@Suite struct `A log that` {
  @Test func `lacks the target is refused with the nearest names`() throws {
    var random = SplitMix64(seed: 1)
    let log = PersonalLog(
      randomTable(days: 60, metrics: [.hrv, .restingHeartRate, .steps], using: &random))
    let wrong = try #require(Metric("resting_hart_rate"))
    #expect(throws: TrainingError.unknownMetric(wrong, nearest: [.restingHeartRate])) {
      try train(log, Target(wrong))
    }
    let error = TrainingError.unknownMetric(wrong, nearest: [.restingHeartRate])
    #expect(error.description.contains("resting_heart_rate"))
  }

  @Test func `has one value on every day has no model of it`() {
    let log = PersonalLog(
      dayTable([(.mood, [Double](repeating: 5, count: 90)), (.steps, (0..<90).map(Double.init))]))
    #expect(throws: TrainingError.noVariance) { try train(log, Target(.mood)) }
    #expect(Target.candidates(in: log, today: log.table.endDay) == [Target(.steps)])
  }

  @Test(arguments: [0, 1, 2, 27])
  func `has few days has no model, and says how many it needs`(days: Int) {
    let log = PersonalLog(dayTable([(.mood, (0..<days).map { Double($0 % 7) })]))
    #expect(throws: TrainingError.tooFewDays(needed: 28, actual: days)) {
      try train(log, Target(.mood))
    }
    #expect(Target.candidates(in: log, today: log.table.endDay).isEmpty)
  }

  @Test func `has four weeks has a model, and claims nothing`() throws {
    let log = PersonalLog(dayTable([(.mood, (0..<28).map { Double($0 % 7) })]))
    let model = try train(log, Target(.mood)).model
    #expect(model.rowCount == 28)
    #expect(!model.report.gate.isOpen)
    #expect(Target.candidates(in: log, today: log.table.endDay) == [Target(.mood)])
  }

  @Test func `has a metric without any value trains as if it were not there`() throws {
    var random = SplitMix64(seed: 2)
    let plain = randomTable(days: 90, metrics: [.hrv, .steps], using: &random)
    let empty = DayTable(
      firstDay: plain.firstDay, dayCount: 90, metrics: [.hrv, .mood, .steps],
      values: plain.values[..<90] + ContiguousArray(repeating: .nan, count: 90)
        + plain.values[90...])
    let model = try train(PersonalLog(empty), Target(.hrv)).model
    #expect(model == (try train(PersonalLog(plain), Target(.hrv)).model))
    #expect(throws: TrainingError.tooFewDays(needed: 28, actual: 0)) {
      try train(PersonalLog(empty), Target(.mood))
    }
  }

  @Test func `has a gap of a year trains and predicts across it`() throws {
    var random = SplitMix64(seed: 3)
    var column = [Double](repeating: .nan, count: 365 + 100)
    for day in (0..<50).map({ $0 }) + (415..<465).map({ $0 }) { column[day] = 50 + random.normal() }
    let log = PersonalLog(dayTable([(.hrv, column)]))
    let model = try train(log, Target(.hrv)).model
    #expect(model.rowCount == 100)
    for day in [60, 200, 414, 465] {
      let prediction = try model.predict(
        log.table.firstDay.advanced(by: day), from: log)
      #expect(prediction.value > 40 && prediction.value < 60)
    }
  }

  @Test func `has a metric twice under two names splits what they say`() throws {
    var random = SplitMix64(seed: 4)
    let hrv = (0..<120).map { _ in 50 + 8 * random.normal() }
    let mood = hrv.indices.map { 5 + ($0 > 0 ? 0.2 * (hrv[$0 - 1] - 50) : 0) + random.normal() }
    let copy = try #require(Metric("hrv_copy"))
    let log = PersonalLog(dayTable([(.hrv, hrv), (copy, hrv), (.mood, mood)]))
    let prediction = try train(log, Target(.mood)).model.predict(from: log)
    func part(_ name: String) -> Double {
      prediction.contributions.first { $0.name == name }?.value ?? .nan
    }
    #expect(
      abs(part("hrv lag 1") - part("hrv_copy lag 1")) <= 1e-9 * max(1, abs(part("hrv lag 1"))))
  }

  @Test(arguments: [1e-300, 1e300, .greatestFiniteMagnitude])
  func `has values at the limits of doubles is trained or refused, never worse`(
    size: Double
  ) throws {
    var random = SplitMix64(seed: 5)
    let wild = (0..<90).map { _ in size * Double.random(in: -1...1, using: &random) }
    let log = PersonalLog(dayTable([(.hrv, wild), (.mood, (0..<90).map { Double($0 % 5) })]))
    for target in [Target(.hrv), Target(.mood)] {
      do {
        let model = try train(log, target).model
        let prediction = try model.predict(from: log)
        #expect(prediction.value.isFinite)
        #expect(prediction.weights.allSatisfy { $0.weight.isFinite })
        #expect(try PersonalModel(decoding: model.encoded()) == model)
      } catch let error as TrainingError {
        if case .learning = error { continue }
        Issue.record("\(error)")
      }
    }
  }

  @Test func `NUM_8: has an infinite value trains without it`() throws {
    var random = SplitMix64(seed: 6)
    let plain = randomTable(days: 80, metrics: [.hrv, .steps], missing: 0, using: &random)
    let infinite = changing(plain, [(40, 0, .infinity), (41, 1, -.infinity)])
    let model = try train(PersonalLog(infinite), Target(.hrv)).model
    #expect(model.rowCount == 79)
    #expect(try model.predict(from: PersonalLog(infinite)).value.isFinite)
  }

  @Test func `NUM_14: has other metrics than the model is an error that names them`() throws {
    var random = SplitMix64(seed: 7)
    let table = randomTable(days: 60, metrics: [.hrv, .mood], using: &random)
    let model = try train(PersonalLog(table), Target(.mood)).model
    let other = PersonalLog(
      DayTable(
        firstDay: table.firstDay, dayCount: 60, metrics: [.mood, .steps], values: table.values))
    let expected = PredictionError.otherMetrics(missing: [.hrv], unknown: [.steps])
    #expect(throws: expected) { try model.predict(from: other) }
    #expect(
      expected.description
        == "the model needs hrv, which the log does not have (it has steps, which the model does not"
        + " know): train again")
  }

  @Test func `was left by another program is no model, and training goes on without it`() {
    for bytes in [[], [0], Array("DPer".utf8), [UInt8](repeating: 0x41, count: 4_000)] as [[UInt8]]
    {
      #expect(throws: ModelBlobError.self) { try PersonalModel(decoding: bytes) }
      #expect(throws: ModelBlobError.self) { try TrainingProgress(decoding: bytes) }
    }
  }
}
