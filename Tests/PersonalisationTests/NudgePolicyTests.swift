import DayLog
import Personalisation
import Testing
import Time

@Suite struct `A nudge` {
  private let today = CalendarDay(number: 20_000)

  private func candidate(
    _ target: Target = Target(.mood), value: Double = 4, baseline: Double = 6, inDays days: Int = 1,
    best: NaiveRule = .mean7, others: [NaiveRule: Double] = [:], isOpen: Bool = true
  ) -> NudgePolicy.Candidate {
    NudgePolicy.Candidate(
      target: target, day: today.advanced(by: days), value: value,
      interval: target.isBinary || value.isNaN ? nil : (value - 2)...(value + 2),
      bestRule: best,
      rules: Dictionary(uniqueKeysWithValues: NaiveRule.baselines.map { ($0, baseline) })
        .merging(others) { $1 },
      isGateOpen: isOpen, skill: 0.12)
  }

  private func time(hour: Int, inDays days: Int = 0) -> NudgePolicy.LocalTime {
    NudgePolicy.LocalTime(
      day: today.advanced(by: days), secondOfDay: hour * 3600, instant: instant(hour, days))
  }

  private func instant(_ hour: Int, _ days: Int = 0) -> Instant {
    Instant(seconds: Int64(today.number + days) * 86_400 + Int64(hour) * 3600)
  }

  private func suppression(
    _ candidates: [NudgePolicy.Candidate], by policy: NudgePolicy = NudgePolicy(), hour: Int = 9,
    sent: [(day: CalendarDay, at: Instant)] = []
  ) -> NudgeSuppression? {
    let decision = policy.decide(candidates, at: time(hour: hour), sent: sent)
    if case .suppressed(let reason) = decision { return reason }
    return nil
  }

