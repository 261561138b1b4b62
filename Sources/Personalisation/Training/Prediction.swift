public import DayLog
internal import Learning
public import Time

/// What a model says about one day.
public struct Prediction: Equatable, Sendable {
  /// What is predicted.
  public let target: Target
  /// The day that it is predicted for.
  public let day: CalendarDay
  /// How many days before it everything had to be known.
  public let horizon: Int
  /// The forecast shown: a value, or the probability of yes.
  public let value: Double
  /// The interval around it, as wide as errors are on such a day and within the target's scale; nil for a yes/no
  /// target and while there are too few past errors.
  public let interval: ClosedRange<Double>?
  /// The best naive rule on the scored days, and what it says.
  public let baseline: (rule: NaiveRule, value: Double)
  /// What each rule of ``NaiveRule/baselines`` says.
  public let rules: [NaiveRule: Double]
  /// Whether the forecast has shown that it is better than the naive rules.
  public let gate: SkillGate
  /// How much each rule and regression counts in the forecast, by name; together 1.
  public let weights: [(name: String, weight: Double)]
  /// What the plain regression says, a value or probability.
  public let model: Double
  /// What the plain regression would say of an average day: a value, or log-odds.
  public let intercept: Double
  /// What each feature adds to that, in the target's unit or in log-odds: intercept and contributions
  /// together are the regression's value or the log-odds of its probability.
  public let contributions: [(name: String, value: Double)]

  public static func == (left: Self, right: Self) -> Bool {
    left.target == right.target && left.day == right.day && left.horizon == right.horizon
      && left.value == right.value
      && left.interval == right.interval && left.baseline == right.baseline
      && left.rules == right.rules
      && left.gate == right.gate && left.model == right.model && left.intercept == right.intercept
      && left.weights.elementsEqual(right.weights, by: ==)
      && left.contributions.elementsEqual(right.contributions, by: ==)
  }
}

/// Why there is no prediction.
public enum PredictionError: Error, Equatable, Sendable {
  /// The log reaches too little or too far for that day: a day from the second of the log to `last`.
  case dayOutOfReach(CalendarDay, last: CalendarDay)
  /// The log has not the metrics that the model's features are of; those it has that the model does not
  /// know.
  case otherMetrics(missing: [Metric], unknown: [Metric])
  /// No outcome is known before that day.
  case nothingKnown(CalendarDay)
}

extension PredictionError: CustomStringConvertible {
  /// One sentence for the person.
  public var description: String {
    switch self {
    case .dayOutOfReach(let day, let last):
      "\(day) cannot be predicted from this log: it reaches up to \(last)"
    case .otherMetrics(let missing, let unknown):
      "the model needs \(missing.map(\.name).joined(separator: ", ")), which the log does not have"
        + (unknown.isEmpty
          ? ""
          : " (it has \(unknown.map(\.name).joined(separator: ", ")), which the model does not know)")
        + ": train again"
    case .nothingKnown(let day): "nothing is known of the target before \(day)"
    }
  }
}

extension PersonalModel {
  /// What the model says about a day, from what the log knows ``horizon`` days before it.
  ///
  /// - Parameter day: at most ``horizon`` days after the last day of the log; nil for that day.
  public func predict(
    _ day: CalendarDay? = nil, from log: PersonalLog
  ) throws(PredictionError) -> Prediction {
    let table = log.table
    let last = table.endDay.advanced(by: horizon - 1)
    let day = day ?? last
    guard day > table.firstDay, day <= last else { throw .dayOutOfReach(day, last: last) }
    let missing = spec.metrics.filter { !table.metrics.contains($0) }
    guard missing.isEmpty else {
      throw .otherMetrics(
        missing: missing, unknown: table.metrics.filter { !spec.metrics.contains($0) })
    }

    let position = table.firstDay.distance(to: day)
    let outcomes = target.outcomes(in: log)
    let naive = NaiveForecasts(
      outcomes, horizon: horizon, firstDay: table.firstDay.number,
      isBinary: target.isBinary)
    guard !naive[.mean][position].isNaN else { throw .nothingKnown(day) }
    let matrix = FeatureMatrix(
      spec, of: log.table(for: target),
      days: day..<day.advanced(by: 1))
    let row = ContiguousArray(
      zip(matrix.values, fills).map { $0.isFinite ? $0 : $1 })

    var forecasts = naive.series.map { $0[position] }
    for part in parts {
      let raw = part.transform.backward(part.score(row), naive, day: position)
      forecasts.append(
        target.isBinary
          ? Regression.probability(raw) : min(max(raw, bounds.lowerBound), bounds.upperBound))
    }
    let value = zip(weights, forecasts).reduce(0) { $0 + $1.0 * $1.1 }
    let (intercept, contributions) = explanation(row)
    let score = contributions.reduce(intercept) { $0 + $1.value }
    let best = report.gate.bestBaseline
    let rules = Dictionary(
      uniqueKeysWithValues: NaiveRule.baselines.map { ($0, naive[$0][position]) })
    return Prediction(
      target: target, day: day, horizon: horizon, value: value,
      interval: interval?.outlook(value, weekday: (day.number % 7 + 7) % 7).interval,
      baseline: (best, rules[best] ?? .nan), rules: rules, gate: report.gate,
      weights: Array(zip(NaiveRule.allCases.map(\.name) + parts.map(\.name), weights)),
      model: target.isBinary ? Regression.probability(score) : score, intercept: intercept,
      contributions: contributions)
  }

  /// The plain regression's value taken apart, around the mean of each feature.
  private func explanation(
    _ row: ContiguousArray<Double>
  ) -> (intercept: Double, contributions: [(name: String, value: Double)]) {
    let plain = parts[0]
    var intercept = plain.regression.intercept
    var contributions: [(name: String, value: Double)] = []
    for (index, column) in plain.columns.enumerated() {
      let coefficient = plain.regression.coefficients[index]
      intercept += coefficient * fills[column]
      contributions.append(
        (spec.features[column].description, coefficient * (row[column] - fills[column])))
    }
    return (intercept, contributions)
  }
}

extension PersonalModel.Part {
  /// The linear score of a row of the whole spec.
  func score(_ row: ContiguousArray<Double>) -> Double {
    var sum = regression.intercept
    for (index, column) in columns.enumerated() {
      sum += regression.coefficients[index] * row[column]
    }
    return sum
  }
}
