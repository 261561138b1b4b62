import DiurnalApple
import Foundation
import Time

/// A journal in a folder of its own, which goes with it.
final class PhoneJournal: Sendable {
  static let now = Instant(milliseconds: 1_714_635_000_000)
  static let today = CalendarDay("2024-05-02")!

  let host: JournalHost
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    host = try JournalHost(path: folder.appending(path: "log.sqlite").path)
  }

  deinit {
    do { try FileManager.default.removeItem(at: folder) } catch {
      // A temporary folder that stays does no harm.
    }
  }
}

/// Waits for something that other threads bring about.
func wait(until isTrue: () async throws -> Bool) async throws {
  while !(try await isTrue()) { try await Task.sleep(for: .milliseconds(1)) }
}
