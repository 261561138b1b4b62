package import DayLog

/// One number about a day that is known `age` days before it: a column of a ``FeatureMatrix``.
///
/// The name says what it is, such as `hrv lag 2`, `sleep_hours mean 7 d` or `weekday 3`, and a
/// feature is made again from its name, so that training, updating and predicting share one
/// definition. Windows count calendar days, not rows; missing values in them are skipped.
package struct Feature: Hashable, Sendable {
  /// What is computed.
  package enum Kind: Hashable, Sendable {
    /// The value itself.
    case value
    /// The mean of the values present in the window of this many days.
    case mean(days: Int)
    /// Their standard deviation (n - 1), from two values on.
    case spread(days: Int)
    /// The smallest of them.
    case minimum(days: Int)
    /// The largest of them.
    case maximum(days: Int)
    /// Their mean with weights that halve every `halfLife` days, normalised over the values present;
    /// values older than `days` are left out, or none where it is nil.
    case exponentialMean(halfLife: Int, days: Int?)
    /// The value less the mean of the window of this many days before it.
    case deviation(days: Int)
    /// The same, divided by that window's standard deviation.
    case score(days: Int)
    /// The value less the one of the day before it.
    case difference
    /// Days since the last value above zero, at most this many.
    case daysSince(limit: Int)
    /// 1 where there is no value, else 0.
    case missing
    /// 1 on this ISO weekday (1 is Monday), else 0. Known ahead.
    case weekday(Int)
    /// The sine of the day's place in the year. Known ahead.
    case annualSine
    /// The cosine of the day's place in the year. Known ahead.
    case annualCosine
  }

  /// What is computed.
  package let kind: Kind
  /// Of which metric; nil for what the calendar tells.
  package let metric: Metric?
  /// How many days lie between the day of the row and the last day that is looked at; 0 for what the
  /// calendar tells.
  package let age: Int

  /// A feature of a metric's past.
  ///
  /// - Parameter age: days from the last day looked at to the day of the row, 0 or more.
  package init(_ kind: Kind, of metric: Metric, age: Int) {
    precondition(!kind.isCalendar && age >= 0, "a feature of a metric looks back")
    precondition((kind.window ?? 1) >= 1, "a window has a day at least")
    self.kind = kind
    self.metric = metric
    self.age = age
  }

  /// A feature that the calendar tells.
  package init(calendar kind: Kind) {
    precondition(kind.isCalendar, "only weekday and season are known ahead")
    self.kind = kind
    metric = nil
    age = 0
  }

  /// The oldest day that counts, in days before the day of the row; nil where every past day does.
  package var memory: Int? {
    switch kind {
    case .value, .missing: age
    case .difference: age + 1
    case .mean(let days), .spread(let days), .minimum(let days), .maximum(let days): age + days - 1
    case .deviation(let days), .score(let days), .daysSince(let days): age + days
    case .exponentialMean(_, let days): days.map { age + $0 - 1 }
    case .weekday, .annualSine, .annualCosine: 0
    }
  }
}

extension Feature.Kind {
  /// Whether the calendar tells it.
  var isCalendar: Bool {
    switch self {
    case .weekday, .annualSine, .annualCosine: true
    default: false
    }
  }

  /// The length of the window in days, where there is one with an end.
  var window: Int? {
    switch self {
    case .mean(let days), .spread(let days), .minimum(let days), .maximum(let days),
      .deviation(let days), .score(let days), .daysSince(let days):
      days
    case .exponentialMean(_, let days): days
    default: nil
    }
  }
}

extension Feature: CustomStringConvertible {
  /// The readable name, unique in a spec: `steps lag 1`, `steps mean 7 d`, `steps half-life 28 d`.
  ///
  /// ` lag k` at the end is the age, left out of windows where it is 1.
  package var description: String {
    guard let metric else {
      return switch kind {
      case .weekday(let day): "weekday \(day)"
      case .annualSine: "annual sine"
      default: "annual cosine"
      }
    }
    let what =
      switch kind {
      case .value: ""
      case .mean(let days): " mean \(days) d"
      case .spread(let days): " sd \(days) d"
      case .minimum(let days): " min \(days) d"
      case .maximum(let days): " max \(days) d"
      case .exponentialMean(let halfLife, let days?): " half-life \(halfLife) d of \(days) d"
      case .exponentialMean(let halfLife, nil): " half-life \(halfLife) d"
      case .deviation(let days): " deviation \(days) d"
      case .score(let days): " score \(days) d"
      case .difference: " difference"
      case .daysSince(let limit): " days since \(limit) d"
      case .missing: " missing"
      case .weekday, .annualSine, .annualCosine: ""
      }
    return kind != .value && age == 1 ? metric.name + what : "\(metric.name)\(what) lag \(age)"
  }

  /// The feature with this name, or nil where the name is of none.
  package init?(_ name: some StringProtocol) {
    var words: [String] = name.split(omittingEmptySubsequences: false) { $0 == " " }.map {
      String($0)
    }
    func number(_ index: Int, _ allowed: ClosedRange<Int>) -> Int? {
      guard words.indices.contains(index), let value = Int(words[index]),
        "\(value)" == words[index],
        allowed.contains(value)
      else { return nil }
      return value
    }
    if words.count == 2, words[0] == "weekday" || words[0] == "annual" {
      switch (words[0], words[1]) {
      case ("annual", "sine"): self.init(calendar: .annualSine)
      case ("annual", "cosine"): self.init(calendar: .annualCosine)
      default:
        guard let day = number(1, 1...7), words[0] == "weekday" else { return nil }
        self.init(calendar: .weekday(day))
      }
      return
    }
    guard let metric = Metric(words[0]) else { return nil }
    var age = 1
    if words.count >= 3, words[words.count - 2] == "lag" {
      guard let written = number(words.count - 1, 0...Self.longest) else { return nil }
      age = written
      words.removeLast(2)
    } else if words.count == 1 {
      return nil
    }
    let days = number(words.count - 2, 1...Self.longest)
    let kind: Kind? =
      switch (words.dropFirst().filter { Int($0) == nil }.joined(separator: " "), days) {
      case ("", _) where words.count == 1: .value
      case ("difference", _) where words.count == 2: .difference
      case ("missing", _) where words.count == 2: .missing
      case ("mean d", let days?) where words.count == 4: .mean(days: days)
      case ("sd d", let days?) where words.count == 4: .spread(days: days)
      case ("min d", let days?) where words.count == 4: .minimum(days: days)
      case ("max d", let days?) where words.count == 4: .maximum(days: days)
      case ("deviation d", let days?) where words.count == 4: .deviation(days: days)
      case ("score d", let days?) where words.count == 4: .score(days: days)
      case ("days since d", let days?) where words.count == 5: .daysSince(limit: days)
      case ("half-life d", let days?) where words.count == 4:
        .exponentialMean(halfLife: days, days: nil)
      case ("half-life d of d", let days?) where words.count == 7:
        number(2, 1...Self.longest).map { .exponentialMean(halfLife: $0, days: days) }
      default: nil
      }
    guard let kind else { return nil }
    self.init(kind, of: metric, age: age)
    guard description == name else { return nil }
  }

  private static let longest = 100_000
}
