internal import DayLog
internal import HealthImport
internal import Scheduling
public import Storage
import Time

extension JournalLoop {
  /// Imports what is new in the folders of `refresh.sources` and below them: gaps are filled, what was typed
  /// stays, and so does what the person imported of the same file with options of their own.
  ///
  /// A file or a folder that cannot be read takes nothing from the others; a folder fails the run at its end, for
  /// it is named by the person and may be back soon. One whose reading does not end in the time of a run is tried last
  /// in the next.
  static func refreshing(
    _ journal: Journal, zone: Zone, now: Instant, _ context: TaskContext
  ) async throws(TaskFailure) -> String {
    let unfinished = UnfinishedFiles(journal.store)
    let current = CurrentPath()
    do {
      let folders = try await journal.store.value(of: .refreshSources)
      guard !folders.isEmpty else { return "no folders in the setting refresh.sources" }
      let late = Set(try await unfinished.paths())
      return try await withTaskCancellationHandler {
        var reading = FolderReading(
          journal: journal, zone: zone, now: now, context: context, current: current)
        try await reading.read(folders.filter { !late.contains($0) }, late: late)
        try await reading.read(folders.filter { late.contains($0) }, late: [])
        try await reading.read(files: reading.postponed)
        // What is not there any more is nothing to be tried.
        if !late.isEmpty { try await unfinished.remove(late) }
        return try reading.outcome()
      } onCancel: {
        // Work that never yields does not come to keep this itself.
        guard let path = current.value else { return }
        Task {
          do { try await unfinished.insert(path) } catch {
            // The store is not to be had: the next run finds out by itself.
          }
        }
      }
    } catch let failure as TaskFailure {
      throw failure
    } catch {
      try context.budget.check()
      throw .failed(reason: "\(error)")
    }
  }
}

/// What one refresh has read so far.
private struct FolderReading {
  let journal: Journal
  let zone: Zone
  let now: Instant
  let context: TaskContext
  let current: CurrentPath
  /// The files that were not read to their end the last time.
  private(set) var postponed: [String] = []
  private var counts = (read: 0, known: 0)
  private var refusal: (count: Int, first: ImportError)?
  private var missing: ImportError?

  init(
    journal: Journal, zone: Zone, now: Instant, context: TaskContext, current: CurrentPath
  ) {
    self.journal = journal
    self.zone = zone
    self.now = now
    self.context = context
    self.current = current
  }

  /// Reads the files of these folders but those that are to be tried last.
  mutating func read(_ folders: [String], late: Set<String>) async throws {
    var files: [String] = []
    for folder in folders {
      current.set(folder)
      do {
        files += try ExportFolder.files(in: folder)
      } catch {
        missing = missing ?? error
      }
    }
    // The smallest first: one that takes longer than a run may keeps no other from being read.
    files = ExportFolder.bySize(files)
    current.set(nil)
    postponed += files.filter { late.contains($0) }
    try await read(files: files.filter { !late.contains($0) })
  }

  /// Reads these files.
  mutating func read(files: [String]) async throws {
    for file in files {
      try context.budget.check()
      current.set(file)
      defer { current.set(nil) }
      let options = ImportOptions(
        now: now, zone: nil, zoneNamed: SystemZones.offsets(named:), localZone: zone,
        progress: { [budget = context.budget] _, _ in budget.exhaustion() == nil })
      do {
        let done = try await journal.importFile(file, options: options, keepsOtherReading: true)
        if done.merged != nil { counts.read += 1 } else { counts.known += 1 }
      } catch let error as ImportError {
        try context.budget.check()
        refusal = ((refusal?.count ?? 0) + 1, refusal?.first ?? error.inFolder(of: file))
      }
    }
  }

  /// What was done, in words.
  ///
  /// - Throws: ``TaskFailure/failed(reason:)`` where a folder could not be read.
  func outcome() throws(TaskFailure) -> String {
    let (read, known) = counts
    var done =
      "\(counted(read, "new file")); \(known) known already"
    if let refusal { done += "; \(refusal.count) not read, the first: \(refusal.first)" }
    if let missing {
      throw .failed(
        reason: "a folder of the setting refresh.sources could not be read (\(missing)); \(done)")
    }
    return done
  }
}

extension Setting where Value == [String] {
  /// The folders whose files the health refresh reads.
  public static var refreshSources: Setting { Setting("refresh.sources", standard: []) }
}
