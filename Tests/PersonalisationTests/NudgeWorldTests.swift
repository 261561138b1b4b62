import DayLog
import Personalisation
import TestSupport
import Testing
import Time

/// What people hear whose metrics have nothing to do with each other.
@Suite struct `Nudges of people whose target only persists` {
  /// A target that keeps 0.6 of its distance from 50 each day, and two metrics of noise.
  private func person(_ seed: UInt64) -> DayTable {
    var random = SplitMix64(seed: 4_000 + seed)
    var last = 0.0
    let outcome = (0..<200).map { _ -> Double in
      last = 0.6 * last + 0.8 * random.normal()
      return 50 + 8 * last
    }
    func noise() -> [Double] { (0..<200).map { _ in 20 + 3 * random.normal() } }
    return dayTable([(.hrv, outcome), (.steps, noise()), (.restingHeartRate, noise())])
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `never contradict the person's own mean, and come at most six times a year`(
    seed: UInt64
  ) throws {
    let table = person(seed)
    let values = try #require(table.column(.hrv)).map { $0 }
    var model: PersonalModel?
    var count = 0
    for days in stride(from: 60, to: 200, by: 2) {
      let log = PersonalLog(beginning(table, days: days))
      model = try train(log, Target(.hrv), previous: model).model
      let prediction = try #require(try model?.predict(from: log))
      // With the gate taken to be open, so that there is more to look at.
      let candidate = NudgePolicy.Candidate(
        target: prediction.target, day: prediction.day, value: prediction.value,
        interval: prediction.interval, bestRule: prediction.baseline.rule, rules: prediction.rules,
        isGateOpen: true, skill: 0.1)
      let time = NudgePolicy.LocalTime(
        day: prediction.day.advanced(by: -1), secondOfDay: 43_200,
        instant: Instant(seconds: Int64(prediction.day.number) * 86_400))
      guard case .send(let nudge) = NudgePolicy().decide([candidate], at: time, sent: [])
      else { continue }
      if prediction.gate.isOpen { count += 1 }
      let mean = values[..<days].reduce(0, +) / Double(days)
      let recent = values[(days - 28)..<days].reduce(0, +) / 28
      let isHigher = nudge.text.contains("may be higher")
      #expect(nudge.text.contains("your mean of the last 28 days"))
      #expect(isHigher == (prediction.value > mean) && isHigher == (prediction.value > recent))
    }
    // Six a year are one in 60 days.
    #expect(count <= 1)
  }
}
