internal import DayLog

/// What is known of a metric that many formats have: its unit, how its readings become a day, and what is possible.
struct MetricRule: Sendable {
  let metric: Metric
  let unit: Unit?
  let fold: Fold
  /// What one reading can be, in the metric's unit; beyond it a number means something else.
  let range: ClosedRange<Double>?
  /// Whether it is counted, so that it has no fraction.
  var isWhole = false

  /// Whether a number in a unit can be one of the metric: `energy (kcal)` is no rating of one's energy.
  func canBe(in other: Unit) -> Bool {
    if let unit { return unit.kind == other.kind }
    return other.kind == .share || other.kind == .count || metric == .named("vo2_max")
      || metric == .bodyMassIndex
  }

  /// The rule of a metric; nil for one that nothing is known of.
  static func rule(for metric: Metric) -> MetricRule? { byMetric[metric] }

  /// The rule of a column by its name without a unit, as ``ColumnName`` writes it.
  static func rule(named name: String) -> MetricRule? {
    byName[name].flatMap { byMetric[$0] } ?? Metric(name).flatMap { byMetric[$0] }
  }

  /// The rule of a column by its name as it is written, in lower case and without a unit, in other scripts.
  static func rule(written name: String) -> MetricRule? {
    foreign[name].flatMap { byMetric[$0] }
  }

  /// Names of what most logs hold, in languages that other letters are used for: they cannot be written as a
  /// metric's name.
  private static let foreign: [String: Metric] = {
    var names: [String: Metric] = [:]
    func add(_ metric: Metric?, _ words: [String]) { for word in words { names[word] = metric } }
    add(
      .steps,
      [
        "步数", "步數", "歩数", "걸음", "걸음수", "걸음 수", "шаги", "количество шагов", "кроки", "الخطوات",
        "خطوات",
        "عدد الخطوات", "कदम", "צעדים", "βήματα", "ก้าว",
      ])
    add(
      Metric("mood"),
      [
        "心情", "情绪", "情緒", "気分", "기분", "настроение", "настрій", "المزاج", "مزاج", "मूड", "מצב רוח",
        "διάθεση",
      ])
    add(
      .sleepHours,
      [
        "睡眠", "睡眠时间", "睡眠時間", "睡眠时长", "睡眠時長", "수면", "수면 시간", "수면시간", "сон", "النوم", "نوم",
        "ساعات النوم", "नींद", "שינה", "ύπνος", "часы сна",
      ])
    add(
      .bodyMass,
      ["体重", "體重", "몸무게", "체중", "вес", "вага", "الوزن", "وزن", "वजन", "वज़न", "משקל", "βάρος"])
    add(
      .heartRate,
      ["心率", "心拍数", "심박수", "пульс", "معدل ضربات القلب", "नाड़ी", "हृदय गति", "דופק", "παλμοί"])
    add(.restingHeartRate, ["静息心率", "靜息心率", "安静时心率", "安静時心拍数", "안정시 심박수", "пульс в покое"])
    return names
  }()

