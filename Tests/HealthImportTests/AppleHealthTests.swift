import DayLog
import HealthImport
import TestSupport
import Testing
import Time

/// Wraps records in an export of 2 May 2024.
func export(_ records: String, closed: Bool = true) -> String {
  """
  <?xml version="1.0" encoding="UTF-8"?>
  <!DOCTYPE HealthData [
  <!-- HealthKit Export Version: 12 -->
  <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation)*)>
  <!ATTLIST VisionPrescription
    type CDATA #REQUIRED
  <!ATTLIST HealthData locale CDATA #REQUIRED>
  ]>
  <HealthData locale="en_GB">
   <ExportDate value="2024-05-02 09:30:00 +0200"/>
  \(records)
  \(closed ? "</HealthData>" : "")
  """
}

/// A record of a type, from start to end on the wall clock of +0200.
func record(
  _ type: String, _ value: String, _ start: String, _ end: String, source: String = "Watch",
  unit: String = "count", metadata: String = ""
) -> String {
  let children = metadata.isEmpty ? "/>" : ">\(metadata)</Record>"
  return
    "<Record type=\"\(type)\" sourceName=\"\(source)\" unit=\"\(unit)\" startDate=\"\(start) +0200\" endDate=\"\(end) +0200\" value=\"\(value)\"\(children)\n"
}

private let stepType = "HKQuantityTypeIdentifierStepCount"
private let sleepType = "HKCategoryTypeIdentifierSleepAnalysis"

private func sleep(_ stage: String, _ start: String, _ end: String, source: String = "Watch")
  -> String
{
  record(
    sleepType, "HKCategoryValueSleepAnalysis" + stage, start, end, source: source, unit: "")
}

@Suite struct `An Apple Health export` {
  @Test func `IMP_1: is read past the broken document type of iOS 16`() throws {
    let batch = try importText(
      export(record(stepType, "12", "2024-05-01 10:00:00", "2024-05-01 10:05:00")))
    #expect(batch.format == "apple-health")
    #expect(batch.value("steps", "2024-05-01") == 12)
    #expect(batch.entries.first?.asOf == Instant(seconds: 1_714_635_000))
    #expect(batch.isComplete)
  }

  @Test func `IMP_2: counts as whole only with its closing tag, and bad bytes cost nothing else`()
    throws
  {
    let one = record(stepType, "12", "2024-05-01 10:00:00", "2024-05-01 10:05:00")
    let cut = export(one + "<Record type=\"HKQuan", closed: false)
    #expect(fault { try importText(cut) }?.reason == .cutOff)
    let partial = try importText(cut) { $0.partial = true }
    #expect(!partial.isComplete)
    #expect(partial.value("steps", "2024-05-01") == 12)

    let text = export(
      record(stepType, "1", "2024-05-01 10:00:00", "2024-05-01 10:05:00", source: "W§tch") + one)
    var bytes = ContiguousArray<UInt8>()
    for byte in text.utf8 { bytes.append(byte == 0xC2 ? 0xFF : byte == 0xA7 ? 0x0B : byte) }
    let damaged = try importBytes(bytes)
    #expect(damaged.summary.damagedBytes == 2)
    #expect(damaged.value("steps", "2024-05-01") == 12)
    #expect(damaged.summary.used == 2)
  }

  @Test func `IMP_6: counts overlapping steps once, a partial overlap by its share`() throws {
    let batch = try importText(
      export(
        record(
          stepType, "100", "2024-05-01 10:00:00", "2024-05-01 10:10:00", source: "My iPhone")
          + record(
            stepType, "60", "2024-05-01 10:05:00", "2024-05-01 10:10:00", source: "Anna’s Watch")
          + record(
            stepType, "7", "2024-05-01 11:00:00", "2024-05-01 11:10:00", source: "Pedometer")
          + record(
            stepType, "9", "2024-05-01 11:05:00", "2024-05-01 11:05:00", source: "Counter")))
    // The watch counts whole, the phone for the half that the watch was not on; of two others the one
    // with the larger total comes first, and a moment covers nothing.
    #expect(batch.value("steps", "2024-05-01") == 126)
  }

