internal import DayLog

/// Decides what one series of a table means, or why it is left out.
struct SeriesPlan {
  let name: ColumnName
  let census: SeriesCensus
  let known: KnownColumn?
  /// How a known table folds columns of which it says nothing else.
  let tableFold: Fold?
  let options: ImportOptions
  /// What numbers in it are, as far as they were looked at.
  let samples: [Double]
  /// The unit that the table names beside it.
  let unit: Unit?
  /// A name that the file gives to a series whose own says nothing.
  let fileName: String?

  enum Outcome {
    case meaning(ColumnMeaning, remarks: [String])
    /// It is no metric: why.
    case leftOut(String)
  }

  func outcome(position: Int) -> Outcome {
    let mapped = options.metrics[name.title]
    if mapped == "-" { return .leftOut("as asked") }
    let isNamed = mapped.flatMap { Metric($0) } != nil
    if known == nil, !isNamed {
      if name.isIdentifier { return .leftOut("an identifier") }
      if KnownColumns.notes.contains(name.key ?? "") { return .leftOut("no measurement") }
      if let reason = census.reasonAgainst(name) { return .leftOut(reason) }
    }
    guard census.values > 0 || census.filled == 0 else { return .leftOut("text") }
    var remarks: [String] = []
    guard var meaning = meaning(mapped: mapped.flatMap { Metric($0) }, position: position, &remarks)
    else { return .leftOut("no name for a metric; name it with --map") }
    let asked = options.folds[name.title] ?? options.folds[meaning.metric.name]
    if let asked { meaning.fold = asked }
    meaning.blank = options.blanks[name.title]
    if let reason = settle(&meaning, &remarks) { return .leftOut(reason) }
    return .meaning(meaning, remarks: remarks)
  }

  private func meaning(
    mapped: Metric?, position: Int, _ remarks: inout [String]
  ) -> ColumnMeaning? {
    if let known, mapped == nil {
      let rule = MetricRule.rule(for: known.metric)
      var meaning = ColumnMeaning(
        metric: known.metric, fold: known.fold ?? tableFold ?? rule?.fold ?? .mean,
        scale: known.scale)
      meaning.to = rule?.unit
      meaning.range = rule?.range
      meaning.isZeroMissing = known.isZeroMissing || MetricRule.isNeverZero(known.metric)
      return meaning
    }
    let base = name.isGeneric && mapped == nil ? fileName.map(title) ?? name : name
    var metric = mapped
    var rule = mapped.flatMap(MetricRule.rule)
    var bareFold: Fold?
    if metric == nil, census.isBloodPressure(base) {
      metric = .named("blood_pressure_systolic")
      rule = metric.flatMap(MetricRule.rule)
    }
    if metric == nil {
      rule =
        MetricRule.rule(named: base.base) ?? base.key.flatMap(MetricRule.rule(named:))
        ?? MetricRule.rule(written: base.written)
      // A unit of another kind than the metric's says that it is another: a `weight (reps)`.
      if let unit = unit ?? base.unit, let found = rule, !found.canBe(in: unit) { rule = nil }
      // Without a unit nobody can tell litres from glasses or miles from metres: the column keeps its own name.
      if unit ?? base.unit ?? census.mainUnit == nil, let own = rule?.unit,
        [.length, .volume, .temperature].contains(own.kind)
      {
        bareFold = rule?.fold
        rule = nil
      }
      metric = rule?.metric ?? base.key.flatMap { Metric($0) }
      if metric == nil {
        metric = base.codePoints ?? Metric("column_\(position + 1)")
        if let metric, name.title.contains(where: { !$0.isWhitespace }) {
          remarks.append(
            "\"\(name.title)\" cannot be written as a metric and is \(metric.name); name it with --map"
          )
        }
      }
    }
    guard let metric else { return nil }
    let unit = self.unit ?? name.unit ?? base.unit ?? census.mainUnit
    var meaning = ColumnMeaning(metric: metric, fold: rule?.fold ?? bareFold ?? .mean)
    meaning.from = unit
    meaning.to = rule?.unit
    meaning.range = rule?.range
    meaning.isZeroMissing =
      MetricRule.isNeverZero(metric) || metric == .readinessScore
    if rule == nil {
      if census.booleans * 2 > census.values {
        meaning.fold = .max
      } else if unit?.addsUp == true || census.clocks + census.durations > census.numbers {
        meaning.fold = .sum
      }
    }
    if census.isBloodPressure(base) { meaning.second = .named("blood_pressure_diastolic") }
    return meaning
  }

