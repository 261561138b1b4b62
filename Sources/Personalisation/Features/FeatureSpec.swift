package import DayLog

/// Which features a model sees, in order: the one definition that training, updating and predicting
/// share.
package struct FeatureSpec: Hashable, Sendable {
  /// The columns, each once.
  package let features: [Feature]

  /// The spec with these columns.
  package init(_ features: [Feature]) {
    precondition(Set(features).count == features.count, "a feature stands once in a spec")
    self.features = features
  }

  /// The spec with the columns of these names, in order.
  ///
  /// - Throws: ``UnknownFeature`` with the first name that is of no feature or stands twice.
  package init(names: [String]) throws(UnknownFeature) {
    var features: [Feature] = []
    var seen: Set<Feature> = []
    for name in names {
      guard let feature = Feature(name), seen.insert(feature).inserted else {
        throw UnknownFeature(name: name)
      }
      features.append(feature)
    }
    self.features = features
  }

  /// The names of the columns.
  package var names: [String] { features.map(\.description) }

  /// How many days back the oldest day lies that a row depends on; nil where every past day counts.
  ///
  /// A change of day *d* touches the rows *d + age* to *d + memory* and no others.
  package var memory: Int? {
    features.reduce(0) { held, feature in
      guard let held, let memory = feature.memory else { return nil }
      return max(held, memory)
    }
  }

  /// The days that a row may look at end this many days before it; nil where only the calendar counts.
  package var age: Int? { features.compactMap { $0.metric == nil ? nil : $0.age }.min() }

  /// The metrics whose columns the features need, ascending.
  package var metrics: [Metric] { Set(features.compactMap(\.metric)).sorted() }
}

/// A name that stands for no feature, or stands twice.
package struct UnknownFeature: Error, Equatable, Sendable {
  /// The name as it was given.
  package let name: String

  /// The error that names `name`.
  package init(name: String) { self.name = name }
}

extension FeatureSpec {
  /// Exponential means forget what is older than this many half-lives (1/256 of the weight).
  static let halfLives = 8

  /// What is tracked of one metric in full: lags, windows, exponential means, score, difference.
  ///
  /// - Parameter horizon: how many days ahead is predicted; nothing younger is looked at.
  package static func full(_ metric: Metric, horizon: Int) -> [Feature] {
    var features = (0..<7).map { Feature(.value, of: metric, age: horizon + $0) }
    for days in [3, 7, 14, 28] {
      features.append(Feature(.mean(days: days), of: metric, age: horizon))
      features.append(Feature(.spread(days: days), of: metric, age: horizon))
      features.append(Feature(.minimum(days: days), of: metric, age: horizon))
      features.append(Feature(.maximum(days: days), of: metric, age: horizon))
    }
    for halfLife in [3, 7, 28] {
      let kind = Feature.Kind.exponentialMean(halfLife: halfLife, days: halfLives * halfLife)
      features.append(Feature(kind, of: metric, age: horizon))
    }
    features.append(Feature(.score(days: 28), of: metric, age: horizon))
    features.append(Feature(.difference, of: metric, age: horizon))
    features.append(Feature(.daysSince(limit: 28), of: metric, age: horizon))
    features.append(Feature(.missing, of: metric, age: horizon))
    return features
  }

  /// The few numbers that say most of a metric: its last value and two levels.
  package static func brief(_ metric: Metric, horizon: Int) -> [Feature] {
    [
      Feature(.value, of: metric, age: horizon),
      Feature(.mean(days: 7), of: metric, age: horizon),
      Feature(.exponentialMean(halfLife: 28, days: halfLives * 28), of: metric, age: horizon),
    ]
  }

  /// The last value as a deviation from the metric's own trailing baselines.
  package static func relative(_ metric: Metric, horizon: Int) -> [Feature] {
    [
      Feature(.deviation(days: 7), of: metric, age: horizon),
      Feature(.deviation(days: 28), of: metric, age: horizon),
    ]
  }

  /// The seven days of the week.
  package static let weekdays = (1...7).map { Feature(calendar: .weekday($0)) }

  /// The season: for logs of a year or more.
  package static let season = [Feature(calendar: .annualSine), Feature(calendar: .annualCosine)]

  /// 23 columns a metric and the seven weekdays: the columns of the benchmark W8.
  ///
  /// Row *t* holds lags 1 to 7, mean, sd, minimum and maximum over 7, 14 and 28 days and exponential
  /// means (half-lives 7 and 28, nothing cut) that end on day *t - 1*, then the value of day *t*
  /// against the 28 days before it and against the day before.
  package static func benchmark(_ metrics: [Metric]) -> FeatureSpec {
    var features: [Feature] = []
    for metric in metrics {
      features += (1...7).map { Feature(.value, of: metric, age: $0) }
      for days in [7, 14, 28] {
        features.append(Feature(.mean(days: days), of: metric, age: 1))
        features.append(Feature(.spread(days: days), of: metric, age: 1))
        features.append(Feature(.minimum(days: days), of: metric, age: 1))
        features.append(Feature(.maximum(days: days), of: metric, age: 1))
      }
      for halfLife in [7, 28] {
        let kind = Feature.Kind.exponentialMean(halfLife: halfLife, days: nil)
        features.append(Feature(kind, of: metric, age: 1))
      }
      features.append(Feature(.score(days: 28), of: metric, age: 0))
      features.append(Feature(.difference, of: metric, age: 0))
    }
    return FeatureSpec(features + weekdays)
  }
}