  /// The rules with further names under which people and programs write them.
  private static let all: [(rule: MetricRule, names: [String])] = {
    var all: [(MetricRule, [String])] = []
    func add(
      _ metric: Metric, _ unit: Unit?, _ fold: Fold, _ range: ClosedRange<Double>?,
      _ names: [String] = [], isWhole: Bool = false
    ) {
      all.append(
        (
          MetricRule(metric: metric, unit: unit, fold: fold, range: range, isWhole: isWhole), names
        ))
    }
    add(
      .steps, .count, .sum, 0...300_000,
      [
        "step", "step_count", "total_steps", "totalsteps", "steps_count", "daily_steps", "schritte",
        "pasos", "passi", "stappen",
        "passos", "kroki", "adim", "langkah", "number_of_steps", "nombre_de_pas", "pas",
      ],
      isWhole: true)
    add(
      .sleepHours, .hour, .sum, 0...24,
      [
        "sleep", "hours_asleep", "hours_of_sleep", "minutes_asleep", "minutesasleep", "asleep",
        "sleep_minutes", "totalminutesasleep", "time_asleep", "sleep_time", "sleep_duration",
        "total_sleep", "total_sleep_time", "hours_slept", "sleep_length",
        "hours_of_sleep_last_night", "schlaf",
        "schlafdauer", "sommeil", "sueno", "sono", "sonno", "slaap", "uyku",
        "asleep_duration", "sleep_analysis_asleep", "sleep_analysis_total",
      ])
    add(
      .sleepDeepHours, .hour, .sum, 0...24,
      ["deep_sleep", "sleep_deep", "minutes_deep_sleep", "sleep_analysis_deep"])
    add(
      .sleepLightHours, .hour, .sum, 0...24,
      ["light_sleep", "core_sleep", "minutes_light_sleep", "sleep_analysis_core"])
    add(
      .sleepREMHours, .hour, .sum, 0...24,
      ["rem_sleep", "sleep_rem", "minutes_rem_sleep", "sleep_analysis_rem"])
    add(.sleepEfficiency, .percent, .mean, 0...100)
    add(.sleepScore, nil, .mean, 0...100)
    add(.sleepQuality, nil, .mean, nil)
    add(.readinessScore, nil, .mean, 0...100)
    add(.hrv, .millisecond, .mean, 0...2000, ["hrv_sdnn", "sdnn", "heart_rate_variability"])
    add(.hrvRMSSD, .millisecond, .mean, 0...2000, ["rmssd"])
    add(
      .restingHeartRate, .perMinute, .mean, 20...250,
      ["resting_hr", "rhr", "sleeping_hr_lowest", "resting_pulse"])
    add(
      .heartRate, .perMinute, .mean, 20...300,
      ["hr", "pulse", "pulse_rate", "puls", "heart_rate_avg", "average_heart_rate", "avg_hr"])
    add(
      .respiratoryRate, .perMinute, .mean, 2...100,
      ["breath_rate", "breathing_rate", "full_sleep_breathing_rate", "breath_rate_per_min"])
    add(
      .activeEnergy, .kilocalorie, .sum, 0...30_000,
      ["active_calories", "active_kcal", "active_energy_burned"])
    add(.totalEnergy, .kilocalorie, .sum, 0...30_000, ["total_calories_burned"])
    add(
      .exerciseMinutes, .minute, .sum, 0...1440,
      [
        "exercise", "exercise_time", "workout", "workout_duration", "exercise_duration",
        "apple_exercise_time",
      ])
    add(
      .bodyMass, .kilogram, .last, 1...700,
      ["weight", "body_weight", "weight_body_mass", "weightpounds", "gewicht", "poids", "peso"])
    add(
      .bodyFatPercentage, .percent, .mean, 0...100,
      ["body_fat", "bodyfat", "fat_percentage", "body_fat_percent"])
    add(.bodyMassIndex, nil, .last, 3...300, ["bmi"])
    add(
      .oxygenSaturation, .percent, .mean, 30...100,
      ["spo2", "blood_oxygen", "oxygen", "blood_oxygen_saturation"])
    add(
      .named("blood_pressure_systolic"), .millimetreOfMercury, .mean, 30...350,
      ["systolic", "sys", "bp_sys", "bp_systolic", "systolic_blood_pressure", "systolic_pressure"])
    add(
      .named("blood_pressure_diastolic"), .millimetreOfMercury, .mean, 10...250,
      [
        "diastolic", "dia", "bp_dia", "bp_diastolic", "diastolic_blood_pressure",
        "diastolic_pressure",
      ])
    add(
      .bloodGlucose, .milligramPerDecilitre, .mean, 10...2000,
      ["glucose", "blood_sugar", "glucose_value", "blutzucker"])
    add(
      .named("body_temperature"), .celsius, .mean, 25...45,
      ["temperature", "body_temp", "temp"])
    add(.water, .millilitre, .sum, 0...50_000, ["water", "water_intake", "hydration", "fluids"])
    add(.caffeine, .milligram, .sum, 0...20_000, ["caffeine", "caffeine_intake"])
    add(
      .named("distance_km"), .kilometre, .sum, 0...2000,
      ["distance", "walking_running_distance", "distance_walking_running", "walking_distance"])
    add(.named("flights_climbed"), .count, .sum, 0...10_000, ["floors"], isWhole: true)
    add(
      .named("mindful_minutes"), .minute, .sum, 0...1440,
      ["mindful", "meditation_minutes", "mindfulness"])
    add(.named("vo2_max"), nil, .mean, 3...120, ["vo2max"])
    add(.named("time_in_bed_hours"), .hour, .sum, 0...24, ["time_in_bed"])
    add(
      .named("basal_energy"), .kilocalorie, .sum, 0...30_000,
      ["resting_energy", "basal_energy_burned"])
    let moods = ["stimmung", "humeur", "animo", "estado_de_animo", "humor", "umore", "stemming"]
    for rating in ["mood", "energy", "stress", "soreness", "fatigue", "pain", "anxiety"] {
      if let metric = Metric(rating) { add(metric, nil, .mean, nil, rating == "mood" ? moods : []) }
    }
    return all
  }()

  private static let byMetric = Dictionary(
    all.map { ($0.rule.metric, $0.rule) }, uniquingKeysWith: { first, _ in first })

  private static let byName = Dictionary(
    all.flatMap { one in one.names.map { ($0, one.rule.metric) } },
    uniquingKeysWith: { first, _ in first })

  /// Whether a metric is a measurement of a living body: 0 of it was never measured.
  static func isNeverZero(_ metric: Metric) -> Bool {
    [
      .hrv, .hrvRMSSD, .restingHeartRate, .bodyMass, .respiratoryRate, .heartRate,
      .oxygenSaturation, .bodyFatPercentage, .bloodGlucose,
    ].contains(metric)
  }
}
