import DayLog
import TestSupport

/// The days of a made-up person as a phone's health app would export them: samples of a watch, a phone and
/// a scale, grouped by type, from which a reader has to find the days' values again.
///
/// Steps are counted by watch and phone at once; of a phone's span that the watch covers half counts
/// half. One record in 89 stands twice. Body mass is written in pounds. The numbers of a day are divided
/// into samples without a rest. Only nights name the zone; in summer a sample soon after midnight reads as
/// one of the day before, unless the reader is told where the person lived.
struct AppleHealthExport {
  /// The content of `export.xml`.
  private(set) var text = ""
  private let days: [SyntheticLog.Day]
  /// Phones write every time with the offset of the moment of export.
  private let offset: Int
  private var random: SplitMix64

  init(_ days: [SyntheticLog.Day], seed: UInt64) {
    self.days = days
    random = SplitMix64(seed: seed)
    guard let last = days.last?.day else { preconditionFailure("an export has days") }
    let now = LondonClock.moment(last, minute: 19 * 60 + 45)
    offset = LondonClock.offset(at: now)
    addHead(exportedAt: now)
    addBodyMass()
    addSteps()
    addMeasurements("resting_heart_rate", "RestingHeartRate", "count/min", at: [400], length: 720)
    addMeasurements("respiratory_rate", "RespiratoryRate", "count/min", at: [210, 305], length: 0)
    addSums("active_energy", "ActiveEnergyBurned", "kcal", parts: 3, length: 55)
    addSums("exercise_minutes", "AppleExerciseTime", "min", parts: 2, length: nil)
    addMeasurements(
      "hrv", "HeartRateVariabilitySDNN", "ms", at: [15, 330, 620], length: 1)
    addSleep()
    addWorkouts()
    addSummaries()
    text += "</HealthData>\n"
  }

  private func stamp(_ moment: Int) -> String { LondonClock.text(moment, offset: offset) }

