import DayLog
import Storage
import TestSupport
import Testing

@Suite struct `Records, leases, models and nudges` {
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

  @Test func `only one owner at a time holds a lease, and who lost it saves nothing`() async throws
  {
    let first = try LogStore(path: folder.store)
    let second = try LogStore(path: folder.store)
    let now = Instant(seconds: 100)
    let lease = try #require(
      try await first.acquireLease("retrain", owner: "a", now: now, seconds: 60))
    #expect(try await second.acquireLease("retrain", owner: "b", now: now, seconds: 60) == nil)
    #expect(try await first.acquireLease("retrain", owner: "a", now: now, seconds: 90) != nil)
    #expect(try await second.lease("retrain")?.owner == "a")
    let late = Instant(seconds: 190)
    let taken = try #require(
      try await second.acquireLease("retrain", owner: "b", now: late, seconds: 60))
    let model = StoredModel(
      target: "mood", schemaVersion: 2, bytes: [1, 0, 255], fingerprint: "x", change: 3, madeAt: now
    )
    await #expect(throws: StorageError.leaseLost(name: "retrain")) {
      try await first.save([model], under: lease)
    }
    try await first.release(lease)
    try await second.save([model], under: taken)
    #expect(try await first.models() == [model])
    #expect(try await first.model(for: "mood") == model)
    try await second.release(taken)
    #expect(try await first.lease("retrain") == nil)
    try await first.removeModels(for: ["mood"])
    #expect(try await second.model(for: "mood") == nil)
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
