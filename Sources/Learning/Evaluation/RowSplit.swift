/// Rows to learn from and rows to be judged on.
public struct RowSplit: Equatable, Sendable {
  /// Positions of rows to fit, ascending.
  public let training: [Int]
  /// Positions of rows to predict, ascending.
  public let heldOut: [Int]

  /// The split with these rows.
  public init(training: [Int], heldOut: [Int]) {
    self.training = training
    self.heldOut = heldOut
  }

  /// A split for each fold: its rows are held out, all others trained on.
  ///
  /// - Parameter folds: The fold of each row, any numbers; splits come in their order.
  public static func folds(_ folds: [Int]) -> [RowSplit] {
    Set(folds).sorted().map { fold in
      RowSplit(
        training: folds.indices.filter { folds[$0] != fold },
        heldOut: folds.indices.filter { folds[$0] == fold })
    }
  }

  /// Folds of neighbouring rows, as equal in length as can be: for rows in the order of time, whose
  /// neighbours are alike.
  ///
  /// - Parameters:
  ///   - rowCount: How many rows there are.
  ///   - count: How many folds, from 2 to the number of rows.
  public static func consecutiveFolds(
    rowCount: Int, count: Int
  ) throws(LearningError) -> [RowSplit] {
    guard count >= 2, count <= rowCount, rowCount <= Int(Int32.max) else {
      throw .invalidSetting("count")
    }
    return folds((0..<rowCount).map { $0 * count / rowCount })
  }

  /// Rolling origin: from `first` rows on, every `step` rows a split that trains on all rows before and is
  /// judged on the next `step`.
  ///
  /// - Parameters:
  ///   - rowCount: How many rows there are.
  ///   - first: How many rows the first split trains on, from 1 up.
  ///   - step: How many rows a split is judged on, from 1 up.
  ///   - gap: How many rows before those it is judged on are not known yet; 0 is a forecast of the next
  ///     row on.
  public static func rollingOrigin(
    rowCount: Int, first: Int, step: Int, gap: Int = 0
  ) throws(LearningError) -> [RowSplit] {
    guard first > 0, gap >= 0, first < rowCount, gap < rowCount - first else {
      throw .invalidSetting("first")
    }
    guard step > 0 else { throw .invalidSetting("step") }
    let step = min(step, rowCount)
    return stride(from: first + gap, to: rowCount, by: step).map { start in
      RowSplit(
        training: Array(0..<start - gap), heldOut: Array(start..<min(start + step, rowCount)))
    }
  }
}
