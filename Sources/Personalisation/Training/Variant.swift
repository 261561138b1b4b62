internal import DayLog

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// One of the regressions whose forecasts are combined.
struct Variant: Hashable, Sendable {
  /// What is done to the target before it is fitted, and undone after.
  enum Transform: String, Hashable, Sendable {
    case none
    /// The natural logarithm: for targets that were above zero so far.
    case logarithm
    /// Less the mean of the last 28 days.
    case baseline
  }

  let name: String
  let transform: Transform
  let features: [Feature]

  /// The variants for a target over these metrics; the first is the plain regression that is explained.
  ///
  /// - Parameters:
  ///   - metrics: those with enough days to learn from, the target's own included.
  ///   - hasYear: whether the log is long enough for a season.
  static func all(
    for target: Target, metrics: [Metric], horizon: Int, hasYear: Bool
  ) -> [Variant] {
    let others = metrics.filter { $0 != target.metric }
    let own = FeatureSpec.full(target.metric, horizon: horizon)
    let calendar = FeatureSpec.weekdays + (hasYear ? FeatureSpec.season : [])
    let all =
      own
      + others.flatMap { metric in
        FeatureSpec.brief(metric, horizon: horizon) + [
          Feature(.value, of: metric, age: horizon + 1),
          Feature(.deviation(days: 28), of: metric, age: horizon),
        ]
      } + calendar
    let brief =
      FeatureSpec.brief(target.metric, horizon: horizon) + [
        Feature(.exponentialMean(halfLife: 3, days: 24), of: target.metric, age: horizon),
        Feature(.mean(days: 28), of: target.metric, age: horizon),
      ] + others.map { Feature(.value, of: $0, age: horizon) } + calendar
    let relative =
      FeatureSpec.relative(target.metric, horizon: horizon)
      + others.flatMap { FeatureSpec.relative($0, horizon: horizon) } + FeatureSpec.weekdays
    var variants = [
      Variant(name: "ridge", transform: .none, features: all),
      Variant(name: "ridge brief", transform: .none, features: brief),
    ]
    if target.isBinary {
      return [
        Variant(name: "logistic", transform: .none, features: all),
        Variant(name: "logistic brief", transform: .none, features: brief),
      ]
    }
    variants.append(Variant(name: "ridge relative", transform: .baseline, features: relative))
    // One number a metric: what little history can bear.
    let deviations = metrics.map { Feature(.deviation(days: 28), of: $0, age: horizon) }
    variants.append(
      Variant(name: "ridge deviations", transform: .baseline, features: deviations))
    variants.append(Variant(name: "ridge log", transform: .logarithm, features: brief))
    return variants
  }
}

extension Variant {
  /// What a record of its forecasts is good for: name and columns.
  var signature: String {
    "\(name) (\(transform.rawValue)): \(features.map(\.description).joined(separator: ", "))"
  }
}

extension Variant.Transform {
  /// An outcome as the regression sees it; without a baseline yet, as one that equals it.
  func forward(_ outcome: Double, _ naive: NaiveForecasts, day: Int) -> Double {
    switch self {
    case .none: outcome
    case .logarithm: log(outcome)
    case .baseline: naive[.mean28][day].isNaN ? 0 : outcome - naive[.mean28][day]
    }
  }

  /// What the regression says, in the target's unit.
  func backward(_ forecast: Double, _ naive: NaiveForecasts, day: Int) -> Double {
    switch self {
    case .none: forecast
    case .logarithm: exp(forecast)
    case .baseline: forecast + naive[.mean28][day]
    }
  }
}
