internal import DayLog

/// What the series of a table are, settled from all of their cells.
extension SeriesIndex {
  /// Goes through all cells with numbers, for their marks and their looks, and settles how numbers are written.
  ///
  /// - Throws: where that stays open.
  mutating func settleNumbers(file: String) throws(ImportError) -> NumberStyle {
    var marks = MarkCensus()
    var series = self.series
    eachCell { row, column, index in
      guard !table.isEmpty(row, column) else { return }
      let form = form(row, column)
      series[index].census.add(form)
      if case .text = form, WrittenDate(table.text(row, column), acceptsNumbers: false) != nil {
        series[index].census.dates += 1
      }
      let rule =
        series[index].known.flatMap { MetricRule.rule(for: $0.metric) }
        ?? MetricRule.rule(named: series[index].name.base)
      switch form {
      case .number(let number, _): marks.add(number, row: row, rule: rule)
      case .pair(let left, let right):
        marks.add(left, row: row, rule: nil)
        marks.add(right, row: row, rule: nil)
      default: break
      }
    }
    let style = try marks.style(of: table, options, file: file)
    eachCell { row, column, index in
      guard series[index].samples.count < TableSeries.sampleLimit, !table.isEmpty(row, column),
        let value = table.withCell(row, column, { style.number($0) })
      else { return }
      series[index].samples.append(value)
    }
    self.series = series
    return style
  }

  /// Settles what each series means, and tells what is left out and why.
  ///
  /// - Returns: the folds that the person asked for by the title of a column.
  mutating func settleMeanings(path: String, _ summary: inout ImportSummary) -> [Metric: Fold] {
    var asked: [Metric: Fold] = [:]
    var taken: [Metric: Int] = [:]
    let fileName = FileTitle.metricName(of: path)
    let only = onlyValue
    for index in series.indices {
      let one = series[index]
      if isWide {
        if isKey(one.column) { continue }
        let key = one.name.key ?? ""
        if known?.ignored.contains(key) == true || known?.repeated.contains(key) == true {
          summary.skip("column", one.name.title)
          continue
        }
        // A comma at the end of every row makes a column with nothing in it.
        if one.name.title.isEmpty, one.census.filled == 0 { continue }
      }
      let plan = SeriesPlan(
        name: one.name, census: census(of: one), known: one.known, tableFold: known?.fold,
        options: options, samples: one.samples, unit: one.unit,
        fileName: known != nil || only == index ? fileName : nil)
      switch plan.outcome(position: index) {
      case .leftOut(let reason):
        summary.skip(
          "column", one.name.title.isEmpty ? "(without a name)" : one.name.title, reason: reason)
      case .meaning(var meaning, let remarks):
        if isOfEvents { meaning.fold = options.folds[one.name.title] ?? .sum }
        if isOfEvents, isOfSpans, SleepWord(one.name.base) != nil {
          (meaning.metric, meaning.to) = (.sleepHours, .hour)
        }
        if let other = taken[meaning.metric], !areOneMetric(other, index, meaning) {
          // What would become one name stays two.
          guard let next = Self.renamed(meaning, one.name, taken) else {
            summary.skip("column", one.name.title, reason: "no name for a metric")
            continue
          }
          meaning = next
        }
        if taken[meaning.metric] == nil { taken[meaning.metric] = index }
        series[index].meaning = meaning
        if options.folds[one.name.title] != nil { asked[meaning.metric] = meaning.fold }
        for remark in remarks { summary.remark(remark) }
      }
    }
    sortOrder()
    return asked
  }

  /// What the cells of a series look like; events have none.
  private func census(of one: TableSeries) -> SeriesCensus {
    guard isOfEvents else { return one.census }
    var census = one.census
    census.filled = 1
    if isOfSpans { census.durations = 1 } else { census.booleans = 1 }
    return census
  }

  /// The one series with numbers, if there is one: the file's name can say what it is.
  private var onlyValue: Int? {
    let holding = series.indices.filter { index in
      let one = series[index]
      return !isKey(one.column) && one.census.values > one.census.texts && !one.name.isIdentifier
        && !KnownColumns.notes.contains(one.name.key ?? "")
    }
    return holding.count == 1 ? holding[0] : nil
  }

  /// Of two columns of one metric the one in its own unit is read first.
  private mutating func sortOrder() {
    func isForeign(_ index: Int) -> Bool {
      guard let meaning = series[index].meaning else { return false }
      return meaning.from != nil && meaning.to != nil && meaning.from != meaning.to
    }
    let keys = series.indices.map(isForeign)
    order.sort { left, right in
      let (a, b) = (keys[left.index], keys[right.index])
      return a == b ? left.index < right.index : b
    }
  }

  /// Whether two columns are one quantity in two units, or the parts of a person's own choosing.
  private func areOneMetric(_ left: Int, _ right: Int, _ meaning: ColumnMeaning) -> Bool {
    guard let other = series[left].meaning else { return false }
    if options.metrics[series[left].name.title] != nil,
      options.metrics[series[right].name.title] != nil
    {
      return true
    }
    if isOfEvents { return true }
    return other.to != nil && other.to == meaning.to && other.from != meaning.from
      && other.from != nil && meaning.from != nil
      && series[left].name.base == series[right].name.base
  }

  /// A meaning under its column's own name, or a number behind the metric's; nil where neither is free.
  private static func renamed(
    _ meaning: ColumnMeaning, _ name: ColumnName, _ taken: [Metric: Int]
  ) -> ColumnMeaning? {
    let own = name.key.flatMap { Metric($0) }.map { [$0] } ?? []
    let numbered = (2...99).lazy.compactMap { Metric("\(meaning.metric.name.prefix(60))_\($0)") }
    guard
      let free = own.first(where: { taken[$0] == nil })
        ?? numbered.first(where: { taken[$0] == nil })
    else { return nil }
    var meaning = meaning
    meaning.metric = free
    return meaning
  }

  /// Tells what each series became.
  func report(to summary: inout ImportSummary) {
    for one in series {
      guard let meaning = one.meaning, let first = one.days.min(), let last = one.days.max() else {
        continue
      }
      summary.columns.append(
        ImportSummary.Column(
          title: one.name.title, metric: meaning.metric, unit: (meaning.to ?? meaning.from)?.name,
          fold: meaning.fold, days: one.days.count, first: first, last: last, shapes: one.shapes))
      if MetricRule.rule(for: meaning.metric) == nil, one.census.booleans == 0, known == nil,
        one.hasSeveralADay, options.folds[one.name.title] == nil
      {
        let word = meaning.fold == .sum ? "added up" : "averaged"
        summary.remark(
          "several readings of \"\(one.name.title)\" on one day are \(word); --fold changes that")
      }
    }
  }
}
