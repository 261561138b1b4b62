#if canImport(CloudKit)
  public import CloudKit
  internal import DayLog
  internal import Diurnal
  internal import Foundation
  internal import Storage
  internal import Synchronization
  public import Time

  /// Carries what a person typed between their devices, through their private iCloud database: sync documents, a month each,
  /// encrypted by the system. Imported values stay on the device.
  ///
  /// A record is never written twice: its name holds a sum of its content, and when a month changes a new record takes the
  /// place of the old. So no two devices compete for one, and merging (``LogStore/merge(_:now:forgetting:)``) is what settles
  /// everything, in any order and any number of times.
  ///
  /// Source: Apple's reference of `CKSyncEngine`: nothing is sent or fetched within `handleEvent`.
  public final class CloudSync: CKSyncEngineDelegate {
    /// What went wrong within an event, in words that hold no value.
    public typealias Report = @Sendable (_ problem: String) -> Void

    static let zone = CKRecordZone.ID(zoneName: "Diurnal")
    static let recordType = "SyncDocument"
    static let field = "document"
    private static let space = "cloud"
    private static let stateRecord = "state"
    private static let sentRecord = "sent"

    private let host: JournalHost
    private let device: String
    private let database: CKDatabase
    private let now: @Sendable () -> Instant
    private let report: Report
    private let engine = Mutex<CKSyncEngine?>(nil)

    /// The sync of a journal.
    ///
    /// - Parameters:
    ///   - device: a name of this device that never changes, of letters, digits and `-`; it is in the names of records.
    ///   - database: the person's private database.
    ///   - now: this device's clock: what another dated more than a day after it is passed over.
    ///   - report: told what went wrong, such as a document that asks to forget much of the log.
    public init(
      _ host: JournalHost, device: String, database: CKDatabase,
      now: @escaping @Sendable () -> Instant, report: @escaping Report
    ) {
      self.host = host
      self.device = device
      self.database = database
      self.now = now
      self.report = report
    }

    /// Begins to sync: while the app launches, once. The system decides when it sends and fetches.
    ///
    /// - Throws: `StorageError`, or what the state of an earlier launch throws where it cannot be read.
    public func start() async throws {
      let state = try await host.whileOpen {
        try await $0.store.records(in: Self.space)[Self.stateRecord]
      }
      let serialization = try state.map {
        try JSONDecoder().decode(CKSyncEngine.State.Serialization.self, from: Data($0))
      }
      let engine = CKSyncEngine(
        CKSyncEngine.Configuration(
          database: database, stateSerialization: serialization, delegate: self))
      engine.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: Self.zone))])
      self.engine.withLock { $0 = engine }
      try await noteChanges()
    }

    /// Has what changed since the last call sent when the system finds it right: after typing, and after a sync.
    ///
    /// - Throws: `StorageError`.
    public func noteChanges() async throws {
      guard let engine = engine.withLock({ $0 }) else { return }
      let (new, old) = try await host.whileOpen { journal in
        let names = Set(try await self.documents(of: journal).keys)
        let sent = Self.sent(try await journal.store.records(in: Self.space))
        return (names.subtracting(sent), sent.subtracting(names))
      }
      engine.state.add(
        pendingRecordZoneChanges: new.sorted().map { .saveRecord(Self.id($0)) }
          + old.sorted().map { .deleteRecord(Self.id($0)) })
    }

    /// Fetches and sends at once, as when the person asks for it.
    ///
    /// - Throws: what the system throws, such as for a missing network; the rest is sent later by itself.
    public func syncNow() async throws {
      guard let engine = engine.withLock({ $0 }) else { return }
      try await engine.fetchChanges()
      try await engine.sendChanges()
    }

    public func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
      do {
        switch event {
        case .stateUpdate(let update):
          let bytes = [UInt8](try JSONEncoder().encode(update.stateSerialization))
          try await host.whileOpen {
            try await $0.store.updateRecords(in: Self.space) { $0[Self.stateRecord] = bytes }
          }
        case .fetchedRecordZoneChanges(let changes):
          for change in changes.modifications where change.record.recordType == Self.recordType {
            let data: Data? = change.record.encryptedValues[Self.field]
            guard let data else { continue }
            let document = try SyncDocument([UInt8](data))
            try await host.whileOpen { [now] in
              _ = try await $0.store.merge(document, now: now())
            }
          }
          // What this device has not told yet is sent later, and never from here.
          try await noteChanges()
        case .sentRecordZoneChanges(let changes):
          // One that is there already is there with this content: its name says so.
          let known = changes.failedRecordSaves.filter { $0.error.code == .serverRecordChanged }
            .map(\.record)
          let saved = Set((changes.savedRecords + known).map(\.recordID.recordName))
          let deleted = Set(changes.deletedRecordIDs.map(\.recordName))
          try await host.whileOpen {
            try await $0.store.updateRecords(in: Self.space) { records in
              let sent = Self.sent(records).union(saved).subtracting(deleted)
              records[Self.sentRecord] = Array(sent.sorted().joined(separator: "\n").utf8)
            }
          }
        default: break
        }
      } catch {
        report("\(error)")
      }
    }

    public func nextRecordZoneChangeBatch(
      _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? {
      let documents: [String: [UInt8]]
      do {
        documents = try await host.whileOpen { try await self.documents(of: $0) }
      } catch {
        report("\(error)")
        return nil
      }
      return await CKSyncEngine.RecordZoneChangeBatch(
        pendingChanges: syncEngine.state.pendingRecordZoneChanges
      ) { id in
        // Nil where the month has changed meanwhile: then its newer record waits too.
        guard let bytes = documents[id.recordName] else { return nil }
        let record = CKRecord(recordType: Self.recordType, recordID: id)
        record.encryptedValues[Self.field] = Data(bytes)
        return record
      }
    }

    /// The names of the records that the server is known to have of this device.
    private static func sent(_ records: [String: [UInt8]]) -> Set<String> {
      Set(
        String(decoding: records[sentRecord] ?? [], as: UTF8.self).split(separator: "\n")
          .map(String.init))
    }

    private static func id(_ name: String) -> CKRecord.ID {
      CKRecord.ID(recordName: name, zoneID: zone)
    }

    /// The months of the journal by the names of their records, and what was forgotten or waits in one more.
    private func documents(of journal: Journal) async throws -> [String: [UInt8]] {
      let whole = try await journal.store.syncDocument()
      var parts: [String: SyncDocument] = [:]
      for entry in whole.entries {
        parts["\(entry.key.day)".dropLast(3).description, default: SyncDocument()].entries
          .append(entry)
      }
      if !whole.marks.isEmpty || !whole.payloads.isEmpty {
        parts["rest"] = SyncDocument(marks: whole.marks, payloads: whole.payloads)
      }
      var documents: [String: [UInt8]] = [:]
      for (part, document) in parts {
        let bytes = document.bytes
        documents["\(device)-\(part)-\(Self.sum(of: bytes))"] = bytes
      }
      return documents
    }

    /// FNV-1a of 64 bits: tells versions of one month apart.
    private static func sum(of bytes: [UInt8]) -> String {
      var sum: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
      return String(sum, radix: 16)
    }
  }
#endif
