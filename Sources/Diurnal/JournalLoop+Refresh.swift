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
  /// it is named by the person and may be back soon.
  static func refreshing(
    _ journal: Journal, zone: Zone, now: Instant, _ context: TaskContext
  ) async throws(TaskFailure) -> String {
    do {
      let folders = try await journal.store.value(of: .refreshSources)
      guard !folders.isEmpty else { return "no folders in the setting refresh.sources" }
      var (read, known, changed) = (0, 0, 0)
      var refusal: (count: Int, first: ImportError)?
      var missing: ImportError?
      var files: [String] = []
      for folder in folders {
        do {
          files += try ExportFolder.files(in: folder)
        } catch {
          missing = missing ?? error
        }
      }
      // The smallest first: one that takes longer than a run may keeps no other from being read.
      for file in ExportFolder.bySize(files) {
        try context.budget.check()
        let options = ImportOptions(
          now: now, zone: nil, zoneNamed: SystemZones.offsets(named:), localZone: zone,
          progress: { _, _ in context.budget.exhaustion() == nil })
        do {
          let done = try await journal.importFile(
            file, options: options, keepsOtherReading: true)
          if let merged = done.merged {
            read += 1
            changed += merged.changedDays.count
          } else {
            known += 1
          }
        } catch let error as ImportError {
          try context.budget.check()
          refusal = ((refusal?.count ?? 0) + 1, refusal?.first ?? error.inFolder(of: file))
        }
      }
      var done =
        "\(read) new file\(read == 1 ? "" : "s"), \(changed) day\(changed == 1 ? "" : "s") changed; "
        + "\(known) known already"
      if let refusal { done += "; \(refusal.count) not read, the first: \(refusal.first)" }
      if let missing {
        throw TaskFailure.failed(
          reason: "a folder of the setting refresh.sources could not be read (\(missing)); \(done)")
      }
      return done
    } catch let failure as TaskFailure {
      throw failure
    } catch {
      try context.budget.check()
      throw .failed(reason: "\(error)")
    }
  }
}

extension Setting where Value == [String] {
  /// The folders whose files the health refresh reads.
  public static var refreshSources: Setting { Setting("refresh.sources", standard: []) }
}
