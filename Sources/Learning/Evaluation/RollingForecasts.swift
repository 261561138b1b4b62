public import LinearAlgebra

/// What a rolling-origin evaluation forecast, beside what came.
public struct RollingForecasts: Equatable, Sendable {
  /// The penalties, as given; the methods here take the position of one.
  public let penalties: ContiguousArray<Double>
  /// The rows forecast so far.
  public internal(set) var rows: Range<Int>
  /// The outcomes of these rows.
  public internal(set) var outcomes: ContiguousArray<Double>
  /// Their weights; nil where all are 1.
  public internal(set) var weights: ContiguousArray<Double>?
  /// How many rows were known when each of these rows was forecast.
  public internal(set) var known: ContiguousArray<Int>
  /// Forecasts of each penalty.
  var columns: [ContiguousArray<Double>]
  /// How far out each row lay when it was forecast, for each penalty.
  var leverageColumns: [ContiguousArray<Double>]

  /// Which errors a penalty is chosen by.
  public enum Loss: Sendable, CaseIterable {
    /// The size of the error.
    case absolute
    /// Its square.
    case square
  }

  /// Nothing forecast yet.
  init(_ penalties: ContiguousArray<Double>, firstRow: Int, isWeighted: Bool) {
    self.penalties = penalties
    rows = firstRow..<firstRow
    outcomes = []
    weights = isWeighted ? [] : nil
    known = []
    columns = penalties.map { _ in [] }
    leverageColumns = columns
  }

  /// The forecasts at one penalty, one per row of ``rows``.
  public func forecasts(position: Int = 0) -> ContiguousArray<Double> {
    columns[position]
  }

  /// Outcome less forecast at one penalty, one per row of ``rows``.
  public func residuals(position: Int = 0) -> ContiguousArray<Double> {
    ContiguousArray(zip(outcomes, columns[position]).map { $0 - $1 })
  }

  /// How far out each row lay when it was forecast, as ``RidgeFit/leverage(of:)`` of that day's fit: the
  /// variance of its error is the noise variance times 1 + this.
  public func leverages(position: Int = 0) -> ContiguousArray<Double> {
    leverageColumns[position]
  }

  /// All forecasts at once: a row per row of ``rows``, a column per penalty.
  public var matrix: Matrix { Matrix(checkedColumns: columns, rowCount: rows.count) }

  /// How far the forecasts at one penalty were from the outcomes.
  public func scores(position: Int = 0) throws(LearningError) -> NumericScores {
    try NumericScores(columns[position], outcomes, weights: weights)
  }

  /// The loss of each row at one penalty, not weighted.
  public func losses(
    position: Int = 0, _ loss: Loss = .absolute
  ) -> ContiguousArray<Double> {
    ContiguousArray(
      zip(outcomes, columns[position]).map { outcome, forecast in
        let error = outcome - forecast
        return loss == .absolute ? abs(error) : error * error
      })
  }

  /// The penalty whose forecasts had the least weighted loss over all rows; of equal ones the largest.
  ///
  /// Its own scores flatter it, as it was chosen on the rows they are taken over: to report what choosing
  /// by rolling origin achieves take ``chosenOnTheWay(by:)``.
  public func bestPenalty(by loss: Loss = .absolute) -> Double {
    penalties[bestPosition(by: loss)]
  }

  /// The position of ``bestPenalty(by:)`` in ``penalties``.
  public func bestPosition(by loss: Loss = .absolute) -> Int {
    least(
      columns.indices.map { position in
        let losses = losses(position: position, loss)
        return losses.indices.reduce(0) { $0 + losses[$1] * (weights?[$1] ?? 1) }
      })
  }

  /// The forecasts of a person who takes, for each row, the penalty that had the least loss over the rows
  /// known by then: as honest as those of a penalty fixed in advance.
  ///
  /// - Returns: The forecasts, and the position of the penalty of each; the largest penalty where no
  ///   forecast row was known yet. Of equal losses the largest penalty.
  public func chosenOnTheWay(
    by loss: Loss = .absolute
  ) -> (forecasts: ContiguousArray<Double>, positions: ContiguousArray<Int>) {
    let losses = columns.indices.map { self.losses(position: $0, loss) }
    var sums = columns.map { _ in 0.0 }
    var (seen, best) = (0, least(sums))
    var (chosen, positions) = (ContiguousArray<Double>(), ContiguousArray<Int>())
    for row in 0..<rows.count {
      let end = max(seen, min(row, known[row] - rows.lowerBound))
      for past in seen..<end {
        for position in sums.indices {
          sums[position] += losses[position][past] * (weights?[past] ?? 1)
        }
      }
      if end > seen { best = least(sums) }
      seen = end
      positions.append(best)
      chosen.append(columns[best][row])
    }
    return (chosen, positions)
  }

  /// The position of the least number; of equal ones that of the largest penalty.
  private func least(_ sums: [Double]) -> Int {
    var best = 0
    for position in sums.indices {
      if sums[position] < sums[best]
        || (sums[position] == sums[best] && penalties[position] > penalties[best])
      {
        best = position
      }
    }
    return best
  }
}
