internal import DayLog
internal import HealthImport
internal import Time

/// What `diurnal import --dry-run` says of a file: what each metric of it would be. It shows how cells are
/// written, never what stands in them.
enum ImportPreview {
  /// A line a metric.
  static func text(_ path: String, _ batch: ImportBatch) -> String {
    var lines = ["\(Harmless.line(path)) (\(batch.format)): nothing was changed"]
    for series in Self.series(of: batch) {
      var line = "  "
      if let title = series.title { line += "\(Harmless.line(title)) -> " }
      line += series.metric.name
      if let unit = series.unit { line += " (\(unit))" }
      if let fold = series.fold { line += ", \(fold.rawValue)" }
      line += ", \(series.days) day\(series.days == 1 ? "" : "s")"
      line +=
        series.first == series.last ? ", \(series.first)" : ", \(series.first) to \(series.last)"
      if !series.shapes.isEmpty {
        line += ", such as \(series.shapes.map(Harmless.line).joined(separator: " | "))"
      }
      lines.append(line)
    }
    for skipped in batch.summary.skipped {
      lines.append(
        "  left out: \(skipped.kind) \(Harmless.line(skipped.name))"
          + (skipped.reason.map { ", \($0)" } ?? ""))
    }
    for rejection in batch.summary.rejections {
      lines.append("  \(rejection.count) rejected: \(rejection.reason)")
    }
    lines += batch.summary.remarks.map { "  note: \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }

  static func json(_ path: String, _ batch: ImportBatch) -> JSONValue {
    .object([
      ("file", .string(path)), ("format", .string(batch.format)), ("dry_run", .bool(true)),
      (
        "metrics",
        .array(
          series(of: batch).map { series in
            .object([
              ("column", series.title.map { .string($0) } ?? .null),
              ("metric", .string(series.metric.name)),
              ("unit", series.unit.map { .string($0) } ?? .null),
              ("fold", series.fold.map { .string($0.rawValue) } ?? .null),
              ("days", .integer(series.days)), ("first", .string("\(series.first)")),
              ("last", .string("\(series.last)")),
              ("shapes", .array(series.shapes.map { .string($0) })),
            ])
          })
      ),
      (
        "skipped",
        .array(
          batch.summary.skipped.map {
            .object([
              ("kind", .string($0.kind)), ("name", .string($0.name)), ("count", .integer($0.count)),
              ("reason", $0.reason.map { .string($0) } ?? .null),
            ])
          })
      ),
      ("remarks", .array(batch.summary.remarks.map { .string($0) })),
    ])
  }

  private struct Series {
    var title: String?
    let metric: Metric
    var unit: String?
    var fold: Fold?
    var days: Int
    var first: CalendarDay
    var last: CalendarDay
    var shapes: [String] = []
  }

  /// The columns of a table, and the metrics that come from elsewhere, by name.
  private static func series(of batch: ImportBatch) -> [Series] {
    let columns = batch.summary.columns.map { column in
      Series(
        title: column.title, metric: column.metric, unit: column.unit, fold: column.fold,
        days: column.days, first: column.first, last: column.last, shapes: column.shapes)
    }
    let named = Set(columns.map(\.metric))
    let others = Dictionary(
      grouping: batch.entries.filter { !named.contains($0.key.metric) }, by: \.key.metric)
    return columns
      + others.compactMap { metric, entries in
        let days = Set(entries.map(\.key.day))
        guard let first = days.min(), let last = days.max() else { return nil }
        return Series(
          metric: metric, unit: batch.unit(of: metric), fold: batch.fold(of: metric),
          days: days.count, first: first, last: last)
      }.sorted { $0.metric < $1.metric }
  }
}
