public import LinearAlgebra

/// How well logistic regressions with each of a list of penalties predict rows they were not fitted on.
///
/// Each split's regression knows the rows it is trained on and nothing else: columns are standardised by
/// them alone.
public struct LogisticCrossValidation: Sendable {
  /// The penalties, as given.
  public let penalties: ContiguousArray<Double>
  /// The weighted mean log loss of a split's held-out rows: a row per penalty, a column per split.
  public let splitLogLosses: Matrix
  /// The weighted mean log loss of all held-out rows together, per penalty.
  public let logLosses: ContiguousArray<Double>

  /// Evaluates every penalty on every split.
  ///
  /// - Parameters:
  ///   - penalties: Above 0, in any order; the objective is that of ``LogisticRegression``.
  ///   - features: One row per observation, finite.
  ///   - labels: 0 or 1 for each row.
  ///   - weights: One per row, from 0 up, which count in fits and losses; nil is 1 for all.
  ///   - splits: At least one, each with rows to hold out, and with both labels among the rows it is
  ///     trained on.
  ///   - settings: What holds for every fit; its penalty does not count.
  ///   - threads: How many threads may share the splits; the result is the same to the bit.
  ///   - progress: Called after each penalty of each split; nil goes on to the end.
  /// - Throws: As a fit by ``LogisticRegression``; positions are those of
  ///   all rows. ``LearningError/invalidSetting(_:)`` for splits that name no rows, or rows there
  ///   are not. ``LearningError/cancelled``.
  /// - Complexity: That of a ``LogisticPath`` for each split; memory for the rows of one split per
  ///   thread.
  public init(
    _ penalties: ContiguousArray<Double>, _ features: Matrix, labels: ContiguousArray<Double>,
    weights: ContiguousArray<Double>? = nil, splits: [RowSplit],
    settings: LogisticRegression = LogisticRegression(tolerance: 1e-6), threads: Int = 1,
    progress: ProgressHandler? = nil
  ) throws(LearningError) {
    try LogisticPath.check(penalties, settings)
    for (position, penalty) in penalties.enumerated() where penalty == 0 {
      throw .invalidPenalty(position: position)
    }
    // What is wrong with a row is found here, where its position is that of the caller.
    _ = try CheckedInput(features, CheckedInput.column(labels), weights)
    try LogisticDesign.check(labels: labels, weights: weights)
    let rowCount = features.rowCount
    let areRows = splits.allSatisfy { split in
      !split.training.isEmpty && !split.heldOut.isEmpty
        && (split.training + split.heldOut).allSatisfy { 0 <= $0 && $0 < rowCount }
    }
    guard !splits.isEmpty, areRows else { throw .invalidSetting("splits") }

    let meter = ProgressMeter(progress, total: penalties.count * splits.count)
    let parts = Parallel.map(splits.count, threads: threads) { index in
      SplitLosses.result(
        penalties, features, labels, weights, splits[index], settings, meter)
    }
    var (losses, weightSum) = (ContiguousArray(repeating: 0.0, count: penalties.count), 0.0)
    var means = ContiguousArray<Double>()
    for part in parts {
      let part = try part.get()
      for i in losses.indices { losses[i] += part.losses[i] }
      weightSum += part.weightSum
      means += part.losses.map { $0 / part.weightSum }
    }
    self.penalties = penalties
    logLosses = ContiguousArray(losses.map { $0 / weightSum })
    do {
      splitLogLosses = try Matrix(
        columnMajor: means, rowCount: penalties.count, columnCount: splits.count)
    } catch { throw LearningError(error) }
  }

  /// The position of the penalty with the least log loss; of equal ones the largest penalty.
  public var bestPosition: Int {
    var best = 0
    for position in penalties.indices {
      let (loss, least) = (logLosses[position], logLosses[best])
      if loss < least || (loss == least && penalties[position] > penalties[best]) {
        best = position
      }
    }
    return best
  }

  /// The penalty with the least log loss.
  public var bestPenalty: Double { penalties[bestPosition] }
}

/// Weighted sums of held-out log losses of one split, a sum per penalty.
private struct SplitLosses: Sendable {
  private(set) var losses: ContiguousArray<Double>
  private(set) var weightSum = 0.0

  static func result(
    _ penalties: ContiguousArray<Double>, _ features: Matrix, _ labels: ContiguousArray<Double>,
    _ weights: ContiguousArray<Double>?, _ split: RowSplit, _ settings: LogisticRegression,
    _ meter: ProgressMeter?
  ) -> Result<SplitLosses, LearningError> {
    Result { () throws(LearningError) in
      try SplitLosses(penalties, features, labels, weights, split, settings, meter)
    }
  }

  private init(
    _ penalties: ContiguousArray<Double>, _ features: Matrix, _ labels: ContiguousArray<Double>,
    _ weights: ContiguousArray<Double>?, _ split: RowSplit, _ settings: LogisticRegression,
    _ meter: ProgressMeter?
  ) throws(LearningError) {
    func part<Values: Collection<Int>>(
      _ values: ContiguousArray<Double>, _ rows: Values
    ) -> ContiguousArray<Double> { ContiguousArray(rows.map { values[$0] }) }

    let path = try LogisticPath(
      penalties, features.rows(at: split.training), labels: part(labels, split.training),
      weights: weights.map { part($0, split.training) }, settings: settings, meter: meter)
    let heldOut = features.rows(at: split.heldOut)
    let heldLabels = part(labels, split.heldOut)
    let heldWeights =
      weights.map { part($0, split.heldOut) }
      ?? ContiguousArray(repeating: 1, count: heldLabels.count)
    losses = []
    for fit in path.fits {
      losses.append(
        zip(try fit.model.logLosses(heldOut, labels: heldLabels), heldWeights)
          .reduce(0) { $0 + $1.0 * $1.1 })
    }
    weightSum = heldWeights.reduce(0, +)
    guard weightSum > 0 else { throw .tooFewRows(needed: 1, actual: 0) }
  }
}
