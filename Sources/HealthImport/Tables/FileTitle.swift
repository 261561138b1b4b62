internal import DayLog

/// What a file's name says of its content.
enum FileTitle {
  /// The name of a metric in a file's path, or else in that of its folder: `mood` of `exports/mood-2026.csv`; nil where
  /// neither says what is measured.
  static func metricName(of path: String) -> String? {
    let parts = path.split(separator: "/")
    guard let file = parts.last else { return nil }
    let base =
      file.contains(".")
      ? file.split(separator: ".").dropLast().joined(separator: " ") : String(file)
    if let name = cleaned(base) { return name }
    // An app that writes one folder a habit calls the files in it all the same.
    guard perFolder.contains(base.lowercased()) else { return nil }
    return parts.dropLast().last.flatMap { cleaned(String($0)) }
  }

  private static let perFolder: Set = [
    "checkmarks", "scores", "entries", "values", "value", "records",
  ]

  private static func cleaned(_ text: String) -> String? {
    let words = ColumnName.plain(text).lowercased().split { !$0.isLetter }.filter {
      !empty.contains(String($0))
    }
    guard !words.isEmpty else { return nil }
    return Metric(columnName: words.joined(separator: "_"))?.name
  }

  /// Words that say nothing of what is measured.
  private static let empty: Set = [
    "export", "exports", "exported", "data", "daily", "day", "days", "log", "logs", "file", "table",
    "sheet", "history", "my", "backup", "values", "value", "csv", "txt", "tsv", "zip", "download",
    "downloads", "copy", "checkmarks", "scores", "entries", "records", "tracker", "tmp", "the",
    "of",
    "from", "to", "all", "new", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep",
    "oct",
    "nov", "dec", "january", "february", "march", "april", "june", "july", "august", "september",
    "october", "november", "december", "input", "results", "report", "diary", "journal", "test",
    "long", "wide", "home", "work", "documents", "desktop", "case", "cases", "import",
  ]
}
