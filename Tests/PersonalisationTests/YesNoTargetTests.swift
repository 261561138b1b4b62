import DayLog
import Foundation
import TestSupport
import Testing
import Time

@testable import Personalisation

@Suite struct `A yes/no target` {
  private static let migraine = Metric("symptom.migraine") ?? .mood

  /// A year in which a short night makes a migraine likely on the next day.
  private static func year(seed: UInt64, days: Int = 240) -> (sleep: [Double], migraine: [Double]) {
    var random = SplitMix64(seed: seed)
    var (sleep, migraine): ([Double], [Double]) = ([], [])
    for day in 0..<days {
      let odds = day == 0 ? 0 : 2.5 * (7 - sleep[day - 1]) - 1
      migraine.append(Double.random(in: 0...1, using: &random) < 1 / (1 + exp(-odds)) ? 2 : 0)
      sleep.append(7 + random.normal())
    }
    return (sleep, migraine)
  }

  @Test func `is forecast better than by its rates where it can be, and the gate opens`() throws {
    let (sleep, migraine) = Self.year(seed: 1)
    let log = PersonalLog(dayTable([(.sleepHours, sleep), (Self.migraine, migraine)]))
    let model = try train(log, Target(Self.migraine)).model
    #expect(model.report.kind == "logistic")
    #expect(model.report.gate.isOpen)
    #expect(model.report.gate.skill > 0.1)
    #expect((model.report.forecast.auc ?? 0) > 0.75)
    let prediction = try model.predict(from: log)
    #expect(prediction.interval == nil)
    #expect(prediction.value > 0 && prediction.value < 1)
  }

  @Test(arguments: ["symptom.migraine", "sleep_hours<6.5", "sleep_hours"])
  func `and any other is the sum of its contributions`(name: String) throws {
    let (sleep, migraine) = Self.year(seed: 2, days: 120)
    let log = PersonalLog(dayTable([(.sleepHours, sleep), (Self.migraine, migraine)]))
    let target = try #require(Target(name))
    let model = try train(log, target).model
    for day in [60, 119, 120] {
      let prediction = try model.predict(log.table.firstDay.advanced(by: day), from: log)
      let sum = prediction.contributions.reduce(prediction.intercept) { $0 + $1.value }
      let value = target.isBinary ? 1 / (1 + exp(-sum)) : sum
      #expect(abs(value - prediction.model) <= 1e-12 * max(1, abs(value)))
      #expect(abs(prediction.weights.reduce(0) { $0 + $1.weight } - 1) <= 1e-12)
    }
  }

  @Test func `takes a symptom for absent on days on which anything was typed, else for missing`()
    throws
  {
    let plain = dayTable([
      (Self.migraine, [2, .nan, .nan, 1]), (.mood, [5, 6, .nan, .nan]),
    ])
    let days = (0..<4).map { plain.firstDay.advanced(by: $0) }
    let log = PersonalLog(plain, activeDays: [days[0], days[1]])
    let outcomes = Target(Self.migraine).outcomes(in: log)
    #expect(outcomes[0] == 1 && outcomes[1] == 0 && outcomes[2].isNaN && outcomes[3] == 1)
    // Nothing else is made up.
    #expect(log.table.column(.mood)?.filter(\.isNaN).count == 2)
  }

  private func candidates(_ values: [Double]) -> [Target] {
    let log = PersonalLog(dayTable([(Self.migraine, values)]))
    return Target.candidates(in: log, today: log.table.endDay)
  }

  @Test func `needs ten days of each kind to be chosen unasked`() {
    var values = [Double](repeating: 0, count: 60)
    for day in 0..<9 { values[day * 5] = 1 }
    #expect(
      candidates(values).isEmpty)
    values[51] = 3
    #expect(
      candidates(values)
        == [Target(Self.migraine)])
  }

  @Test func `is read and written in one way`() {
    for text in ["mood<=4", "steps>10000", "sleep_hours>=6.5", "hrv<30", "symptom.migraine"] {
      #expect(Target(text)?.description == text)
      #expect(Target(text)?.isBinary == true)
    }
    for text in ["", "mood<", "mood<=", "mood=4", "mood<nan", "mood<inf", "<4", "mood<4x"] {
      #expect(Target(text) == nil, "\(text)")
    }
    #expect(Target("mood<=4")?.outcome(4) == 1)
    #expect(Target("mood<4")?.outcome(4) == 0)
    #expect(Target("mood<4")?.outcome(.nan).isNaN == true)
  }
}
