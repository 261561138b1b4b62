import DayLog
import FoundationEssentials
import HealthImport
import Testing
import Time

@Suite struct `Plain sums of an Apple Health export` {
  private let steps = "HKQuantityTypeIdentifierStepCount"

  private func sums(_ text: String) throws -> HealthSums {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).xml")
    try Data(text.utf8).write(to: file)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
    return try HealthSums(path: file.path)
  }

  @Test func `take every record as it is written, by type and written day`() throws {
    let one = record(steps, "12.5", "2024-05-01 10:00:00", "2024-05-01 10:05:00")
    let late = record(steps, "3", "2024-05-02 23:59:59", "2024-05-03 00:10:00")
    let mass = record(
      "HKQuantityTypeIdentifierBodyMass", "150", "2024-05-01 07:00:00", "2024-05-01 07:00:00",
      unit: "lb")
    let sums = try sums(export(one + mass + one + late))
    #expect(sums.recordCount == 4)
    #expect(sums.total == 178)
    let days = sums[steps]
    #expect(days.count == 2)
    let (first, second) = try (
      #require(CalendarDay("2024-05-01")), #require(CalendarDay("2024-05-02"))
    )
    #expect(days[first]?.sum == 25)
    #expect(days[first]?.count == 2)
    #expect(days[second]?.sum == 3)
    #expect(sums["HKQuantityTypeIdentifierBodyMass"].values.map(\.sum) == [150])
    #expect(sums["HKOther"].isEmpty)
  }

  @Test func `are refused of a file that is cut off`() {
    #expect(throws: ImportError.self) { try sums(export("", closed: false)) }
  }
}
