import DayLog
import TestSupport
import Time

/// A made-up person whose days follow a known model, so that what a regression finds can be checked.
///
/// Only addition, multiplication and integer arithmetic are used (a normal deviate is the sum of
/// twelve uniforms less six), so the same seed gives the same bytes on every machine.
struct SyntheticLog {
  /// What moves tomorrow's mood and headache: each metric's effect per standard deviation today.
  struct Truth {
    let metric: String
    let mood: Double
    let headacheLogOdds: Double
  }

  /// The coefficients that `README.md` states; every other metric has none.
  static let truth = [
    Truth(metric: "sleep_hours", mood: 0.55, headacheLogOdds: -0.9),
    Truth(metric: "hrv", mood: 0.30, headacheLogOdds: 0),
    Truth(metric: "stress", mood: -0.45, headacheLogOdds: 0.7),
    Truth(metric: "exercise_minutes", mood: 0.25, headacheLogOdds: 0),
  ]

  /// The share of yesterday's departure from the mean that a metric keeps, its mean and deviation in
  /// its own unit, how many decimals it is written with, how often it is missing and the values it can take.
  struct Process {
    let metric: String
    let mean: Double
    let deviation: Double
    let persistence: Double
    let decimals: Int
    let missing: Double
    let range: ClosedRange<Double>
  }

  static let processes = [
    Process(
      metric: "active_energy", mean: 520, deviation: 160, persistence: 0.3, decimals: 0,
      missing: 0.05, range: 0...3000),
    Process(
      metric: "body_mass", mean: 71.5, deviation: 0.9, persistence: 0.97, decimals: 1,
      missing: 0.45,
      range: 40...150),
    Process(
      metric: "energy", mean: 5.5, deviation: 1.5, persistence: 0.5, decimals: 0, missing: 0.12,
      range: 1...10),
    Process(
      metric: "exercise_minutes", mean: 32, deviation: 14, persistence: 0.2, decimals: 0,
      missing: 0.05, range: 0...300),
    Process(
      metric: "hrv", mean: 52, deviation: 11, persistence: 0.6, decimals: 1, missing: 0.08,
      range: 5...250
    ),
    Process(
      metric: "respiratory_rate", mean: 14.6, deviation: 0.5, persistence: 0.7, decimals: 1,
      missing: 0.1, range: 8...30),
    Process(
      metric: "resting_heart_rate", mean: 57, deviation: 2.6, persistence: 0.8, decimals: 0,
      missing: 0.08, range: 35...110),
    Process(
      metric: "sleep_hours", mean: 7.2, deviation: 0.9, persistence: 0.2, decimals: 2,
      missing: 0.07,
      range: 2...14),
    Process(
      metric: "steps", mean: 8200, deviation: 2700, persistence: 0.3, decimals: 0, missing: 0.05,
      range: 0...60000),
    Process(
      metric: "stress", mean: 4.5, deviation: 1.6, persistence: 0.4, decimals: 0, missing: 0.1,
      range: 1...10),
  ]

  static let moodMean = 6.2
  static let moodNoise = 0.75
  static let moodMissing = 0.1
  static let headacheIntercept = -2.2

  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// What one day recorded.
  struct Day {
    let day: CalendarDay
    /// By name of the metric; what is missing is not there.
    let values: [String: FixedNumber]
  }

  /// The days of a stretch that have anything recorded.
  mutating func days(_ count: Int, from firstDay: CalendarDay) -> [Day] {
    var days: [Day] = []
    var departures = [String: Double](
      uniqueKeysWithValues: Self.processes.map { ($0.metric, normal()) })
    var moodPush = 0.0
    var headachePush = 0.0
    var awayUntil = 0
    for index in 0..<count {
      // Now and then nothing at all is recorded for three to twelve days.
      if index >= awayUntil, uniform() < 0.006 { awayUntil = index + 3 + Int(uniform() * 10) }
      var values: [String: FixedNumber] = [:]
      var today: [String: Double] = [:]
      for process in Self.processes {
        let kept = process.persistence
        let fresh = (1 - kept * kept).squareRoot()
        let departure = kept * (departures[process.metric] ?? 0) + fresh * normal()
        departures[process.metric] = departure
        let value = min(
          process.range.upperBound,
          max(process.range.lowerBound, process.mean + process.deviation * departure))
        today[process.metric] = (value - process.mean) / process.deviation
        if uniform() >= process.missing {
          values[process.metric] = FixedNumber(rounding: value, decimals: process.decimals)
        }
      }
      let mood = min(10, max(1, Self.moodMean + moodPush + Self.moodNoise * normal()))
      if uniform() >= Self.moodMissing {
        values["mood"] = FixedNumber(rounding: mood, decimals: 1)
      }
      let severity = 1 + Int(uniform() * 5)
      let aches = uniform() < Self.logistic(Self.headacheIntercept + headachePush)
      if values["mood"] != nil {
        values["symptom.headache"] = FixedNumber(digits: aches ? severity : 0, decimals: 0)
      }
      if index >= awayUntil {
        days.append(Day(day: firstDay.advanced(by: index), values: values))
      }
      moodPush = Self.truth.reduce(0) { $0 + $1.mood * (today[$1.metric] ?? 0) }
      headachePush = Self.truth.reduce(0) { $0 + $1.headacheLogOdds * (today[$1.metric] ?? 0) }
    }
    return days
  }

  /// Every metric of a log, in order of name.
  static let metrics = (processes.map(\.metric) + ["mood", "symptom.headache"]).sorted()

  /// Days as CSV text: a `day` column and one for each metric, empty cells where missing; a day with none of
  /// these metrics has no row.
  static func csv(_ days: [Day], metrics: [String]) -> String {
    var text = "day," + metrics.joined(separator: ",") + "\n"
    for day in days where metrics.contains(where: { day.values[$0] != nil }) {
      text += day.day.description + ","
      text += metrics.map { day.values[$0]?.description ?? "" }.joined(separator: ",") + "\n"
    }
    return text
  }

  private mutating func uniform() -> Double {
    Double(random.next() >> 11) * 0x1p-53
  }

  private mutating func normal() -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + uniform() }
  }

  /// The logistic function by its definition through a series of products, so that no library's
  /// rounding decides a coin.
  private static func logistic(_ z: Double) -> Double {
    // exp(z) = exp(z / 1024)^1024, and a short series is exact enough for so small an argument.
    let small = z / 1024
    var power = 1 + small * (1 + small / 2 * (1 + small / 3 * (1 + small / 4)))
    for _ in 0..<10 { power *= power }
    return power / (1 + power)
  }
}
