public import DayLog
public import Learning

/// Why a target has no model. Nothing in it tells a logged value; what was in force stays in force.
public enum TrainingError: Error, Equatable, Sendable {
  /// The log has no such metric; the nearest names it has.
  case unknownMetric(Metric, nearest: [Metric])
  /// Too few days have an outcome.
  case tooFewDays(needed: Int, actual: Int)
  /// The outcome is the same on every day.
  case noVariance
  /// The horizon is not 1 to 7 days.
  case invalidHorizon(Int)
  /// The log has more days times features than the regression can index.
  case tooLarge
  /// The regression refused the rows.
  case learning(LearningError)
}

extension TrainingError: CustomStringConvertible {
  /// One sentence for the person.
  public var description: String {
    switch self {
    case .unknownMetric(let metric, let nearest):
      "the log has no metric \(metric)"
        + (nearest.isEmpty
          ? "" : "; did you mean \(nearest.map(\.name).joined(separator: " or "))?")
    case .tooFewDays(let needed, let actual):
      TargetStanding.progress(actual, of: needed)
    case .noVariance: "the outcome is the same on every day: there is nothing to learn"
    case .invalidHorizon(let days):
      "\(counted(days, "day")) ahead cannot be predicted: choose 1 to 7"
    case .tooLarge: "the log is too large to train on as a whole"
    case .learning: "the regression could not be fitted on these days"
    }
  }

  /// The metrics of a table whose names are nearest to one that it lacks, three at most.
  static func nearest(to metric: Metric, in table: DayTable) -> [Metric] {
    let scored = table.metrics.map { (distance($0.name, metric.name), $0) }
    // Half a word changed is near enough, and so is a name that goes on where this one ends.
    return scored.filter {
      $0.0 <= max(2, metric.name.utf8.count / 2) || $0.1.name.hasPrefix(metric.name)
    }
    .sorted { $0 < $1 }.prefix(3).map(\.1)
  }

  /// The edit distance of two names.
  private static func distance(_ left: String, _ right: String) -> Int {
    let right = Array(right.utf8)
    var row = Array(0...right.count)
    for (index, byte) in left.utf8.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in right.indices {
        let changed = diagonal + (right[column] == byte ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(changed, row[column] + 1, diagonal + 1)
      }
    }
    return row[right.count]
  }
}
