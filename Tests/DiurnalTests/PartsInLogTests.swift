import DayLog
import Diurnal
import FoundationEssentials
import HealthImport
import Storage
import Testing
import Time

@Suite struct `A log of exports in parts` {
  private static let files = [
    (
      "sleep-1.json",
      #"[{"logId":11,"dateOfSleep":"2026-01-05","minutesAsleep":420,"efficiency":94}]"#
    ),
    (
      "sleep-2.json",
      #"[{"logId":12,"dateOfSleep":"2026-01-05","minutesAsleep":60,"efficiency":90}]"#
    ),
    (
      "night-1.json",
      #"{"dataSourceId":"derived:com.google.sleep.segment:com.google.android.gms:merged","minStartTimeNs":"1","maxEndTimeNs":"2","point":[{"startTimeNanos":"1767909600000000000","endTimeNanos":"1767913200000000000","value":[{"intVal":2}]}]}"#
    ),
    (
      "night-2.json",
      #"{"dataSourceId":"derived:com.google.sleep.segment:com.google.android.gms:merged","minStartTimeNs":"1","maxEndTimeNs":"2","point":[{"startTimeNanos":"1767913200000000000","endTimeNanos":"1767934800000000000","value":[{"intVal":2}]}]}"#
    ),
  ]

  private let folder = FileManager.default.temporaryDirectory.appending(path: "parts-\(UUID())")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in Self.files {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
  }

  private func days(_ order: [Int], _ body: (Journal) async throws -> Void = { _ in }) async throws
    -> [String]
  {
    let journal = try Journal(path: folder.appending(path: "log-\(UUID()).sqlite").path)
    for (step, index) in order.enumerated() {
      let now = Instant(seconds: 1_768_000_000 + Int64(step) * 60)
      _ = try await journal.importFile(
        folder.appending(path: Self.files[index].0).path,
        options: ImportOptions(now: now, zone: Zone.utc))
    }
    try await body(journal)
    let entries = try await journal.store.entries().compactMap { entry in
      entry.value.map { "\(entry.key.day) \(entry.key.metric) \(entry.key.source.name) \($0)" }
    }
    await journal.store.close()
    return entries
  }

  @Test func `shows the same days in every order and after any repetition`() async throws {
    let first = try await days([0, 1, 2, 3])
    #expect(first.contains("2026-01-05 sleep_hours fitbit 8.0"))
    #expect(first.contains("2026-01-05 sleep_efficiency fitbit 92.0"))
    // The evening alone was a night of its own; with the rest it belongs to the day of waking.
    #expect(first.filter { $0.contains("google-fit") } == ["2026-01-09 sleep_hours google-fit 7.0"])
    for order in [[3, 2, 1, 0], [1, 3, 0, 2, 1, 0], [2, 0, 3, 1, 3]] {
      #expect(try await days(order) == first)
    }
  }

  @Test func `loses what is forgotten from the parts that it keeps`() async throws {
    let day = try #require(CalendarDay("2026-01-05"))
    let now = Instant(seconds: 1_768_100_000)
    let left = try await days([0]) { journal in
      _ = try await journal.store.forget(day, now: now)
      _ = try await journal.importFile(
        folder.appending(path: Self.files[1].0).path,
        options: ImportOptions(now: now, zone: Zone.utc))
    }
    #expect(left.isEmpty)
  }

  @Test func `folds anew what is left when a file is read in another way`() async throws {
    let table = folder.appending(path: "drinks.csv")
    try Data("timestamp,x\n2026-01-05 08:00,1\n2026-01-05 09:00,3\n".utf8).write(to: table)
    let more = folder.appending(path: "more.csv")
    try Data("timestamp,x\n2026-01-05 10:00,5\n".utf8).write(to: more)
    let now = Instant(seconds: 1_768_000_000)
    let entries = try await days([]) { journal in
      for path in [table.path, more.path] {
        _ = try await journal.importFile(path, options: ImportOptions(now: now))
      }
      #expect(try await journal.store.entries().map(\.value) == [3])
      _ = try await journal.importFile(
        table.path, options: ImportOptions(now: now, folds: ["x": .sum]))
    }
    #expect(entries == ["2026-01-05 x csv 9.0"])
  }
}