  @Test(arguments: 0..<24 as Range<UInt64>)
  func `IMP_6: counts each minute for the most trusted source that has it`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func stamp(_ minute: Int) -> String {
      func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
      return "2024-05-0\(1 + minute / 1440) \(two(minute % 1440 / 60)):\(two(minute % 60)):00"
    }
    var records: [String] = []
    var covered: Set<Int> = []
    var expected = 0.0
    for source in ["Anna's Watch", "My iPhone", "Pedometer"] {
      var own: Set<Int> = []
      // No two of one source begin together: those would replace each other.
      var starts: Set<Int> = []
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        starts.insert(Int.random(in: 0..<600, using: &random))
      }
      for start in starts.sorted() {
        let longest = Bool.random(using: &random) ? 20 : 700
        let span = start..<(start + Int.random(in: 1...longest, using: &random))
        let value = Double(Int.random(in: 1...500, using: &random))
        records.append(
          record(
            stepType, "\(value)", stamp(span.lowerBound), stamp(span.upperBound), source: source))
        expected += value * Double(span.count { !covered.contains($0) }) / Double(span.count)
        own.formUnion(span)
      }
      covered.formUnion(own)
    }
    records.shuffle(using: &random)
    let total = try importText(export(records.joined())).value("steps", "2024-05-01") ?? 0
    #expect(abs(total - expected) <= 1e-9 * max(1, expected))
  }

  @Test func `IMP_7: counts identical records once and lets a later total replace an earlier one`()
    throws
  {
    let same = record(stepType, "10", "2024-05-01 10:00:00", "2024-05-01 10:10:00")
    let batch = try importText(
      export(
        same + same
          + record(stepType, "4", "2024-05-02 00:00:00", "2024-05-02 09:00:00", source: "Sync")
          + record(stepType, "9", "2024-05-02 00:00:00", "2024-05-02 18:00:00", source: "Sync")))
    #expect(batch.value("steps", "2024-05-01") == 10)
    #expect(batch.value("steps", "2024-05-02") == 9)
    #expect(batch.summary.duplicates == 2)
  }

  @Test func `IMP_8: takes the record's own zone, then the zone asked for, then the offset`() throws
  {
    let zone = "<MetadataEntry key=\"HKTimeZone\" value=\"Home\"/>"
    let winter = ("2024-01-02 00:30:00", "2024-01-02 00:30:00")
    let text = export(record(stepType, "5", winter.0, winter.1, metadata: zone))
    #expect(try importText(text).values("steps") == ["2024-01-02": 5])
    let own = try importText(text) { $0.zoneNamed = { $0 == "Home" ? Zone.centralEurope : nil } }
    #expect(own.values("steps") == ["2024-01-01": 5])
    let asked = try importText(text) { $0.zone = Zone.centralEurope }
    #expect(asked.values("steps") == ["2024-01-01": 5])
    let late = record(stepType, "5", "2024-05-01 10:00:00", "2024-05-01 10:00:00")
    let spanning = try importText(export(record(stepType, "5", winter.0, winter.1) + late))
    #expect(spanning.summary.remarks.contains { $0.contains("--zone") })
    #expect(try importText(export(late)).summary.remarks.isEmpty)
  }

  @Test func `IMP_10: gives a night to the day of waking and joins spans under an hour apart`()
    throws
  {
    let batch = try importText(
      export(
        sleep("AsleepCore", "2024-04-30 22:00:00", "2024-04-30 23:30:00")
          + sleep("AsleepDeep", "2024-05-01 00:15:00", "2024-05-01 06:15:00")
          + sleep("AsleepCore", "2024-05-01 23:00:00", "2024-05-01 23:40:00")
          + sleep("AsleepREM", "2024-05-02 00:40:00", "2024-05-02 05:40:00")))
    #expect(batch.values("sleep_hours") == ["2024-05-01": 7.5 + 2.0 / 3, "2024-05-02": 5])
    #expect(batch.value("sleep_deep_hours", "2024-05-01") == 6)
  }

  @Test func `IMP_12: never counts awake or in bed as sleep, but where a night has nothing else`()
    throws
  {
    let batch = try importText(
      export(
        sleep("InBed", "2024-04-30 22:00:00", "2024-05-01 07:00:00")
          + sleep("Asleep", "2024-04-30 23:00:00", "2024-05-01 03:00:00")
          + sleep("AsleepCore", "2024-05-01 02:00:00", "2024-05-01 06:00:00", source: "Ring")
          + sleep("Awake", "2024-05-01 06:00:00", "2024-05-01 07:00:00")
          + sleep("InBed", "2024-05-01 23:00:00", "2024-05-02 07:00:00", source: "Phone")))
    #expect(batch.values("sleep_hours") == ["2024-05-01": 7, "2024-05-02": 8])
    #expect(
      batch.entries.last { $0.key.metric == .sleepHours }?.key.source.name == "apple-health/in-bed")
    #expect(batch.summary.remarks.contains { $0.contains("time in bed") })
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `IMP_11: loses and doubles no minute asleep`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var text = ""
    var minutes: Set<Int> = []
    for _ in 0..<Int.random(in: 1...60, using: &random) {
      let start = Int.random(in: 0..<8000, using: &random)
      let length = Int.random(in: 0..<500, using: &random)
      let stage = ["AsleepCore", "Awake", "InBed", "AsleepREM"].randomElement(using: &random) ?? ""
      func stamp(_ minute: Int) -> String {
        let day = CalendarDay(number: 19_800 + minute / 1440)
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(day) \(two(minute % 1440 / 60)):\(two(minute % 60)):00"
      }
      text += sleep(stage, stamp(start), stamp(start + length))
      if stage.hasPrefix("Asleep") { minutes.formUnion(start..<(start + length)) }
    }
    let batch = try importText(export(text))
    let hours = batch.entries.filter {
      $0.key.metric == .sleepHours && $0.key.source.name == "apple-health"
    }.compactMap(\.value)
    #expect(abs(hours.reduce(0, +) * 60 - Double(minutes.count)) < 1e-6)
    #expect(hours.allSatisfy { (0...24).contains($0) })
  }

  @Test func `IMP_13: converts the unit that is written and rejects one it does not know`() throws {
    let mass = "HKQuantityTypeIdentifierBodyMass"
    let at = ("2024-05-01 08:00:00", "2024-05-02 08:00:00")
    let batch = try importText(
      export(
        record(mass, "200", at.0, at.0, unit: "lb")
          + record(mass, "80", at.1, at.1, unit: "stone")
          + record(
            "HKQuantityTypeIdentifierActiveEnergyBurned", "4184", at.0, at.0, unit: "J")))
    #expect(batch.value("body_mass", "2024-05-01") == 200 * 0.453_592_37)
    #expect(batch.value("body_mass", "2024-05-02") == nil)
    #expect(batch.value("active_energy", "2024-05-01") == 1)
    #expect(batch.summary.rejections.map(\.reason) == ["unknown unit"])
    #expect(batch.summary.skipped.contains { $0.kind == "unit" && $0.name == "stone" })
  }

  @Test func `IMP_14: takes 0 of a measurement for missing and 0 steps for a count`() throws {
    let at = "2024-05-01 08:00:00"
    let batch = try importText(
      export(
        record("HKQuantityTypeIdentifierRestingHeartRate", "0", at, at, unit: "count/min")
          + record("HKQuantityTypeIdentifierHeartRateVariabilitySDNN", "0", at, at, unit: "ms")
          + record(stepType, "0", at, at)))
    #expect(batch.entries.map(\.key.metric) == [.steps])
  }

  @Test func `IMP_15: keeps SDNN and RMSSD apart`() throws {
    let at = "2024-05-01 08:00:00"
    let batch = try importText(
      export(
        record("HKQuantityTypeIdentifierHeartRateVariabilitySDNN", "50", at, at, unit: "ms")
          + record("HKQuantityTypeIdentifierHeartRateVariabilityRMSSD", "30", at, at, unit: "ms")))
    #expect(batch.value("hrv", "2024-05-01") == 50)
    #expect(batch.value("hrv_rmssd", "2024-05-01") == 30)
  }

  @Test func `IMP_16: rejects a record that ends before it starts and takes the rest`() throws {
    let batch = try importText(
      export(
        record(stepType, "9", "2024-05-01 10:00:00", "2024-05-01 09:00:00")
          + record(stepType, "5", "2024-05-01 11:00:00", "2024-05-01 11:01:00")))
    #expect(batch.value("steps", "2024-05-01") == 5)
    #expect(batch.summary.rejections.map(\.reason) == ["end before start"])
    #expect(batch.summary.rejections.first?.first == [.record(1)])
  }

  @Test func `IMP_17: is the same whenever read again, and known by its content`() throws {
    let text = export(record(stepType, "5", "2024-05-01 11:00:00", "2024-05-01 11:01:00"))
    let first = try importText(text)
    #expect(try importText(text, name: "other") == first)
    #expect(try importText(text + " ").hash != first.hash)
    #expect(ContentHash(first.hash.description) == first.hash)
  }

  @Test func `IMP_18: passes over what it does not know and counts it`() throws {
    let batch = try importText(
      export(
        "<Record type=\"HKNew\" x=\"1\" startDate=\"\" endDate=\"\"><Inner a='1'><More/></Inner></Record>"
          + record(stepType, "5", "2024-05-01 11:00:00", "2024-05-01 11:01:00")))
    #expect(batch.value("steps", "2024-05-01") == 5)
    #expect(
      batch.summary.skipped.map { "\($0.kind) \($0.name) \($0.count)" }
        == ["type HKNew 1", "element Inner 1", "element More 1"])
  }

  @Test func `IMP_19: counts a record inside a correlation once, beside it or not`() throws {
    let type = "HKQuantityTypeIdentifierBloodPressureSystolic"
    let one = record(type, "118", "2024-05-01 07:00:00", "2024-05-01 07:00:01", unit: "mmHg")
    let other = record(type, "122", "2024-05-01 09:00:00", "2024-05-01 09:00:01", unit: "mmHg")
    let batch = try importText(
      export(one + "<Correlation type=\"c\">" + one + other + "</Correlation>"))
    #expect(batch.value("blood_pressure_systolic", "2024-05-01") == 120)
    #expect(batch.summary.duplicates == 1)
  }

  @Test func `IMP_20: gives a count across midnight to its start day, whole`() throws {
    let batch = try importText(
      export(record(stepType, "100", "2024-04-30 23:50:00", "2024-05-01 00:10:00")))
    #expect(batch.values("steps") == ["2024-04-30": 100])
  }

  @Test func `takes the latest mass of a day, also across scales`() throws {
    let mass = "HKQuantityTypeIdentifierBodyMass"
    func at(_ hour: Int, _ value: String, _ source: String) -> String {
      let time = "2024-05-01 \(hour):00:00"
      return record(mass, value, time, time, source: source, unit: "kg")
    }
    let batch = try importText(
      export(at(10, "70.5", "Scale") + at(21, "71", "Bath") + at(12, "72", "Scale")))
    #expect(batch.value("body_mass", "2024-05-01") == 71)
  }

  @Test func `has symptoms from 0 to 3, the severest of a day, and says what had no severity`()
    throws
  {
    func symptom(_ name: String, _ value: String, _ day: Int, _ hour: Int = 10) -> String {
      let time = "2024-05-0\(day) \(hour):00:00"
      return record("HKCategoryTypeIdentifier" + name, "HKCategoryValue" + value, time, time)
    }
    let batch = try importText(
      export(
        symptom("Headache", "SeverityMild", 1) + symptom("Headache", "SeveritySevere", 1, 11)
          + symptom("Headache", "SeverityNotPresent", 2)
          + symptom("ShortnessOfBreath", "SeverityModerate", 1)
          + symptom("MoodChanges", "PresencePresent", 1)
          + symptom("AppetiteChanges", "AppetiteChangesNoChange", 1)
          + symptom("MenstrualFlow", "MenstrualFlowMedium", 1)
          + symptom("Nausea", "NotApplicable", 1)))
    #expect(batch.values("symptom.headache") == ["2024-05-01": 3, "2024-05-02": 0])
    #expect(batch.values("symptom.shortness_of_breath") == ["2024-05-01": 2])
    #expect(batch.values("symptom.mood_changes") == ["2024-05-01": 1])
    #expect(batch.values("symptom.appetite_changes") == ["2024-05-01": 0])
    #expect(batch.values("menstrual_flow") == ["2024-05-01": 2])
    #expect(batch.summary.rejections.map(\.reason) == ["unknown severity"])
    #expect(batch.summary.remarks.contains { $0.contains("1 without a severity") })
  }

  @Test func `keeps what the person typed there apart, and adds typed steps to the total`() throws {
    let typed = "<MetadataEntry key=\"HKWasUserEntered\" value=\"1\"/>"
    let mass = "HKQuantityTypeIdentifierBodyMass"
    let batch = try importText(
      export(
        record(mass, "70", "2024-05-01 08:00:00", "2024-05-01 08:00:00", unit: "kg")
          + record(
            mass, "71", "2024-05-01 09:00:00", "2024-05-01 09:00:00", unit: "kg", metadata: typed)
          + record(stepType, "50", "2024-05-01 10:00:00", "2024-05-01 10:10:00")
          + record(
            stepType, "500", "2024-05-01 12:00:00", "2024-05-01 12:10:00", metadata: typed)))
    #expect(batch.value("body_mass", "2024-05-01") == 71)
    #expect(batch.value("steps", "2024-05-01") == 550)
    #expect(batch.entries.filter { $0.key.source.name == "apple-health/typed" }.count == 2)
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `gives the same days to the bit whatever the order of its records`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var records: [String] = []
    for number in 0..<400 {
      let minute = Int.random(in: 10..<60, using: &random)
      let at = "2024-05-0\(1 + number % 3) 1\(number % 10):\(minute):00"
      let source = ["Anna's Watch", "My iPhone", "Ring"].randomElement(using: &random) ?? ""
      let value = "\(Double.random(in: 1...90, using: &random))"
      switch number % 3 {
      case 0: records.append(record(stepType, value, at, at, source: source))
      case 1:
        let type = "HKQuantityTypeIdentifierHeartRateVariabilitySDNN"
        records.append(record(type, value, at, at, source: source, unit: "ms"))
      default: records.append(sleep("AsleepDeep", at, "2024-05-05 00:00:00", source: source))
      }
      if number % 7 == 0 { records.append(records[number / 2]) }
    }
    let ordered = try importText(export(records.joined()))
    records.shuffle(using: &random)
    #expect(try importText(export(records.joined())).entries == ordered.entries)
  }

  @Test func `of iOS 8 is read with its dates and attribute names`() throws {
    let batch = try importText(
      "<HealthData><Record type=\"\(stepType)\" source name=\"Health\" unit=\"count\" start date=\"20150616071820-0700\" end date=\"20150616072000-0700\" value=\"31\"/></HealthData>"
    )
    #expect(batch.values("steps") == ["2015-06-16": 31])
  }

  @Test(arguments: [
    "<A></B>", "<A>", "</HealthData><HealthData>", "<A b>", "<A b=c/>", "<!ENTITY x>", "< />",
    "</A>", "<A / >",
  ])
  func `with broken markup is refused with its line`(markup: String) throws {
    let wrong = fault { try importText("<HealthData>\n\n\(markup)</HealthData>") }
    guard case .malformed? = wrong?.reason else {
      #expect(wrong?.reason == .cutOff)
      return
    }
    #expect(wrong?.place == .line(3))
  }

  @Test func `with an attribute of any length past a megabyte is refused, not held`() {
    let bomb = "<HealthData><Record type=\"" + String(repeating: "x", count: 3_000_000)
    guard case .tooLarge? = fault({ try importText(bomb + "\"/></HealthData>") })?.reason else {
      Issue.record("a bomb is not refused")
      return
    }
  }

  @Test func `expands no entity and skips comments and character data`() throws {
    let batch = try importText(
      """
      <!DOCTYPE HealthData [<!ENTITY a "x"><!ENTITY b "&a;&a;">]>
      <HealthData><!-- <Record type="a"/> --><![CDATA[<Record type="b"/>]]><?pi <Record?>
      \(record(stepType, "5", "2024-05-01 11:00:00", "2024-05-01 11:01:00", source: "&b;"))
      </HealthData>
      """)
    #expect(batch.summary.read == 1)
    #expect(batch.value("steps", "2024-05-01") == 5)
  }

  @Test func `is cancelled when the person says so`() {
    let text = export(record(stepType, "5", "2024-05-01 11:00:00", "2024-05-01 11:01:00"))
    #expect(
      fault { try importText(text) { $0.progress = { _, _ in false } } }?.reason == .cancelled)
  }

  @Test(arguments: 0..<96 as Range<UInt64>)
  func `that was broken anywhere is read or refused, and never kills`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var bytes = ContiguousArray(
      export(
        record(
          stepType, "12", "2024-05-01 10:00:00", "2024-05-01 10:05:00",
          metadata: "<MetadataEntry key=\"HKTimeZone\" value=\"A\"/>")
          + sleep("Asleep", "2024-05-01 10:00:00", "2024-05-01 10:05:00")
          + "<ActivitySummary dateComponents=\"2024-05-01\" activeEnergyBurned=\"5\"/>"
      ).utf8)
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let at = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: at)
      default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: at)
      }
    }
    if let batch = try? importBytes(bytes, { $0.partial = true }) {
      #expect(batch.entries.allSatisfy { $0.value?.isFinite == true })
    }
  }
}
