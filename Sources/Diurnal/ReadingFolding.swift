internal import HealthImport
internal import Storage
internal import Time

/// How the log folds the parts of days that imported files have left in it.
struct ReadingFolding: DayFolding {
  func reach(of part: [UInt8]) -> Int {
    PartFolding.dependsOnNeighbours(part) ? PartFolding.reach : 0
  }

  func values(of parts: [CalendarDay: [[UInt8]]]) -> [CalendarDay: Double] {
    PartFolding.values(parts)
  }

  func isCovered(_ part: [UInt8], by later: [UInt8]) -> Bool {
    PartFolding.isCovered(part, by: later)
  }
}
