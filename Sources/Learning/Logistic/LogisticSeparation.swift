extension LogisticSolver {
  /// The minimum without a penalty, by Newton steps with a fresh factor each; or the error that there is
  /// none.
  ///
  /// A small gradient proves nothing here: where the classes can be told apart the gradient goes to 0 as
  /// coefficients grow for ever. So it ends only when a full step moves no score by more than 2⁻¹⁰: near a
  /// minimum steps shrink quadratically, on the way to infinity they stay near 1. It is separation when
  /// every row is on its side; when the rows have, over the last steps, only moved further to their side
  /// (some rows told apart, the others not moving: quasi-complete separation); or when the second
  /// derivative has vanished in some direction, which it had at the beginning. *On the existence of
  /// maximum likelihood estimates in logistic regression models*, Albert and Anderson, Biometrika 71
  /// (1984), 1–10.
  mutating func minimiseUnpenalised(_ rows: LogisticRows) throws(LearningError) {
    var earlier: ContiguousArray<Double>?
    while iterations < maximumIterations {
      guard renew(rows, exactly: true) else { throw .separated }
      guard step(rows) != nil else {
        // Rounding leaves no way down: the minimum, or as near as it comes.
        if gradientNorm(rows) <= tolerance { return }
        break
      }
      // The step has put the point it came from in the place of the trial.
      if gradientNorm(rows) <= tolerance && largestMove(rows) <= 0x1p-10 { return }
      if isApart(rows, since: nil) { throw .separated }
      if gradientNorm(rows) <= 1e-5 {
        if let earlier {
          if isApart(rows, since: earlier) { throw .separated }
        } else {
          earlier = scores
        }
      }
    }
    throw .notConverged(iterations: iterations, gradient: gradientNorm(rows))
  }

  /// Whether every row is on its side, or has moved to its side since it had earlier scores, some by 4 at
  /// least and none back by more than a thousandth of the furthest move.
  private func isApart(_ rows: LogisticRows, since earlier: ContiguousArray<Double>?) -> Bool {
    var (least, most) = (Double.infinity, -Double.infinity)
    for i in 0..<rows.slotCount where rows.weights[i] > 0 {
      let move = scores[i] - (earlier?[i] ?? 0)
      let toItsSide = rows.labels[i] == 1 ? move : -move
      least = min(least, toItsSide)
      most = max(most, toItsSide)
    }
    return earlier == nil ? least > 0 : most >= 4 && least >= -1e-3 * most
  }
}
