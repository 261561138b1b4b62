internal import DayLog
internal import Time

/// The tables of a store and how a store of any earlier version comes to have them.
enum Schema {
  /// "Drnl": tells a store from any other SQLite database.
  static let applicationID: Int64 = 0x4472_6E6C
  /// "DrnB": a backup that was not opened for writing since. Then it becomes a log.
  static let backupID: Int64 = 0x4472_6E42

  /// One step: it has a name, never changes once released, and new ones are put at the end.
  struct Migration: Sendable {
    let name: String
    let sql: String
  }

  /// How many steps there are: the `user_version` of a store that has taken all of them.
  static var version: Int { migrations.count }

  /// From which version on rows are sealed.
  static let firstSealedVersion = 9

  static let migrations: [Migration] = [
    // A day is a day number. Names are kept once, so that a row of the log is a few small integers
    // and its value; without a row number the key is the table, in the order in which days are read.
    Migration(
      name: "entries",
      sql: """
        CREATE TABLE metric (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
        CREATE TABLE source (
          id INTEGER PRIMARY KEY,
          origin INTEGER NOT NULL CHECK (origin IN (0, 1)),  -- 0 typed, 1 imported
          name TEXT NOT NULL,
          UNIQUE (origin, name)) STRICT;
        CREATE TABLE imported_file (
          id INTEGER PRIMARY KEY,
          hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 16),
          name TEXT NOT NULL,
          imported_at INTEGER NOT NULL,
          day_start INTEGER,  -- seconds after midnight; null where its days do not depend on it
          reading TEXT NOT NULL) STRICT;
        CREATE TABLE entry (
          day INTEGER NOT NULL,
          metric INTEGER NOT NULL REFERENCES metric,
          source INTEGER NOT NULL REFERENCES source,
          as_of INTEGER NOT NULL,
          value REAL,  -- null: a tombstone
          file INTEGER REFERENCES imported_file,
          PRIMARY KEY (day, metric, source)) STRICT, WITHOUT ROWID;
        CREATE TABLE forgotten (
          day INTEGER NOT NULL,
          metric TEXT NOT NULL,  -- empty: the whole day
          as_of INTEGER NOT NULL,
          PRIMARY KEY (day, metric)) STRICT, WITHOUT ROWID;
        """),
    // `change` is the number of the last write that changed what a day shows.
    Migration(
      name: "changes",
      sql: """
        CREATE TABLE change_counter (
          id INTEGER PRIMARY KEY CHECK (id = 0), value INTEGER NOT NULL) STRICT;
        INSERT INTO change_counter VALUES (0, 0);
        CREATE TABLE day_change (day INTEGER PRIMARY KEY, change INTEGER NOT NULL) STRICT;
        CREATE INDEX day_change_by_change ON day_change (change);
        """),
    Migration(
      name: "payload queue",
      sql: """
        CREATE TABLE payload (
          arrival INTEGER PRIMARY KEY AUTOINCREMENT,
          id TEXT NOT NULL UNIQUE,
          kind TEXT NOT NULL,
          bytes BLOB NOT NULL) STRICT;
        CREATE TABLE applied_payload (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
        """),
    Migration(
      name: "settings, models and tasks",
      sql: """
        CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE model (
          target TEXT PRIMARY KEY,
          schema INTEGER NOT NULL,
          fingerprint TEXT NOT NULL,
          change INTEGER NOT NULL,
          made_at INTEGER NOT NULL,
          bytes BLOB NOT NULL) STRICT;
        CREATE TABLE record (
          space TEXT NOT NULL,
          id TEXT NOT NULL,
          bytes BLOB NOT NULL,
          PRIMARY KEY (space, id)) STRICT, WITHOUT ROWID;
        CREATE TABLE lease (
          name TEXT PRIMARY KEY, owner TEXT NOT NULL, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE nudge (
          id TEXT PRIMARY KEY,
          day INTEGER NOT NULL,
          sent_at INTEGER NOT NULL,
          text TEXT NOT NULL) STRICT, WITHOUT ROWID;
        """),
    // `last` is the number of the training that began last; one below `least` began before something was
    // forgotten. Leases are gone: a number tells a late training from one that counts, whatever the clock.
    Migration(
      name: "trainings",
      sql: """
        CREATE TABLE training_counter (
          id INTEGER PRIMARY KEY CHECK (id = 0), last INTEGER NOT NULL, least INTEGER NOT NULL) STRICT;
        INSERT INTO training_counter VALUES (0, 0, 0);
        ALTER TABLE model ADD COLUMN training INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE training_progress (
          target TEXT PRIMARY KEY, training INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT, WITHOUT ROWID;
        DELETE FROM record WHERE space = 'training';
        DROP TABLE lease;
        """),
    // By its length a file can be told from most others before a byte of it is read.
    Migration(
      name: "length of imported files",
      sql: "ALTER TABLE imported_file ADD COLUMN byte_count INTEGER;"),
    // What is to be predicted is the person's own and outlives every model made of it. `retraining` is 1 from
    // when a model is removed, or asked for, until a training has brought it or found that there can be none.
    // Erasures count the removals whose traces may stand in the write-ahead log, and those of which none does.
    Migration(
      name: "wanted targets",
      sql: """
        CREATE TABLE wanted_target (
          name TEXT PRIMARY KEY,  -- as that of its model
          metric TEXT NOT NULL,
          asked INTEGER NOT NULL CHECK (asked IN (0, 1)),  -- 1: named by the person; 0: found in the log
          retraining INTEGER NOT NULL CHECK (retraining IN (0, 1))) STRICT, WITHOUT ROWID;
        INSERT INTO wanted_target (name, metric, asked, retraining)
          SELECT target,
            substr(target, 1,
              length(target) - length(ltrim(target, 'abcdefghijklmnopqrstuvwxyz0123456789_.'))),
            ltrim(target, 'abcdefghijklmnopqrstuvwxyz0123456789_.') <> '', 0
          FROM model;
        CREATE TABLE erasure (
          id INTEGER PRIMARY KEY CHECK (id = 0), begun INTEGER NOT NULL, finished INTEGER NOT NULL) STRICT;
        INSERT INTO erasure VALUES (0, 0, 0);
        """),
    // What a file said of a day, in the words of its reader, in order of series: a later file completes the day.
    Migration(
      name: "parts of days",
      sql: """
        CREATE TABLE part (
          metric INTEGER NOT NULL REFERENCES metric,
          source INTEGER NOT NULL REFERENCES source,
          day INTEGER NOT NULL,
          file INTEGER NOT NULL REFERENCES imported_file,
          bytes BLOB NOT NULL,
          PRIMARY KEY (metric, source, day, file)) STRICT, WITHOUT ROWID;
        """),
    // Each row of what the person put in, and of what was made of it, carries a seal. A later table brings its
    // own. Moments that no sync file can carry were counted up to by an earlier version.
    Migration(
      name: "seals",
      sql: ["entry", "forgotten"].map { table in
        """
        UPDATE \(table) SET as_of = \(Instant.lastWritten.milliseconds)
        WHERE as_of > \(Instant.lastWritten.milliseconds);
        """
      }.joined(separator: "\n")
        + sealed.map { table, columns in
          """
          ALTER TABLE \(table) ADD COLUMN seal INTEGER;
          UPDATE \(table) SET seal = seal(\(columns));
          """
        }.joined(separator: "\n")),
  ]
}
