// Stands in for Apple's CloudKit where there is none: records, and the sync engine over a made-up server that keeps its
// rules. No product reaches it.

public import Foundation
internal import Synchronization

public final class CKRecordZone: Sendable {
  public struct ID: Hashable, Sendable {
    public let zoneName: String
    public init(zoneName: String) { self.zoneName = zoneName }
  }

  public let zoneID: ID
  public init(zoneID: ID) { self.zoneID = zoneID }
}

/// As Apple's: not declared to be `Sendable`. Values are property-list values of some kinds, here data.
public final class CKRecord {
  public struct ID: Hashable, Sendable {
    public let recordName: String
    public let zoneID: CKRecordZone.ID
    public init(recordName: String, zoneID: CKRecordZone.ID) {
      (self.recordName, self.zoneID) = (recordName, zoneID)
    }
  }

  /// What the server keeps encrypted.
  public struct EncryptedValues {
    fileprivate var data: [String: Data] = [:]
    public subscript(key: String) -> Data? {
      get { data[key] }
      set { data[key] = newValue }
    }
  }

  public let recordType: String
  public let recordID: ID
  public var encryptedValues = EncryptedValues()

  public init(recordType: String, recordID: ID) {
    (self.recordType, self.recordID) = (recordType, recordID)
  }
}

public final class CKDatabase: Sendable {
  fileprivate let server: Server
  /// Only in the stand-in.
  public init(_ server: Server) { self.server = server }

  /// Only in the stand-in: the zone of one person, as all devices see it.
  public final class Server: Sendable {
    fileprivate struct State {
      var records: [CKRecord.ID: [String: Data]] = [:]
      var order: [CKRecord.ID] = []
      var zones: Set<CKRecordZone.ID> = []
      var isReachable = true
    }

    fileprivate let state = Mutex(State())
    public init() {}
    public func setReachable(_ isReachable: Bool) {
      state.withLock { $0.isReachable = isReachable }
    }
    /// What is kept, by the name of its record.
    public var documents: [String: [String: Data]] {
      state.withLock { state in
        Dictionary(uniqueKeysWithValues: state.records.map { ($0.key.recordName, $0.value) })
      }
    }
  }
}

public struct CKError: Error {
  public enum Code: Int, Sendable {
    case networkUnavailable = 3
    case serverRecordChanged = 14
    case zoneNotFound = 26
  }
  public let code: Code
}

public protocol CKSyncEngineDelegate: AnyObject, Sendable {
  func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async
  func nextRecordZoneChangeBatch(
    _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.RecordZoneChangeBatch?
}

/// Sends and fetches when it finds it right, here when told. To do either within `handleEvent` never ends.
public final class CKSyncEngine: Sendable {
  public struct Configuration: Sendable {
    fileprivate let database: CKDatabase
    fileprivate let serialization: State.Serialization?
    fileprivate let delegate: any CKSyncEngineDelegate

    public init(
      database: CKDatabase, stateSerialization: State.Serialization?,
      delegate: any CKSyncEngineDelegate
    ) {
      (self.database, serialization, self.delegate) = (database, stateSerialization, delegate)
    }
  }

  public enum PendingRecordZoneChange: Hashable, Sendable {
    case saveRecord(CKRecord.ID)
    case deleteRecord(CKRecord.ID)
  }

  public enum PendingDatabaseChange: Sendable {
    case saveZone(CKRecordZone)
    case deleteZone(CKRecordZone.ID)
  }

  /// What has been fetched and what is to be sent; the app keeps it between launches.
  public final class State: Sendable {
    public struct Serialization: Codable, Sendable {
      fileprivate var fetched = 0
    }

    fileprivate struct Held {
      var serialization = Serialization()
      var pending: [PendingRecordZoneChange] = []
      var zones: [CKRecordZone.ID] = []
    }

    fileprivate let held = Mutex(Held())

    public func add(pendingRecordZoneChanges changes: [PendingRecordZoneChange]) {
      held.withLock { held in
        for change in changes where !held.pending.contains(change) { held.pending.append(change) }
      }
    }

    public func add(pendingDatabaseChanges changes: [PendingDatabaseChange]) {
      held.withLock { held in
        for case .saveZone(let zone) in changes { held.zones.append(zone.zoneID) }
      }
    }

    public var pendingRecordZoneChanges: [PendingRecordZoneChange] {
      held.withLock { $0.pending }
    }
  }

  public struct SendChangesContext: Sendable {}