  /// What a series is called after its file: a rating in a file of sleep is no length of sleep.
  private func title(_ fileName: String) -> ColumnName {
    let isRating = ["rating", "score", "level"].contains(name.base)
    let isQuantity = MetricRule.rule(named: fileName)?.unit != nil
    return ColumnName(isRating && isQuantity ? "\(fileName)_\(name.base)" : fileName)
  }

  /// Settles units and bounds from the numbers there are; a reason where they cannot be the metric's.
  private func settle(_ meaning: inout ColumnMeaning, _ remarks: inout [String]) -> String? {
    let title = name.title
    let isTime = census.clocks + census.durations > 0
    if isTime, meaning.from == nil || meaning.from?.kind != .time {
      if meaning.to == nil || meaning.to?.kind != .time {
        guard census.numbers == 0 else { return "times among numbers" }
        meaning.to = .hour
      }
    }
    if isTime, let to = meaning.to ?? meaning.from {
      remarks.append("\"\(title)\" is read as a length of time in \(to.name)")
    }
    if meaning.second == nil, census.pairs > 0 {
      guard census.seconds.count == 1 || census.pairs * 2 < census.values else {
        return "fractions out of different numbers"
      }
      meaning.outOf = census.seconds.max { $0.value < $1.value }?.key
      if let outOf = meaning.outOf {
        remarks.append("\"\(title)\" is read as a rating out of \(outOf)")
      }
    }
    guard known == nil, census.numbers > 0 else { return nil }
    if let to = meaning.to, meaning.from == nil {
      if to.kind == .share, !samples.isEmpty, samples.allSatisfy({ $0 <= 1 }),
        samples.contains(where: { $0 != $0.rounded() })
      {
        meaning.areFractions = true
        remarks.append("\"\(title)\" is read as fractions of 1")
      } else if to.kind == .time || to.kind == .mass || to.kind == .glucose {
        guard let found = likelyUnit(to, meaning.range) else {
          return "beyond what is possible for \(meaning.metric.name)"
        }
        meaning.from = found
        if meaning.metric.name != name.key {
          remarks.append("\"\(title)\" names no unit and is read in \(found.name)")
        }
      }
    }
    if let range = meaning.range, !samples.isEmpty {
      let converted = samples.map { sample in
        let value = meaning.areFractions ? sample * 100 : sample
        if let from = meaning.from, let to = meaning.to {
          return from.convert(value, to: to) ?? value
        }
        return value
      }
      let beyond = converted.count { !range.contains($0) && $0 != 0 }
      if beyond * 2 > converted.count {
        return
          "mostly beyond what is possible for \(meaning.metric.name); name another metric with --map"
      }
    }
    return nil
  }

  /// The first unit in which most numbers are possible.
  private func likelyUnit(_ own: Unit, _ range: ClosedRange<Double>?) -> Unit? {
    guard let range, !samples.isEmpty else { return own }
    let candidates: [Unit] =
      switch own.kind {
      case .time: own == .minute ? [.minute] : [own, .minute, .second, .millisecond]
      case .glucose:
        samples.allSatisfy { $0 < 40 } ? [.millimolePerLitre] : [.milligramPerDecilitre]
      default: [own]
      }
    return candidates.first { unit in
      let possible = samples.count { unit.convert($0, to: own).map(range.contains) ?? false }
      return possible * 2 >= samples.count
    }
  }
}

extension SeriesCensus {
  /// The unit that stands behind most numbers.
  fileprivate var mainUnit: Unit? {
    units.max { ($0.value, $1.key.name) < ($1.value, $0.key.name) }?.key
  }

  fileprivate func isBloodPressure(_ name: ColumnName) -> Bool {
    guard pairs * 2 > values else { return false }
    let key = name.key ?? ""
    return key == "bp" || key.contains("pressure") || key.contains("blutdruck")
      || seconds.count > 1 && seconds.keys.allSatisfy { (30...200).contains(Int($0) ?? 0) }
  }

  /// Why a series is no metric by the look of its cells.
  fileprivate func reasonAgainst(_ name: ColumnName) -> String? {
    guard filled > 0 else { return nil }
    if dates * 2 > filled { return "dates" }
    if clocks * 2 > filled, name.isTimeOfDay, longestClock < 86_400,
      MetricRule.rule(named: name.base) == nil
    {
      return "times of day"
    }
    if values == 0 { return "text" }
    // Some numbers among notes make no metric.
    if texts > values { return "text with few numbers" }
    return nil
  }
}
