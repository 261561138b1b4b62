public import DayLog

/// What is predicted: a metric's value, or whether something holds of a day.
///
/// Written `mood` (a value), `symptom.migraine` (present or absent) or `mood<=4` (a comparison with one
/// of `<`, `<=`, `>`, `>=`).
public struct Target: Hashable, Sendable {
  /// What is asked of the metric.
  public enum Question: Hashable, Sendable {
    case value
    /// Above zero.
    case presence
    case comparison(Comparison, Double)
  }

  /// How a value is compared with a bound.
  public enum Comparison: String, Hashable, Sendable, CaseIterable {
    case atMost = "<="
    case atLeast = ">="
    case below = "<"
    case above = ">"

    func holds(_ value: Double, _ bound: Double) -> Bool {
      switch self {
      case .atMost: value <= bound
      case .atLeast: value >= bound
      case .below: value < bound
      case .above: value > bound
      }
    }
  }

  /// The metric that is asked about.
  public let metric: Metric
  /// What is asked of it.
  public let question: Question

  /// The value of a metric; of a symptom, whether it is there.
  public init(_ metric: Metric) {
    self.metric = metric
    question = metric.isSymptom ? .presence : .value
  }

  /// Whether a metric's value compares so with a finite bound.
  public init(_ metric: Metric, _ comparison: Comparison, _ bound: Double) {
    precondition(bound.isFinite, "a bound is finite")
    self.metric = metric
    question = .comparison(comparison, bound)
  }

  /// The target that is written so, or nil for any other text.
  public init?(_ text: some StringProtocol) {
    if let metric = Metric(text) {
      self.init(metric)
      return
    }
    guard let at = text.firstIndex(where: { "<>".contains($0) }), let metric = Metric(text[..<at])
    else { return nil }
    var rest = text[at...].dropFirst()
    let isEqual = rest.first == "="
    if isEqual { rest = rest.dropFirst() }
    guard let comparison = Comparison(rawValue: String(text[at]) + (isEqual ? "=" : "")),
      let bound = Double(rest), bound.isFinite
    else { return nil }
    self.init(metric, comparison, bound)
  }

  /// Whether the answer is yes or no: then the model is logistic, else ridge.
  public var isBinary: Bool { question != .value }

  /// The outcome of a day from the metric's value: the value, or 1 for yes and 0 for no; NaN where it
  /// is missing or not finite.
  public func outcome(_ value: Double) -> Double {
    guard value.isFinite else { return .nan }
    return switch question {
    case .value: value
    case .presence: value > 0 ? 1 : 0
    case .comparison(let comparison, let bound): comparison.holds(value, bound) ? 1 : 0
    }
  }

  /// The outcome of each day of a log, NaN where it is not known.
  public func outcomes(in log: PersonalLog) -> ContiguousArray<Double> {
    guard let column = log.table.column(metric) else {
      return ContiguousArray(repeating: .nan, count: log.table.dayCount)
    }
    return ContiguousArray(column.map(outcome))
  }
}

extension Target: CustomStringConvertible {
  /// The target as it is written.
  public var description: String {
    switch question {
    case .value, .presence: return metric.name
    case .comparison(let comparison, let bound):
      let text = "\(bound)"
      return metric.name + comparison.rawValue
        + (text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }
  }
}

extension Target {
  /// Checks that a log has the target's metric.
  ///
  /// - Throws: ``TrainingError/unknownMetric(_:nearest:)``.
  public func check(in log: PersonalLog) throws(TrainingError) {
    guard log.table.metrics.contains(metric) else {
      throw .unknownMetric(metric, nearest: TrainingError.nearest(to: metric, in: log.table))
    }
  }
}
