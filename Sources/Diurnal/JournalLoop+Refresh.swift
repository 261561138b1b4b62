internal import DayLog
internal import HealthImport
internal import Scheduling
public import Storage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension JournalLoop {
  /// Imports what is new in the folders of `refresh.sources`: gaps are filled, what was typed stays.
  static func refreshing(
    _ journal: Journal, zone: Zone, now: Instant, _ context: TaskContext
  ) async throws(TaskFailure) -> String {
    do {
      let folders = try await journal.store.value(of: .refreshSources)
      guard !folders.isEmpty else { return "no folders in the setting refresh.sources" }
      var (read, known, changed) = (0, 0, 0)
      var refusal: (count: Int, first: ImportError)?
      for folder in folders {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        where !name.hasPrefix(".") {
          try context.budget.check()
          let options = ImportOptions(
            now: now, zone: nil, zoneNamed: SystemZones.offsets(named:), localZone: zone,
            progress: { _, _ in context.budget.exhaustion() == nil })
          // A file that cannot be read takes nothing from its neighbours.
          do {
            let file = try await journal.importFile(folder + "/" + name, options: options)
            if let merged = file.merged {
              read += 1
              changed += merged.changedDays.count
            } else {
              known += 1
            }
          } catch let error as ImportError {
            try context.budget.check()
            refusal = ((refusal?.count ?? 0) + 1, refusal?.first ?? error)
          }
        }
      }
      let done =
        "\(read) new file\(read == 1 ? "" : "s"), \(changed) day\(changed == 1 ? "" : "s") changed; "
        + "\(known) known already"
      return refusal.map { "\(done); \($0.count) not read, the first: \($0.first)" } ?? done
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
