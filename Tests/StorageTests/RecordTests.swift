import DayLog
import Storage
import TestSupport
import Testing
import Time

@Suite struct `Records, models and nudges` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `records of a space are changed in one step and kept apart from other spaces`()
    async throws
  {
    let store = try LogStore(path: folder.store)
    let count = try await store.updateRecords(in: "tasks") { records in
      records["refresh"] = [1, 2]
      records["retrain"] = []
      return records.count
    }
    #expect(count == 2)
    try await store.updateRecords(in: "tasks") { records in
      records["refresh"] = nil
      records["retrain"]?.append(0)
    }
    #expect(try await store.records(in: "tasks") == ["retrain": [0]])
    #expect(try await store.records(in: "elsewhere") == [:])
  }

  private func model(_ byte: UInt8) -> StoredModel {
    StoredModel(
      target: "mood", schemaVersion: 2, bytes: [1, 0, byte], fingerprint: "x", change: 3,
      madeAt: Instant(seconds: 100))
  }

  @Test func `a training that began earlier does not replace the model of a later one`()
    async throws
  {
    let first = try LogStore(path: folder.store)
    let second = try LogStore(path: folder.store)
    let (early, late) = (try await first.beginTraining(), try await second.beginTraining())
    #expect(early.number < late.number)
    try await first.keep([5], for: "mood", of: early)
    try await second.save([model(255)], of: late)
    #expect(try await first.progress(for: "mood") == nil)
    await #expect(throws: StorageError.outdatedTraining(target: "mood")) {
      try await first.save([model(7)], of: early)
    }
    await #expect(throws: StorageError.outdatedTraining(target: "mood")) {
      try await first.keep([5], for: "mood", of: early)
    }
    #expect(try await first.models() == [model(255)])
    #expect(try await first.model(for: "mood") == model(255))
    // The same training may save once more, and so may a later one.
    try await second.save([model(8)], of: late)
    try await first.save([model(9)], of: try await first.beginTraining())
    #expect(try await second.model(for: "mood") == model(9))
  }

  @Test func `a training that began before something was forgotten saves nothing of it`()
    async throws
  {
    let store = try LogStore(path: folder.store)
    let day = CalendarDay(number: 20_000)
    try await store.merge([Entry(day.number, .mood, .typed, "phone", asOf: 1, 4)])
    let training = try await store.beginTraining()
    try await store.keep([5], for: "mood", of: training)
    try await store.forget(day, now: Instant(seconds: 9))
    #expect(try await store.progress(for: "mood") == nil)
    await #expect(throws: StorageError.outdatedTraining(target: "mood")) {
      try await store.save([model(1)], of: training)
    }
    await #expect(throws: StorageError.outdatedTraining(target: "mood")) {
      try await store.keep([5], for: "mood", of: training)
    }
    #expect(try await store.models() == [])
    try await store.save([model(2)], of: try await store.beginTraining())
    #expect(try await store.models() == [model(2)])
  }

  @Test func `a nudge is noted once`() async throws {
    let store = try LogStore(path: folder.store)
    let nudge = NudgeRecord(
      id: "mood-1", day: CalendarDay(number: 1), sentAt: Instant(seconds: 9), text: "Rest")
    #expect(try await store.note(nudge))
    #expect(try await !store.note(nudge))
    #expect(try await store.nudges() == [nudge])
  }
}

@Suite struct `The model that CloudKit syncs` {
  @Test func `STO_6: keeps every rule`() {
    #expect(SyncedModel.log.breaches() == [])
  }

  @Test func `STO_6: is found to break each rule that is broken, by name`() {
    func breaches(_ change: (inout SyncedModel) -> Void) -> [SyncedModel.Breach] {
      var model = SyncedModel.log
      change(&model)
      return model.breaches()
    }
    #expect(
      breaches { $0.entities[0].attributes[1].hasDefault = false }
        == [.requiredAttribute(entity: "Day", attribute: "number")])
    #expect(
      breaches { $0.entities[0].attributes[1].isUnique = true }
        == [.uniqueAttribute(entity: "Day", attribute: "number")])
    #expect(
      breaches { $0.entities[1].uniqueness = [["metric", "source"]] }
        == [.uniqueness(entity: "Entry", attributes: ["metric", "source"])])
    for type in [SyncedModel.AttributeType.undefined, .objectID] {
      #expect(
        breaches { $0.entities[3].attributes[2].type = type }
          == [.unsupportedType(entity: "Payload", attribute: "bytes")])
    }
    #expect(
      breaches { $0.entities[1].relationships[0].isOptional = false }
        == [.requiredRelationship(entity: "Entry", relationship: "day")])
    #expect(
      breaches { $0.entities[0].relationships[0].isOrdered = true }
        == [.orderedRelationship(entity: "Day", relationship: "entries")])
    #expect(
      breaches { $0.entities[0].relationships[0].deleteRule = .deny }
        == [.denyRule(entity: "Day", relationship: "entries")])
    #expect(
      breaches { $0.entities[1].relationships[0].inverse = nil }.contains(
        .missingInverse(entity: "Entry", relationship: "day")))
    #expect(
      breaches { $0.entities[1].relationships[0].destination = "Week" }.contains(
        .unknownDestination(entity: "Entry", relationship: "day")))
  }
}
