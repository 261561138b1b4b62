/// Why a store could not do what was asked. It carries paths, names and counts, never a value of the
/// log; after any of these the log shows what it showed before the call.
public enum StorageError: Error, Equatable, Sendable {
  /// There is no file at this path.
  case missing(path: String)
  /// The file, or its folder, cannot be opened.
  case cannotOpen(path: String)
  /// The file is no SQLite database, or one of another program.
  case notAStore(path: String)
  /// The file is a store, and its content is broken.
  case damaged(path: String)
  /// A newer version of this program wrote the store.
  case newerSchema(path: String, found: Int, known: Int)
  /// The store has an older schema and cannot be written to, so it cannot be brought up to date.
  case olderSchema(path: String, found: Int, known: Int)
  /// The file, its folder or its medium cannot be written to, or the store was opened to be read.
  case readOnly(path: String)
  /// Earlier writes still wait in the write-ahead log, and the folder cannot be written to.
  case unfinishedLog(path: String)
  /// Another process kept the store to itself for longer than this one waits.
  case busy(path: String)
  /// There is no room left for what was to be written.
  case diskFull(path: String)
  /// The system failed to read or write; `code` is SQLite's extended result code.
  case inputOutput(path: String, code: Int)
  /// Anything else that SQLite reports; `code` is its extended result code.
  case failed(path: String, code: Int)
  /// The store was closed.
  case closed(path: String)
  /// The store sleeps, as the app does.
  case suspended(path: String)
  /// The stored text of a setting is none that the setting can have.
  case unreadableSetting(name: String)
  /// A training that began later has saved its model, or values were forgotten since this one began.
  case outdatedTraining(target: String)
  /// A payload has no id or kind, so it cannot be told from others.
  case unreadablePayload
  /// A copy of the store could not be written to this path.
  case cannotWriteBackup(path: String)
}

extension StorageError: CustomStringConvertible {
  /// One sentence for people: what happened, where, and what to do.
  public var description: String {
    switch self {
    case .missing(let path):
      "There is no log at \(path)."
    case .cannotOpen(let path):
      "\(path) cannot be opened: check that the folder exists and may be entered."
    case .notAStore(let path):
      "\(path) is not a Diurnal log."
    case .damaged(let path):
      "\(path) is damaged: keep a copy of it."
    case .newerSchema(let path, let found, let known):
      "\(path) was written by a newer version (schema \(found), this one knows \(known)): update Diurnal."
    case .olderSchema(let path, let found, let known):
      "\(path) has schema \(found) and has to be brought to \(known): make the file and its folder writable and try again."
    case .readOnly(let path):
      "\(path) cannot be written to: make the file and its folder writable."
    case .unfinishedLog(let path):
      "\(path) has writes waiting in \(path)-wal and its folder cannot be written to: make the folder writable, or copy both files to one that is."
    case .busy(let path):
      "Another process is writing to \(path): try again when it has finished."
    case .diskFull(let path):
      "There is no room left to write to \(path): free some space and try again."
    case .inputOutput(let path, let code):
      "The system failed to read or write \(path) (SQLite code \(code)): check the disk."
    case .failed(let path, let code):
      "SQLite refused a statement on \(path) (code \(code))."
    case .closed(let path):
      "The log at \(path) was closed: open it again."
    case .suspended(let path):
      "The log at \(path) sleeps while the app does: nothing was done; try again when it has woken."
    case .unreadableSetting(let name):
      "The setting \(name) has a value that it cannot have: set it again."
    case .outdatedTraining(let target):
      "What was learned of \(target) is out of date, because values were forgotten or a later training was faster: nothing was saved."
    case .unreadablePayload:
      "A payload has no id or kind that can be read: nothing was stored; hand it over again."
    case .cannotWriteBackup(let path):
      "A copy cannot be written to \(path): there is something else than an earlier copy, or its folder cannot be written to."
    }
  }
}
