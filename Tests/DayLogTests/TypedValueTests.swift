import DayLog
import Testing

@Suite struct `A typed value` {
  private func read(_ text: String, _ name: String) throws -> Double {
    try TypedValue.read(text, for: try #require(Metric(name)))
  }

  @Test(arguments: [
    ("7", "mood", 7), ("7.5", "mood", 7.5), ("7,5", "mood", 7.5), ("-2", "mood", -2),
    ("1e2", "steps", 100), ("yes", "meditated", 1), ("No", "meditated", 0),
    ("7:30", "sleep_hours", 7.5),
    ("7h30", "sleep_hours", 7.5), ("7h30min", "sleep_hours", 7.5), ("0:45", "exercise_minutes", 45),
    ("90min", "sleep_hours", 1.5), ("80kg", "body_mass", 80), ("80 kg", "body_mass", 80),
    ("100lb", "body_mass", 45.359237), ("55bpm", "resting_heart_rate", 55),
    ("0,125", "mood", 0.125),
  ])
  func `is read as people write it`(text: String, name: String, value: Double) throws {
    #expect(abs(try read(text, name) - value) <= 1e-12 * max(1, abs(value)))
  }

  @Test(arguments: ["high", "", "7x", "nan", "inf", "7:60", "7,5,5", "--7", "0x1p3", "7:3"])
  func `is no value otherwise, and tells nothing of the text`(text: String) throws {
    let failure = #expect(throws: TypedValue.Failure.self) { try read(text, "mood") }
    if text.count > 1 { #expect(try !#require(failure).description.contains(text)) }
  }

  @Test func `is refused where a comma may mean two things`() throws {
    #expect(throws: TypedValue.Failure.ambiguousComma(.steps)) { try read("8,500", "steps") }
  }

  @Test(arguments: [
    ("-5", "steps"), ("30", "sleep_hours"), ("0", "body_mass"), ("101", "sleep_score"),
    ("-1", "symptom.headache"), ("1500", "exercise_minutes"), ("5", "resting_heart_rate"),
  ])
  func `is refused where the metric cannot have it`(text: String, name: String) throws {
    let failure = try #require(
      #expect(throws: TypedValue.Failure.self) { try read(text, name) })
    guard case .impossible = failure else {
      Issue.record("\(failure)")
      return
    }
    #expect(failure.description.contains("it lies between"))
  }

  @Test func `has a unit of its own metric or none`() throws {
    #expect(throws: TypedValue.Failure.wrongUnit(.mood)) { try read("7kg", "mood") }
    #expect(throws: TypedValue.Failure.wrongUnit(.bodyMass)) { try read("7h", "body_mass") }
    #expect(throws: TypedValue.Failure.wrongUnit(.steps)) { try read("7:30", "steps") }
  }
}
