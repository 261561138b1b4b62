internal import DayLog
internal import Time

/// What spans of time in a table measure by their length alone.
enum SpanMeaning {
  /// A night, or a stage of one, to the day of waking; of several spans the union counts.
  case sleep(SleepWord)
  /// Minutes of something, to the day on which it began.
  case minutes(Metric)

  /// What the spans of a table are, where none of its columns says how long they are; nil where nothing tells.
  init?(_ index: SeriesIndex, path: String, _ summary: inout ImportSummary) {
    guard index.isWide, index.known == nil else { return nil }
    let meanings = index.series.compactMap(\.meaning)
    let saysLength = meanings.contains { ($0.to ?? $0.from)?.kind == .time }
    let fileName = FileTitle.metricName(of: path)
    let words = index.layout.titles.map { ColumnName($0).key ?? $0 } + [fileName ?? ""]
    if !saysLength, words.contains(where: { SleepWord($0) != nil }) {
      self = .sleep(.asleep)
      summary.remark("what lies between start and end is read as sleep")
    } else if meanings.isEmpty, let fileName {
      let rule = MetricRule.rule(named: fileName)
      guard let metric = rule?.unit == .minute ? rule?.metric : Metric(fileName + "_minutes") else {
        return nil
      }
      self = .minutes(metric)
      summary.remark("what lies between start and end is read as \(metric.name)")
    } else {
      return nil
    }
  }

  /// Adds the span of a row; whether there is one.
  func addTo(_ days: inout DayCollector, _ place: RowPlace, source: Source) -> Bool {
    guard place.reading.duration > 0 else { return false }
    var reading = place.reading
    switch self {
    case .sleep(let word):
      reading.value = Double(reading.duration) / 3600
      if let metric = word.stage {
        days.add(reading, metric, on: place.night, source: source, fold: .sum)
      }
      // Time awake joins what lies around it to one night.
      (reading.kind, reading.value) = (.sleep, word == .awake ? 0 : 1)
      days.add(reading, .sleepHours, on: place.night, source: source, fold: .sum)
    case .minutes(let metric):
      reading.value = Double(reading.duration) / 60
      days.add(reading, metric, on: place.day, source: source, fold: .sum)
    }
    return true
  }
}

/// What a name says of sleep.
enum SleepWord {
  case asleep, awake, deep, light, rem

  /// The metric of a stage.
  var stage: Metric? {
    switch self {
    case .asleep, .awake: nil
    case .deep: .sleepDeepHours
    case .light: .sleepLightHours
    case .rem: .sleepREMHours
    }
  }

  /// What a name says; nil for one that is not of sleep.
  init?(_ name: String) {
    let words = name.split { !$0.isLetter }.map { $0.lowercased() }
    guard let found = words.lazy.compactMap({ Self.words[$0] }).first else { return nil }
    // A stage stands before the word for sleep or behind it: `deep sleep`, `sleep deep`.
    self = words.lazy.compactMap { Self.words[$0] }.first { $0 != .asleep } ?? found
  }

  private static let words: [String: SleepWord] = {
    var words: [String: SleepWord] = [
      "awake": .awake, "deep": .deep, "light": .light, "core": .light, "rem": .rem,
    ]
    for word in [
      "sleep", "slept", "asleep", "sleeping", "nap", "naps", "night", "nights", "bed", "bedtime",
      "schlaf", "nacht", "sommeil", "nuit", "sueno", "sono", "sonno", "slaap", "睡眠", "сон", "수면",
      "النوم",
    ] { words[word] = .asleep }
    return words
  }()
}
