internal import DayLog

/// What a metric is a measure of, as far as its name tells: two measures of one thing go together by how they are
/// made, and that is no finding.
///
/// Names are those of this log and of the exports that people have. What a person rates by themself is a
/// measure of nothing else.
struct MetricKinship: OptionSet, Hashable {
  let rawValue: Int

  static let sleep = MetricKinship(rawValue: 1)
  static let movement = MetricKinship(rawValue: 2)
  static let heart = MetricKinship(rawValue: 4)
  static let body = MetricKinship(rawValue: 8)
  static let warmth = MetricKinship(rawValue: 16)

  init(rawValue: Int) { self.rawValue = rawValue }

  /// What `metric` is a measure of; nothing where its name does not tell.
  init(_ metric: Metric) {
    self = []
    guard !metric.isFelt else { return }
    let words = metric.name.split { $0 == "_" || $0 == "." }
    for (kin, parts, whole) in Self.vocabulary
    where parts.contains(where: metric.name.contains) || words.contains(where: whole.contains) {
      formUnion(kin)
    }
  }

  /// A number for each metric, the same for those that are known to be of the same kind; from 0 without a gap.
  static func groups(_ kinships: [MetricKinship]) -> [Int] {
    var numbers: [MetricKinship: Int] = [:]
    var count = 0
    return kinships.map { kin in
      if !kin.isEmpty, let known = numbers[kin] { return known }
      defer { count += 1 }
      if !kin.isEmpty { numbers[kin] = count }
      return count
    }
  }

  /// The metrics that mean the same in every log.
  static let known: Set<Metric> = [
    .hrv, .hrvRMSSD, .restingHeartRate, .steps, .sleepHours, .activeEnergy, .exerciseMinutes,
    .bodyMass, .respiratoryRate,
  ]

  /// Letters that give a kin away anywhere in a name, and those that do so as a whole word.
  private static let vocabulary: [(kin: MetricKinship, parts: [String], whole: Set<Substring>)] = [
    (.sleep, ["sleep"], ["rem", "deep", "light", "nrem", "awake", "bed", "nap", "onset"]),
    (
      .movement,
      [
        "step", "distance", "calor", "kcal", "active", "activity", "exercise", "sedentary",
        "exertion",
      ],
      [
        "zone", "floors", "met", "mets", "stand", "workout", "low", "medium", "high", "rest",
        "wear",
      ]
    ),
    (.heart, ["heart", "hrv", "rmssd", "sdnn", "pulse"], ["hr", "bpm", "nremhr"]),
    (.body, ["weight", "body_mass"], ["bmi", "fat"]),
    (.warmth, ["temperature"], []),
    // Scores that a device makes up from all the rest.
    (
      [.sleep, .movement, .heart, .warmth],
      ["readiness", "recovery", "stress_score", "responsiveness", "body_battery"], []
    ),
  ]
}
