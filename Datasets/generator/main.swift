// Writes the made-up logs of this folder anew, with the same bytes every time.
//
// Usage: swift run datasets FOLDER. The files year.csv and decade.csv in FOLDER are replaced.

import DayLog

#if canImport(FoundationEssentials)
  import FoundationEssentials
  import Glibc
#else
  import Foundation
#endif

guard CommandLine.arguments.count == 2 else {
  print("usage: swift run datasets FOLDER")
  exit(64)
}
let folder = URL(filePath: CommandLine.arguments[1])
let logs = [
  (name: "year.csv", seed: 1, days: 365, firstDay: CalendarDay(year: 2025, month: 1, day: 1)),
  (name: "decade.csv", seed: 2, days: 3650, firstDay: CalendarDay(year: 2016, month: 1, day: 4)),
]
do {
  for log in logs {
    guard let firstDay = log.firstDay else { preconditionFailure("a date of the calendar") }
    var person = SyntheticLog(seed: UInt64(log.seed))
    let text = person.csv(days: log.days, firstDay: firstDay)
    let file = folder.appending(path: log.name)
    try Data(text.utf8).write(to: file, options: .atomic)
    print("\(log.name): \(log.days) days from \(firstDay), \(text.utf8.count) bytes")
  }
} catch {
  print("cannot write below \(folder.path): \(error)")
  exit(74)
}
