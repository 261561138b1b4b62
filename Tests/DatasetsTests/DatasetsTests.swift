import DayLog
import FoundationEssentials
import HealthImport
import TestSupport
import Testing
import Time

@testable import datasets

@Suite struct `The made-up logs` {
  @Test func `stand in the folder as the generator writes them`() throws {
    for file in DatasetFile.all {
      let path = SharedData.checkout.appending(path: "Datasets/\(file.name)").path
      let committed = try #require(FileManager.default.contents(atPath: path), "\(file.name)")
      let isSame = Array(committed) == file.bytes
      #expect(isSame, "\(file.name) is not what swift run datasets Datasets writes")
    }
  }

  @Test func `come back out of the export as the days they were made from`() throws {
    let batch = try read("export.zip", zone: try Self.london())
    #expect(batch.format == "apple-health")
    #expect(batch.summary.rejected == 0)
    #expect(batch.summary.skipped.map(\.name) == ["Workout"])
    #expect(batch.summary.remarks.isEmpty)
    // 31 December at 19:45 in London.
    #expect(batch.entries.allSatisfy { $0.asOf == Instant(seconds: 1_767_210_300) })

    var found = try values(of: batch)
    // Stages are shares of the night, drawn for the export alone.
    let nights = found.filter { $0.key.metric == .sleepHours }
    for (slot, hours) in nights {
      let stages = ["sleep_deep_hours", "sleep_rem_hours"].compactMap {
        found.removeValue(forKey: Slot(slot.day, $0))
      }
      #expect(stages.count == 2 && stages.allSatisfy { $0 > 0 }, "\(slot.day)")
      #expect(stages.reduce(0, +) < hours, "\(slot.day)")
    }
    #expect(nights.count == 320)
    check(found, against: SyntheticLog.metrics.filter { !DatasetFile.typed.contains($0) })
  }

  @Test func `come back out of the diary and of the one table`() throws {
    check(try values(of: read("diary.csv")), against: DatasetFile.typed)
    check(try values(of: read("year.csv")), against: SyntheticLog.metrics)
  }

  @Test func `say that the zone of the export has to be named, and need it`() throws {
    let batch = try read("export.zip", zone: nil)
    #expect(batch.summary.remarks.contains { $0.contains("--zone") })
    let (told, untold) = (try read("export.zip", zone: try Self.london()), batch)
    let (right, wrong) = (try values(of: told), try values(of: untold))
    let moved = Set(right.keys).union(wrong.keys).filter { right[$0] != wrong[$0] }
    // Heart-rate variability soon after midnight, in summer time.
    #expect(Set(moved.map(\.metric)) == [.hrv])
    #expect(moved.count > 150)
    #expect(moved.allSatisfy { (3...10).contains($0.day.components.month) })
  }

  private static func london() throws -> Zone {
    let path = "/usr/share/zoneinfo/Europe/London"
    let bytes = try #require(FileManager.default.contents(atPath: path))
    return try Zone(name: "Europe/London", tzif: Array(bytes))
  }

  private func read(_ name: String, zone: Zone? = nil) throws -> ImportBatch {
    let path = SharedData.checkout.appending(path: "Datasets/\(name)").path
    let london = try Self.london()
    let options = ImportOptions(
      now: Instant(seconds: 1_767_211_200), zone: zone,
      zoneNamed: { $0 == "Europe/London" ? london : nil })
    guard case .read(let batch) = try Importer.read(path: path, options: options) else {
      preconditionFailure("nothing is known")
    }
    return batch
  }

  private func values(of batch: ImportBatch) throws -> [Slot: Double] {
    try Dictionary(grouping: batch.entries) { Slot($0.key.day, $0.key.metric.name) }
      .mapValues { try #require(Merge.resolve($0)?.value) }
  }

  /// What was read is the generator's own numbers, on every day and on no other.
  private func check(_ read: [Slot: Double], against metrics: [String]) {
    var left = read
    for day in DatasetFile.year {
      for metric in metrics {
        let value = left.removeValue(forKey: Slot(day.day, metric))
        guard let number = day.values[metric], let expected = Double(number.description) else {
          #expect(value == nil, "\(day.day) \(metric)")
          continue
        }
        // Pounds have four decimals; a mean of three and a sum of seconds round in their last places.
        let tolerance = metric == "body_mass" ? 2.3e-5 : 8 * expected.ulp
        #expect(value.map { abs($0 - expected) <= tolerance } == true, "\(day.day) \(metric)")
      }
    }
    #expect(left.isEmpty)
  }

  private struct Slot: Hashable {
    let day: CalendarDay
    let metric: Metric?

    init(_ day: CalendarDay, _ metric: String) {
      (self.day, self.metric) = (day, Metric(metric))
    }
  }

  @Test func `have overlaps and repeats in the export that a plain sum would count twice`() throws {
    let text = AppleHealthExport(DatasetFile.year, seed: 3).text
    let records = text.split(separator: "\n").filter { $0.contains("<Record ") }
    let steps = records.filter { $0.contains("StepCount\"") }.reduce(0) { sum, record in
      sum + (record.split(separator: " value=\"").last.flatMap { Int($0.dropLast(3)) } ?? 0)
    }
    let truth = DatasetFile.year.reduce(0) { $0 + ($1.values["steps"]?.digits ?? 0) }
    #expect(Double(steps) > 1.2 * Double(truth))
    #expect(records.count - Set(records).count > 50)
  }

  @Test func `keep London's time as the system's zone does`() throws {
    let zone = try Self.london()
    let start = try #require(CalendarDay(year: 2020, month: 1, day: 1)).number * 86_400
    for moment in stride(from: start, to: start + 10 * 366 * 86_400, by: 1800) {
      let offset = zone.utcOffset(at: Instant(seconds: Int64(moment)))
      #expect(LondonClock.offset(at: moment) == offset, "\(moment)")
    }
    let spring = 1_743_296_400
    #expect(LondonClock.text(spring - 1, offset: 0) == "2025-03-30 00:59:59 +0000")
    #expect(LondonClock.text(spring, offset: 3600) == "2025-03-30 02:00:00 +0100")
    let day = try #require(CalendarDay("2025-03-30"))
    #expect(LondonClock.moment(day, minute: 59) == spring - 60)
    #expect(LondonClock.moment(day, minute: 120) == spring)
  }
}
