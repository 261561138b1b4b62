import DayLog
import FoundationEssentials
import Storage
import TestSupport
import Testing
import Time

@Suite struct `A process that is killed while it writes` {
  @Test
  func `QUE_1: loses nothing that it acknowledged and doubles nothing, wherever it was killed`()
    async throws
  {
    var killAfter = 1
    var runs = 0
    var finished = false
    let isLong = ProcessInfo.processInfo.environment["DIURNAL_LONG_TESTS"] == "1"
    while !finished {
      let folder = try TemporaryFolder()
      let output = try StoreWriter.run(
        store: folder.store, killAfter: killAfter, name: "a", count: 7, output: folder.path + "/out"
      )
      finished = output.contains("done")
      runs += 1
      try await check(folder, acknowledged: output, killAfter: killAfter)
      killAfter += isLong ? 1 : 1 + killAfter / 40
      try #require(killAfter < 20_000)
    }
    #expect(runs > 60)
  }

  /// Opens what the killed process left, and lets the same work be done again on it.
  private func check(
    _ folder: TemporaryFolder, acknowledged lines: [String], killAfter: Int
  ) async throws {
    let store = try LogStore(path: folder.store)
    #expect(try await store.integrityProblems() == [], "killed after \(killAfter)")
    let days = try await store.days()
    let typed = Set(days.filter { $0[.mood] != nil }.map(\.day.number))
    let waiting = try await store.payloads().map(\.id)
    let symptoms = Set(
      days.flatMap { $0.items.map(\.metric) }.filter(\.isSymptom).map(\.name))
    for line in lines {
      let parts = line.split(separator: " ")
      guard parts.count == 2, let number = Int(parts[1]) else { continue }
      if parts[0] == "typed" { #expect(typed.contains(number), "killed after \(killAfter)") }
      if parts[0] == "queued" {
        let isWaiting = waiting.contains("a-\(number)")
        let isApplied = symptoms.contains("symptom.a_\(number)")
        #expect(isWaiting != isApplied, "\(line), killed after \(killAfter)")
      }
    }
    // Delivered again, applied once: what had been applied is acknowledged and not queued anew.
    for number in 0..<7 {
      let bytes = Array(
        #"{"id":"a-\#(number)","kind":"symptom","at":"2024-01-01T00:00:00Z","name":"a \#(number)","severity":1}"#
          .utf8)
      try await store.enqueue([QueuedPayload(bytes)])
    }
    let drained = try await store.drain(.symptom, now: nil)
    #expect(drained.applied + symptoms.count == 7, "killed after \(killAfter)")
    await store.close()
  }

  @Test func `STO_1: two processes that write at once both succeed`() async throws {
    let folder = try TemporaryFolder()
    let writers = try ["a", "b"].map { name in
      try StoreWriter.start(
        store: folder.store, killAfter: 0, name: name, count: 40, output: folder.path + "/\(name)")
    }
    let store = try LogStore(path: folder.store, patience: 60)
    for number in 0..<40 {
      try await store.type(
        1, .energy, on: CalendarDay(number: number), source: "c",
        now: Instant(seconds: Int64(number)))
    }
    for (writer, name) in zip(writers, ["a", "b"]) {
      #expect(StoreWriter.lines(writer, output: folder.path + "/\(name)").last == "done")
    }
    let entries = try await store.entries()
    #expect(entries.filter { $0.key.metric == .mood }.count == 80)
    #expect(entries.filter { $0.key.metric == .energy }.count == 40)
    let symptoms = entries.filter { $0.key.metric.isSymptom }.count
    #expect(try await store.payloads().count + symptoms == 80)
    #expect(try await store.integrityProblems() == [])
  }
}
