public import Storage

extension Journal {
  /// Writes a complete copy of the log to `path`, while others read and write it: for its owner alone, down to the
  /// disk, and as a whole or not at all. An earlier backup is replaced, and nothing else is.
  ///
  /// To go back to a backup, open it as a log: from its first change on it is one, which no backup replaces.
  ///
  /// - Throws: `damaged` where the log is not sound, `cannotWriteBackup`, `diskFull`, `busy`. What
  ///   was at `path` is as before.
  public func backUp(to path: String) async throws(StorageError) {
    do {
      try await backUp(to: OutputFile(path, .backup, inputs: [store.path]))
    } catch let error as StorageError {
      throw error
    } catch {
      throw .cannotWriteBackup(path: path)
    }
  }

  /// Does what ``backUp(to:)`` does, and says why a file is not written.
  ///
  /// - Throws: also `OutputFile.Refusal`.
  package func backUp(to file: OutputFile) async throws {
    guard try await store.integrityProblems().isEmpty else {
      throw StorageError.damaged(path: store.path)
    }
    do {
      try await file.write { path in try await store.copy(into: path) }
    } catch StorageError.diskFull {
      throw StorageError.diskFull(path: file.path)
    } catch StorageError.cannotWriteBackup {
      throw StorageError.cannotWriteBackup(path: file.path)
    }
  }
}

extension OutputFile.Kind {
  /// A copy of a log that nobody has written to since.
  package static let backup = OutputFile.Kind("a backup", application: "DrnB")
}
