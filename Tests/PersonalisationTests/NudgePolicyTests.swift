import DayLog
import Personalisation
import Testing
import Time

@Suite struct `A nudge` {
  private let today = CalendarDay(number: 20_000)

  private func candidate(
    _ target: Target = Target(.mood), value: Double = 4, baseline: Double = 6, inDays days: Int = 1,
    isOpen: Bool = true
  ) -> NudgePolicy.Candidate {
    NudgePolicy.Candidate(
      target: target, day: today.advanced(by: days), value: value,
      interval: target.isBinary || value.isNaN ? nil : (value - 2)...(value + 2),
      baseline: baseline,
      baselineName: "7-day mean", isGateOpen: isOpen, skill: 0.12)
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
    #expect(nudge.text.contains("lower than usual tomorrow") && nudge.text.contains("7-day mean"))
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

  @Test func `is about the forecast that is furthest from its naive rule`() throws {
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
    #expect(nudge.text.contains("more likely than usual tomorrow: 60 % against 10 %"))
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