  public struct RecordZoneChangeBatch {
    fileprivate let records: [CKRecord]
    fileprivate let deletions: [CKRecord.ID]

    /// Asks for each record that is to be saved; one that is not there is left out.
    public init?(
      pendingChanges: [PendingRecordZoneChange],
      recordProvider: (CKRecord.ID) async -> CKRecord?
    ) async {
      var records: [CKRecord] = []
      for case .saveRecord(let id) in pendingChanges {
        if let record = await recordProvider(id) { records.append(record) }
      }
      self.records = records
      deletions = pendingChanges.compactMap {
        if case .deleteRecord(let id) = $0 { id } else { nil }
      }
    }
  }

  public enum Event {
    public struct StateUpdate { public let stateSerialization: State.Serialization }
    public struct FetchedRecordZoneChanges {
      public struct Modification { public let record: CKRecord }
      public let modifications: [Modification]
    }
    public struct SentRecordZoneChanges {
      public struct FailedRecordSave {
        public let record: CKRecord
        public let error: CKError
      }
      public let savedRecords: [CKRecord]
      public let failedRecordSaves: [FailedRecordSave]
      public let deletedRecordIDs: [CKRecord.ID]
    }
    case stateUpdate(StateUpdate)
    case sentRecordZoneChanges(SentRecordZoneChanges)
    case fetchedRecordZoneChanges(FetchedRecordZoneChanges)
    case willSendChanges
  }

  public let state = State()
  private let configuration: Configuration

  public init(_ configuration: Configuration) {
    self.configuration = configuration
    if let serialization = configuration.serialization {
      state.held.withLock { $0.serialization = serialization }
    }
  }

  public func sendChanges() async throws {
    let server = configuration.database.server
    let pending = state.pendingRecordZoneChanges
    guard !pending.isEmpty else { return }
    guard server.state.withLock({ $0.isReachable }) else {
      throw CKError(code: .networkUnavailable)
    }
    let zones = state.held.withLock { $0.zones }
    server.state.withLock { $0.zones.formUnion(zones) }
    guard
      let batch = await configuration.delegate.nextRecordZoneChangeBatch(
        SendChangesContext(), syncEngine: self)
    else { return }
    var saved: [CKRecord] = []
    var failed: [Event.SentRecordZoneChanges.FailedRecordSave] = []
    for record in batch.records {
      let (id, data) = (record.recordID, record.encryptedValues.data)
      let problem: CKError.Code? = server.state.withLock { state in
        guard state.zones.contains(id.zoneID) else { return .zoneNotFound }
        // A record that was made anew lacks the tag of the one that the server has.
        guard state.records[id] == nil else { return .serverRecordChanged }
        state.records[id] = data
        state.order.append(id)
        return nil
      }
      if let problem {
        failed.append(.init(record: record, error: CKError(code: problem)))
      } else {
        saved.append(record)
      }
    }
    server.state.withLock { state in
      for id in batch.deletions { state.records[id] = nil }
    }
    await configuration.delegate.handleEvent(
      .sentRecordZoneChanges(
        .init(
          savedRecords: saved, failedRecordSaves: failed, deletedRecordIDs: batch.deletions)),
      syncEngine: self)
    state.held.withLock { held in held.pending.removeAll { pending.contains($0) } }
    await tellState()
  }

  public func fetchChanges() async throws {
    let server = configuration.database.server
    guard server.state.withLock({ $0.isReachable }) else {
      throw CKError(code: .networkUnavailable)
    }
    let from = state.held.withLock { $0.serialization.fetched }
    let (found, end) = server.state.withLock { server in
      let ids = Set(server.order[from...])
      return (
        ids.compactMap { id in server.records[id].map { (id, $0) } }, server.order.count
      )
    }
    let modifications = found.map { id, data in
      let record = CKRecord(recordType: "SyncDocument", recordID: id)
      record.encryptedValues.data = data
      return Event.FetchedRecordZoneChanges.Modification(record: record)
    }
    if !modifications.isEmpty {
      await configuration.delegate.handleEvent(
        .fetchedRecordZoneChanges(.init(modifications: modifications)), syncEngine: self)
    }
    state.held.withLock { $0.serialization.fetched = end }
    await tellState()
  }

  private func tellState() async {
    let serialization = state.held.withLock { $0.serialization }
    await configuration.delegate.handleEvent(
      .stateUpdate(.init(stateSerialization: serialization)), syncEngine: self)
  }
}