  private mutating func addHead(exportedAt moment: Int) {
    text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE HealthData [
      <!-- HealthKit Export Version: 14 -->
      <!ELEMENT HealthData (ExportDate,Me,(Record|Workout|ActivitySummary)*)>
      <!ATTLIST HealthData locale CDATA #REQUIRED>
      <!ELEMENT Record (MetadataEntry*)>
      <!ELEMENT Workout (MetadataEntry|WorkoutStatistics)*>
      ]>
      <HealthData locale="en_GB">
       <ExportDate value="\(stamp(moment))"/>
       <Me HKCharacteristicTypeIdentifierDateOfBirth="" \
      HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexNotSet" \
      HKCharacteristicTypeIdentifierBloodType="HKBloodTypeNotSet" \
      HKCharacteristicTypeIdentifierFitzpatrickSkinType="HKFitzpatrickSkinTypeNotSet" \
      HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse="None"/>

      """
  }

  /// A source, as a record names it.
  private struct Device {
    let name: String
    let version: String
    let description: String

    // The curly apostrophe and the no-break space are what phones write.
    static let watch = Device(
      name: "Robin’s Apple\u{A0}Watch", version: "11.2",
      description: "name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,7, "
        + "software:11.2")
    static let phone = Device(
      name: "Robin’s iPhone", version: "18.2",
      description: "name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone14,5, "
        + "software:18.2")
    static let scale = Device(
      name: "Scale", version: "3", description: "name:Scale, manufacturer:Scale, model:Scale")
  }

  private mutating func add(
    _ type: String, of device: Device, unit: String?, from start: Int, for length: Int,
    value: String, zone: String? = nil
  ) {
    let unit = unit.map { " unit=\"\($0)\"" } ?? ""
    let record =
      " <Record type=\"\(type)\" sourceName=\"\(device.name)\" sourceVersion=\"\(device.version)\""
      + " device=\"&lt;&lt;HKDevice: 0x0&gt;, \(device.description)&gt;\"\(unit)"
      + " creationDate=\"\(stamp(start + length + 60))\""
      + " startDate=\"\(stamp(start))\" endDate=\"\(stamp(start + length))\""
      + " value=\"\(value)\""
      + (zone.map { ">\n  <MetadataEntry key=\"HKTimeZone\" value=\"\($0)\"/>\n </Record>\n" }
        ?? "/>\n")
    text += record
    if random.next() % 89 == 0 { text += record }
  }

  private mutating func upTo(_ limit: Int) -> Int { Int(random.next() % UInt64(limit + 1)) }

  /// Pounds with four decimals, which leaves 0.03 g of doubt.
  private mutating func addBodyMass() {
    for day in days {
      guard let mass = day.values["body_mass"]?.widened(to: 1) else { continue }
      let pounds = (mass.digits * 100_000_000_000 + 45_359_237 / 2) / 45_359_237
      add(
        "HKQuantityTypeIdentifierBodyMass", of: .scale, unit: "lb",
        from: LondonClock.moment(day.day, minute: 430 + upTo(20)), for: 0,
        value: FixedNumber(digits: pounds, decimals: 4).description)
    }
  }

  /// Three walks of the watch; the phone counts the first too, half of its own span along with the third,
  /// and a fourth while the watch charges.
  private mutating func addSteps() {
    var walks: [(device: Device, start: Int, length: Int, count: Int)] = []
    for day in days {
      guard let steps = day.values["steps"]?.digits else { continue }
      func walk(_ device: Device, _ minute: Int, for length: Int, _ count: Int) {
        if count > 0 || steps == 0 && device.name == Device.watch.name {
          walks.append((device, LondonClock.moment(day.day, minute: minute), length, count))
        }
      }
      let first = steps / 4 + upTo(steps / 8)
      let second = steps / 8 + upTo(steps / 8)
      let charging = upTo(steps / 16)
      let half = upTo(steps / 16)
      let third = steps - first - second - charging - half
      let minutes = [490 + upTo(40), 750 + upTo(60), 1020 + upTo(30)]
      walk(.watch, minutes[0], for: 1200, first)
      walk(.phone, minutes[0] + 2, for: 900, first - first / 20)
      walk(.watch, minutes[1], for: 1800, second)
      walk(.watch, minutes[2], for: 2400, third)
      walk(.phone, minutes[2] + 30, for: 1200, 2 * half)
      walk(.phone, 1120 + upTo(20), for: 600, charging)
    }
    for walk in walks {
      add(
        "HKQuantityTypeIdentifierStepCount", of: walk.device, unit: "count", from: walk.start,
        for: walk.length, value: String(walk.count))
    }
  }

  /// Measurements of the watch whose mean is the day's value, at minutes after midnight.
  private mutating func addMeasurements(
    _ metric: String, _ type: String, _ unit: String, at minutes: [Int], length: Int
  ) {
    for day in days {
      guard let value = day.values[metric] else { continue }
      let spread = minutes.count == 1 ? 0 : 1 + upTo(value.digits / 8)
      for (index, minute) in minutes.enumerated() {
        // The first and the last lie as far from the mean on either side; one between them is the mean.
        let sign = index == 0 ? -1 : index == minutes.count - 1 ? 1 : 0
        add(
          "HKQuantityTypeIdentifier" + type, of: .watch, unit: unit,
          from: LondonClock.moment(day.day, minute: minute + upTo(30)), for: length * 60,
          value: FixedNumber(
            digits: value.digits + sign * spread, decimals: value.decimals
          ).description)
      }
    }
  }

  /// Samples of the watch that add up to the day's value; without a length they last as many minutes as
  /// they count.
  private mutating func addSums(
    _ metric: String, _ type: String, _ unit: String, parts: Int, length: Int?
  ) {
    for day in days {
      guard let value = day.values[metric], value.digits > 0 else { continue }
      var left = value.digits
      for part in 0..<parts {
        let share = part == parts - 1 ? left : upTo(left)
        left -= share
        guard share > 0 else { continue }
        add(
          "HKQuantityTypeIdentifier" + type, of: .watch, unit: unit,
          from: LondonClock.moment(day.day, minute: 480 + part * 320 + upTo(9)),
          for: (length ?? share) * 60, value: String(share))
      }
    }
  }

  /// Nights that end in the morning: time in bed by the phone, stages by the watch, awake in between.
  private mutating func addSleep() {
    let type = "HKCategoryTypeIdentifierSleepAnalysis"
    let stages = ["Core", "Deep", "REM", "Awake", "Core", "REM"]
    for day in days {
      guard let hours = day.values["sleep_hours"]?.widened(to: 2) else { continue }
      let asleep = hours.digits * 36
      let (core, deep) = (asleep * 2 / 5 + upTo(asleep / 10), asleep / 10 + upTo(asleep / 10))
      let rem = asleep / 10 + upTo(asleep / 20)
      let again = upTo(asleep / 10)
      let lengths = [
        core, deep, rem, 300 + upTo(600), again, asleep - core - deep - rem - again,
      ]
      let end = LondonClock.moment(day.day, minute: 370 + upTo(60))
      var start = end - lengths.reduce(0, +)
      add(
        type, of: .phone, unit: nil, from: start - 600, for: end + 300 - (start - 600),
        value: "HKCategoryValueSleepAnalysisInBed")
      for (stage, length) in zip(stages, lengths) where length > 0 {
        let name = stage == "Awake" ? stage : "Asleep" + stage
        add(
          type, of: .watch, unit: nil, from: start, for: length,
          value: "HKCategoryValueSleepAnalysis" + name, zone: "Europe/London")
        start += length
      }
    }
  }

  private mutating func addWorkouts() {
    for day in days {
      guard let minutes = day.values["exercise_minutes"]?.digits, minutes >= 45 else { continue }
      let start = LondonClock.moment(day.day, minute: 1040 + upTo(20))
      let watch = Device.watch
      text +=
        " <Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"\(minutes - 10)\""
        + " durationUnit=\"min\" sourceName=\"\(watch.name)\" sourceVersion=\"\(watch.version)\""
        + " creationDate=\"\(stamp(start + minutes * 60))\""
        + " startDate=\"\(stamp(start))\""
        + " endDate=\"\(stamp(start + (minutes - 10) * 60))\">\n"
        + "  <MetadataEntry key=\"HKIndoorWorkout\" value=\"0\"/>\n </Workout>\n"
    }
  }

  /// The rings of the days on which the watch kept the time of exercise.
  private mutating func addSummaries() {
    for day in days {
      guard let minutes = day.values["exercise_minutes"] else { continue }
      let energy = day.values["active_energy"]?.description ?? "0"
      text +=
        " <ActivitySummary dateComponents=\"\(day.day)\" activeEnergyBurned=\"\(energy)\""
        + " activeEnergyBurnedGoal=\"500\" activeEnergyBurnedUnit=\"kcal\""
        + " appleExerciseTime=\"\(minutes)\" appleExerciseTimeGoal=\"30\""
        + " appleStandHours=\"12\" appleStandHoursGoal=\"12\"/>\n"
    }
  }
}
