import DayLog
internal import Learning
internal import LinearAlgebra
public import Time

/// A day of the log and how much it moved the plain regression.
public struct InfluentialDay: Equatable, Sendable {
  /// The day of the outcome.
  public let day: CalendarDay
  /// By how much the regression's value for that day would move, were it trained without it: in the
  /// target's unit.
  public let shift: Double

  /// A day of which a larger share of the features was missing is not named: what it moved is the means
  /// that stood in for them.
  public static let mostMissing = 0.25
  /// Nor is one with fewer days of log before it: the longest plain windows were not filled then, and a few
  /// values made all means.
  public static let leastBefore = 28
}

extension PersonalModel {
  /// The days of the log that moved the plain regression most, by exact leave-one-out (the column
  /// scales are those of all days); for a yes/no target by that of the last Newton step, in log-odds.
  ///
  /// Days with more than ``InfluentialDay/mostMissing`` of their features missing and the first
  /// ``InfluentialDay/leastBefore`` of the log are left out.
  ///
  /// - Parameters:
  ///   - log: the log it was trained on.
  ///   - count: how many days at most, the most influential first.
  /// - Throws: ``TrainingError`` where the log is another one that cannot be trained on.
  /// - Complexity: that of one fit.
  public func influentialDays(
    in log: PersonalLog, count: Int = 5
  ) throws(TrainingError) -> [InfluentialDay] {
    let rows = TrainingRows(log, target: target, spec: spec, horizon: horizon)
    guard rows.observed.count >= 2 else {
      throw .tooFewDays(needed: 2, actual: rows.observed.count)
    }
    let plain = parts[0]
    let features = try rows.matrix(plain.columns, count: rows.observed.count)
    var response = ContiguousArray(rows.observed.map { rows.outcomes[$0] })
    var weights: ContiguousArray<Double>?
    if target.isBinary {
      let scores: ContiguousArray<Double>
      do { scores = try plain.regression.scores(features) } catch { throw .learning(error) }
      let spread = ContiguousArray(
        scores.map { score in
          let probability = Regression.probability(score)
          return max(probability * (1 - probability), 1e-10)
        })
      for row in response.indices {
        response[row] =
          scores[row] + (response[row] - Regression.probability(scores[row])) / spread[row]
      }
      weights = spread
    }
    do {
      let targets = try Matrix(
        columnMajor: response, rowCount: response.count, columnCount: 1)
      let fit = try RidgeRegression(penalty: plain.penalty)
        .fit(features, targets: targets, weights: weights)
      let found = try fit.diagnostics(features, targets: targets, weights: weights)
      let missing = missingShares(in: log, rows)
      let named = rows.observed.indices.filter {
        rows.observed[$0] >= InfluentialDay.leastBefore
          && missing[rows.observed[$0]] <= InfluentialDay.mostMissing
      }
      let shifts = named.map { row in
        InfluentialDay(
          day: rows.firstDay.advanced(by: rows.observed[row]),
          shift: found.residuals[row, 0] - found.leaveOneOutResiduals[row, 0])
      }
      return Array(
        shifts.filter { $0.shift.isFinite }
          .sorted {
            abs($0.shift) == abs($1.shift) ? $0.day < $1.day : abs($0.shift) > abs($1.shift)
          }
          .prefix(count))
    } catch let error as LearningError {
      throw .learning(error)
    } catch { throw .tooLarge }
  }

  /// The share of the plain regression's features that each day of the log lacks.
  private func missingShares(in log: PersonalLog, _ rows: TrainingRows) -> [Double] {
    let columns = parts[0].columns
    let days = rows.firstDay..<rows.firstDay.advanced(by: rows.dayCount)
    let matrix = FeatureMatrix(
      FeatureSpec(columns.map { spec.features[$0] }), of: log.table(for: target), days: days)
    return (0..<rows.dayCount).map { day in
      let missing = columns.indices.count { !matrix[day, $0].isFinite }
      return Double(missing) / Double(columns.count)
    }
  }
}
