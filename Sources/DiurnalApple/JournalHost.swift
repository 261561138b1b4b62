public import Diurnal
internal import Foundation
public import Storage
internal import Synchronization

/// A journal in an app that the system puts to sleep: its file is open while the app is in front or something runs, and
/// closed otherwise.
///
/// iOS ends an app that it suspends with a locked file in a shared folder (`0xdead10cc`). Call ``enterForeground()``
/// and ``enterBackground()`` when the phase of the scene changes; the adapters of this module keep the file open around
/// their own work.
public final class JournalHost: Sendable {
  /// The journal.
  public let journal: Journal
  private let isInFront = Mutex(true)

  /// Opens the journal at `path`, readable in the background as soon as the phone was unlocked once after it started.
  ///
  /// The file counts as in use by the launch until ``enterBackground()``.
  ///
  /// - Throws: `StorageError`, as opening a journal does.
  public init(path: String) throws(StorageError) {
    journal = try Journal(path: path)
    #if os(iOS)
      for file in [path, path + "-wal", path + "-shm"] {
        // What cannot be set stays as the system has it, which is the same.
        try? FileManager.default.setAttributes(
          [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
          ofItemAtPath: file)
      }
    #endif
  }

  /// Opens the file where it sleeps; any number of calls count as one.
  ///
  /// - Throws: `StorageError`; the journal sleeps on then.
  public func enterForeground() async throws(StorageError) {
    let changes = isInFront.withLock { state in
      defer { state = true }
      return !state
    }
    guard changes else { return }
    do throws(StorageError) {
      try await journal.store.resume()
    } catch {
      isInFront.withLock { $0 = false }
      throw error
    }
  }

  /// Closes the file, unless something still runs: then that closes it at its end. Any number of calls count as one.
  public func enterBackground() async {
    let changes = isInFront.withLock { state in
      defer { state = false }
      return state
    }
    if changes { await journal.store.suspend() }
  }

  /// Does something with the file open, in front or in the background.
  ///
  /// - Throws: what `body` throws, or `StorageError` where the file cannot be opened.
  public func whileOpen<Result: Sendable>(
    _ body: @Sendable (Journal) async throws -> Result
  ) async throws -> Result {
    try await journal.store.resume()
    do {
      let result = try await body(journal)
      await journal.store.suspend()
      return result
    } catch {
      await journal.store.suspend()
      throw error
    }
  }
}
