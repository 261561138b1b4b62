internal import DayLog

/// What a series of a table is: settled once from its name, the options and a look at all of its cells.
struct ColumnMeaning {
  /// The metric; of blood pressure the upper value's.
  var metric: Metric
  /// The lower value's, where cells hold two.
  var second: Metric?
  var fold: Fold
  /// From a bare number.
  var scale = UnitScale.one
  /// What a bare number is in, and what the metric is in; nil where nothing is converted.
  var from: Unit?
  var to: Unit?
  var range: ClosedRange<Double>?
  var isZeroMissing = false
  /// What an empty cell says.
  var blank: Double?
  /// Whether fractions stand where the metric has percent.
  var areFractions = false
  /// The one number that ratings are out of.
  var outOf: String?

  /// A cell's numbers.
  enum Value {
    case none
    case numbers([(Metric, Double)])
    /// A phrase why there is none.
    case rejected(String)
  }

  func value(_ form: CellForm, _ style: NumberStyle, title: String) -> Value {
    switch form {
    case .missing: return blank.map { .numbers([(metric, $0)]) } ?? .none
    case .text: return .rejected("no number in \"\(title)\"")
    case .number(let text, let unit):
      guard var value = style.number(String(text)) else {
        return .rejected("no number in \"\(title)\"")
      }
      if let unit {
        if let target = to ?? from {
          guard let converted = unit.convert(value, to: target) else {
            return .rejected("a unit in \"\(title)\" that is not the column's")
          }
          value = converted
        }
        return checked(value, isConverted: true, title)
      }
      if areFractions { value *= 100 }
      return checked(value, isConverted: false, title)
    case .clock(let seconds): return time(Double(seconds), title)
    case .duration(let seconds): return time(seconds, title)
    case .boolean(let yes): return .numbers([(metric, yes ? 1 : 0)])
    case .stars(let count): return .numbers([(metric, Double(count))])
    case .pair(let left, let right):
      guard let a = style.number(String(left)), let b = style.number(String(right)) else {
        return .rejected("no number in \"\(title)\"")
      }
      if let second {
        guard let low = MetricRule.rule(for: second)?.range, range?.contains(a) ?? true,
          low.contains(b)
        else { return .rejected("\"\(title)\" beyond what is possible") }
        return .numbers([(metric, a), (second, b)])
      }
      guard outOf == nil || outOf == String(right) else {
        return .rejected("\"\(title)\" out of another number than the rest")
      }
      return checked(a, isConverted: true, title)
    }
  }

  private func time(_ seconds: Double, _ title: String) -> Value {
    guard let target = to ?? from, let value = Unit.second.convert(seconds, to: target) else {
      return .rejected("a time in \"\(title)\", which measures none")
    }
    return checked(value, isConverted: true, title)
  }

  private func checked(_ number: Double, isConverted: Bool, _ title: String) -> Value {
    var value = number
    if !isConverted {
      if let from, let to { value = from.convert(value, to: to) ?? value }
      value = scale.convert(value)
    }
    guard value.isFinite else { return .rejected("no number in \"\(title)\"") }
    if number == 0, isZeroMissing { return .none }
    if let range, !range.contains(value) {
      return .rejected("\"\(title)\" beyond what is possible for \(metric.name)")
    }
    return .numbers([(metric, value)])
  }
}

/// What the cells of one series look like.
struct SeriesCensus {
  var filled = 0
  var numbers = 0
  var units: [Unit: Int] = [:]
  var clocks = 0
  var longestClock = 0
  var durations = 0
  var pairs = 0
  var seconds: [String: Int] = [:]
  var booleans = 0
  var stars = 0
  var texts = 0
  /// Cells that are dates: a column of them says when something was.
  var dates = 0

  mutating func add(_ form: CellForm) {
    if form != .missing { filled += 1 }
    switch form {
    case .missing: break
    case .number(_, let unit):
      numbers += 1
      if let unit { units[unit, default: 0] += 1 }
    case .clock(let seconds):
      clocks += 1
      longestClock = max(longestClock, seconds)
    case .duration: durations += 1
    case .pair(_, let second):
      pairs += 1
      if seconds.count < 100 { seconds[String(second), default: 0] += 1 }
    case .boolean: booleans += 1
    case .stars: stars += 1
    case .text: texts += 1
    }
  }

  var values: Int { numbers + clocks + durations + pairs + booleans + stars }
}