  @Test func `is sent for an open gate, with what is forecast and why it is said`() throws {
    let decision = NudgePolicy().decide([candidate()], at: time(hour: 9), sent: [])
    guard case .send(let nudge) = decision else {
      Issue.record("suppressed: \(decision)")
      return
    }
    #expect(nudge.id == "mood@\(today.advanced(by: 1))")
    #expect(
      nudge.text
        == "mood may be lower tomorrow than your mean of the last 28 days and of all days: about 4,"
        + " 9 in 10 times between 2 and 6, against 6 and 6. The simple rule that did best, your mean of the"
        + " last 7 days, says 6.")
    #expect(nudge.reason.contains("12 %"))
  }

  @Test func `is suppressed for one reason of a closed list, the first that applies`() {
    var off = NudgePolicy()
    off.notifications = false
    let sentToday = [(day: today, at: instant(1))]
    #expect(suppression([candidate()], by: off, sent: sentToday) == .notificationsOff)
    #expect(suppression([candidate()], hour: 23, sent: sentToday) == .alreadySent)
    #expect(suppression([candidate()], hour: 23) == .quietHours)
    #expect(suppression([]) == .noModel)
    #expect(suppression([candidate(inDays: -3)]) == .outOfDate)
    #expect(suppression([candidate(isOpen: false)]) == .gateClosed)
    #expect(suppression([candidate(value: 5.9)]) == .nothingNoteworthy)
    #expect(suppression([candidate(value: .nan)]) == .nothingNoteworthy)
    #expect(suppression([candidate()]) == nil)
    #expect(NudgeSuppression.allCases.allSatisfy { !$0.description.isEmpty })
  }

  @Test func `comes at most once a calendar day, and not twice within twelve hours`() {
    #expect(suppression([candidate()], sent: [(day: today, at: instant(-10))]) == .alreadySent)
    // Yesterday's, eleven and thirteen hours ago.
    let yesterday = today.advanced(by: -1)
    #expect(suppression([candidate()], sent: [(day: yesterday, at: instant(-2))]) == .alreadySent)
    #expect(suppression([candidate()], sent: [(day: yesterday, at: instant(-4))]) == nil)
    // A clock that was wrong for a while leaves a nudge in the future; it must not silence all others till then.
    let future = today.advanced(by: 400)
    #expect(suppression([candidate()], sent: [(day: future, at: instant(9, 400))]) == nil)
  }

  @Test func `is not sent in quiet hours, also where they reach across midnight`() throws {
    var policy = NudgePolicy()
    for (hours, quiet, loud) in [
      ("22:00-07:00", [22, 23, 0, 6], [7, 12, 21]), ("13:00-15:00", [13, 14], [12, 15, 0]),
      ("none", [], [0, 12, 23]), ("09:00-09:00", [], [8, 9, 10]), ("00:00-06:30", [0, 6], [7]),
    ] {
      policy.quietHours = try #require(QuietHours(hours))
      for hour in quiet {
        #expect(suppression([candidate()], by: policy, hour: hour) == .quietHours)
      }
      for hour in loud { #expect(suppression([candidate()], by: policy, hour: hour) == nil) }
    }
    #expect(QuietHours("22:00-07:00") == .standard)
    #expect(QuietHours.standard.description == "22:00-07:00")
    #expect(QuietHours("none")?.description == "none")
    for text in ["", "22-07", "22:00", "24:00-07:00", "22:00-7:00", "22:60-07:00", "+1:00-02:00"] {
      #expect(QuietHours(text) == nil)
    }
  }

  @Test func `is about the forecast that is furthest from what it is compared with`() throws {
    let migraine = try #require(Target("symptom.migraine"))
    let decision = NudgePolicy().decide(
      [
        candidate(value: 5), candidate(migraine, value: 0.6, baseline: 0.1),
        candidate(Target(.energy), value: 5.2),
      ], at: time(hour: 9), sent: [])
    guard case .send(let nudge) = decision else {
      Issue.record("suppressed: \(decision)")
      return
    }
    #expect(nudge.target == migraine)
    #expect(
      nudge.text.hasPrefix(
        "symptom.migraine is more likely tomorrow than in your last 28 days and in all your days: about 60 %,"
          + " against 10 % and 10 %."))
  }

  @Test(arguments: NudgePolicy.usual + [.yesterday])
  func `needs distance from the best rule and from all that is usual, on the same side`(
    rule: NaiveRule
  ) throws {
    let migraine = try #require(Target("symptom.migraine"))
    for (target, value, baseline, near, beyond) in [
      (Target(.mood), 4.0, 6.0, 4.4, 3.0), (Target(.mood), 8, 6, 7.6, 9),
      (migraine, 0.6, 0.1, 0.5, 0.9), (migraine, 0.05, 0.4, 0.08, 0.01),
    ] {
      func reason(_ other: Double) -> NudgeSuppression? {
        suppression([
          candidate(
            target, value: value, baseline: baseline, best: .yesterday, others: [rule: other])
        ])
      }
      #expect(reason(baseline) == nil)
      #expect(reason(near) == .nothingNoteworthy)
      #expect(reason(beyond) == .nothingNoteworthy)
      #expect(reason(.nan) == .nothingNoteworthy)
    }
  }

  @Test(arguments: NaiveRule.baselines)
  func `names in words each rule that it may be compared with`(best: NaiveRule) throws {
    for target in [Target(.mood), try #require(Target("symptom.migraine"))] {
      let value = target.isBinary ? 0.7 : 9
      let decision = NudgePolicy().decide(
        [candidate(target, value: value, baseline: value / 3, best: best)], at: time(hour: 9),
        sent: [])
      guard case .send(let nudge) = decision else {
        Issue.record("suppressed: \(decision)")
        continue
      }
      #expect(nudge.text.contains("your") && !nudge.text.contains(best.name + " says"))
      #expect(nudge.text.contains("The simple rule") == (best != .mean && best != .mean28))
    }
  }

  @Test func `never claims a cause`() throws {
    let targets = [Target(.mood), try #require(Target("symptom.migraine"))]
    for target in targets {
      for (value, baseline) in [(0.9, 0.1), (0.1, 0.9)] {
        let decision = NudgePolicy().decide(
          [candidate(target, value: value, baseline: baseline + (target.isBinary ? 0 : 4))],
          at: time(hour: 9), sent: [])
        guard case .send(let nudge) = decision else { continue }
        expectNoCause(nudge.text + " " + nudge.reason)
      }
    }
  }
}

/// Holds a text for people to words that claim no cause.
func expectNoCause(_ text: String) {
  for word in [
    "because", "cause", "due to", "leads to", "led to", "thanks to", "results in", "effect of",
    "improve", "so that", "makes", "drives",
  ] {
    #expect(!text.lowercased().contains(word), "“\(word)”")
  }
}
