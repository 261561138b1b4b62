internal import DayLog
internal import Diurnal
internal import HealthImport
internal import Storage

/// What `diurnal import` says of a file that was read.
enum ImportOutput {
  /// For a person: what came of the values in one line, and below it what to know of the file.
  static func text(_ path: String, _ file: Journal.FileImport, today: CalendarDay) -> String {
    guard case .merged(let batch, let merged) = file else {
      return "\(Harmless.line(path)): 0 new, this file was imported before\n"
    }
    let summary = batch.summary
    var lines = ["\(path) (\(batch.format)): " + values(of: batch, merged)]
    if summary.duplicates > 0 {
      lines.append("  \(counted(summary.duplicates, "duplicate")) dropped")
    }
    if !batch.isComplete { lines.append("  the file is incomplete") }
    if summary.damagedBytes > 0 { lines.append("  \(summary.damagedBytes) damaged bytes replaced") }
    lines += summary.rejections.map(text)
    let columns = summary.skipped.filter { $0.kind == "column" }.map { column in
      column.reason.map { "\(column.name) (\($0))" } ?? column.name
    }
    if !columns.isEmpty { lines.append("  columns not read: \(columns.joined(separator: ", "))") }
    let others = summary.skipped.filter { $0.kind != "column" }
    for other in others.prefix(Self.listed) {
      lines.append("  passed over: \(text(other))")
    }
    if others.count > Self.listed {
      lines.append(
        "  passed over: \(others.count - Self.listed) more kinds of content (--json lists them)")
    }
    lines += summary.remarks.map { "  note: \($0)" }
    let far = FarDays(in: batch.entries.map(\.key.day), today: today)
    if let text = far.text { lines.append("  note: \(text)") }
    return lines.map { Harmless.line($0) + "\n" }.joined()
  }

  /// How many kinds of content, or files of a folder, that were passed over are named.
  static let listed = 4

  /// What became of the values, and how much of a log they are; what did not happen is not said.
  private static func values(of batch: ImportBatch, _ merged: MergeSummary) -> String {
    let days = Set(batch.entries.map(\.key.day))
    guard let first = days.min(), let last = days.max() else { return "no values" }
    let others = [
      (merged.refreshed, "refreshed"), (merged.keptTyped, "kept because typed"),
      (merged.unchanged, "already known"), (merged.outdated, "older than what is known"),
      (merged.forgotten, "forgotten"),
    ]
    let counts = [(merged.added, "added")] + others.filter { $0.0 > 0 }
    let metrics = Set(batch.entries.map(\.key.metric)).count
    return counts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      + "; \(counted(metrics, "metric")) on "
      + (first == last ? "\(first)" : "\(days.count) days, \(first) to \(last)")
  }

  private static func text(_ rejection: ImportSummary.Rejection) -> String {
    var places = rejection.first.map(place)
    if !places.isEmpty, rejection.count > places.count { places.append("...") }
    let list = places.isEmpty ? "" : " (\(places.joined(separator: ", ")))"
    return "  \(rejection.count) rejected: \(rejection.reason)\(list)"
  }

  /// Files of an archive by their path, records of unknown types as such, all else by name.
  private static func text(_ skipped: ImportSummary.Skipped) -> String {
    switch skipped.kind {
    case "member" where skipped.count == 1: skipped.name
    case "element", "member", "value": "\(skipped.count) × \(skipped.name)"
    default: "\(skipped.count) × \(skipped.kind) \(skipped.name)"
    }
  }

  private static func place(_ place: ImportError.Place) -> String {
    switch place {
    case .line(let number): "line \(number)"
    case .record(let number): "record \(number)"
    }
  }

  /// Whether it is a table of several people that holds the person asked for; a file that is known was
  /// read for them before.
  static func isOfPerson(_ file: Journal.FileImport) -> Bool {
    if case .merged(let batch, _) = file { batch.summary.isOfPerson } else { true }
  }

  static func json(_ path: String, _ file: Journal.FileImport) -> JSONValue {
    let merged = file.merged ?? MergeSummary()
    let counts: [(String, JSONValue)] = [
      ("file", .string(path)), ("known", .bool(file.merged == nil)),
      ("added", .integer(merged.added)), ("refreshed", .integer(merged.refreshed)),
      ("kept_typed", .integer(merged.keptTyped)),
      ("unchanged", .integer(merged.unchanged)), ("outdated", .integer(merged.outdated)),
      ("forgotten", .integer(merged.forgotten)),
    ]
    guard case .merged(let batch, _) = file else { return .object(counts) }
    let summary = batch.summary
    return .object(
      counts + [
        ("format", .string(batch.format)), ("complete", .bool(batch.isComplete)),
        ("duplicates", .integer(summary.duplicates)),
        ("rejected", .integer(summary.rejected)), ("damaged_bytes", .integer(summary.damagedBytes)),
        (
          "rejections",
          .array(
            summary.rejections.map {
              .object([
                ("reason", .string($0.reason)), ("count", .integer($0.count)),
                ("first", .array($0.first.map { .string(place($0)) })),
              ])
            })
        ),
        (
          "skipped",
          .array(
            summary.skipped.map {
              .object([
                ("kind", .string($0.kind)), ("name", .string($0.name)),
                ("count", .integer($0.count)),
                ("reason", $0.reason.map { .string($0) } ?? .null),
              ])
            })
        ),
        ("remarks", .array(summary.remarks.map { .string($0) })),
      ])
  }
}
