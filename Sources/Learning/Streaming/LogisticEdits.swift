internal import LinearAlgebra

extension LogisticSolver {
  /// Steps are counted from here on.
  mutating func beginEdits() {
    iterations = 0
    editCount = 0
  }

  /// Has the factor made anew for the next edit when those since the last time have together taken as many
  /// steps too many as a new factor costs: two are what a fresh one takes.
  mutating func endEdits() {
    excess += max(0, iterations - 2)
    guard Double(excess) > renewalCost else { return }
    excess = 0
    mustRenew = true
  }

  /// Takes a row in that was put into a slot: into scores, gradient and factor. It is used up.
  mutating func add(
    _ row: inout ContiguousArray<Double>, label: Double, weight: Double, slot: Int
  ) {
    let score = BLAS.dot(point.count, row, point)
    makeRoom(for: slot + 1)
    scores[slot] = score
    edit(&row, weight: weight, label: label, score: score, sign: 1)
  }

  /// Takes a row out before its slot is emptied. It is used up.
  mutating func remove(
    _ row: inout ContiguousArray<Double>, label: Double, weight: Double, slot: Int
  ) {
    edit(&row, weight: weight, label: label, score: scores[slot], sign: -1)
  }

  private mutating func edit(
    _ row: inout ContiguousArray<Double>, weight: Double, label: Double, score: Double,
    sign: Double
  ) {
    let residual = sign * weight * (LogisticFunction.probability(score) - label)
    let root = (weight * LogisticFunction.variance(score)).squareRoot()
    var largest = 0.0
    for j in row.indices {
      gradient[j] += residual * row[j]
      largest = max(largest, abs(row[j]))
      row[j] *= root
    }
    doubt += abs(residual) * largest * .ulpOfOne
    editCount += 1
    // Turning so many rows in one by one would take longer than a new factor.
    if editCount > point.count { mustRenew = true }
    guard !mustRenew else { return }
    if sign > 0 {
      curvature.add(row)
    } else if !curvature.remove(row) {
      mustRenew = true
    }
  }

  /// Computes the gradient in full where the edits since the last time have put it in doubt: a row of a large weight
  /// that goes takes digits of all others with it.
  mutating func endDoubt(_ rows: LogisticRows) {
    guard !(doubt <= tolerance * rows.weightSum / 16) else { return }
    mustRenew = true
    let steps = iterations
    start(at: point, rows, penalty: penalty)
    iterations = steps
  }

  /// Goes back to where the intercept alone stands, and takes nothing from before, not even its steps.
  mutating func beginAnew(_ rows: LogisticRows) {
    mustRenew = true
    for j in point.indices { direction[j] = 0 }
    direction[point.count - 1] = rows.meanLogOdds
    start(at: direction, rows, penalty: penalty)
  }

  /// Becomes another solver of the same columns, in the memory it has.
  mutating func copy(from other: LogisticSolver) {
    Self.copy(other.point, into: &point)
    Self.copy(other.scores, into: &scores)
    Self.copy(other.gradient, into: &gradient)
    makeRoom(for: scores.count)
    penalty = other.penalty
    iterations = other.iterations
    mustRenew = other.mustRenew
    editCount = other.editCount
    excess = other.excess
    doubt = other.doubt
    curvature.copy(from: other.curvature)
  }

  private static func copy(
    _ values: ContiguousArray<Double>, into copy: inout ContiguousArray<Double>
  ) {
    if copy.count > values.count { copy.removeLast(copy.count - values.count) }
    while copy.count < values.count { copy.append(0) }
    for i in values.indices { copy[i] = values[i] }
  }

  /// Makes room for this many slots, in memory of its own.
  mutating func reserveCapacity(_ slotCount: Int) {
    let room = LogisticRows.room(for: slotCount)
    scores.reserveCapacity(room)
    trialScores.reserveCapacity(room)
    residuals.reserveCapacity(room)
    point.reserveCapacity(point.count)
    gradient.reserveCapacity(gradient.count)
    trial.reserveCapacity(trial.count)
    trialGradient.reserveCapacity(trialGradient.count)
    direction.reserveCapacity(direction.count)
    curvature.makeUnique()
  }

  /// Lengthens what has an entry per slot.
  mutating func makeRoom(for slotCount: Int) {
    let room = LogisticRows.room(for: slotCount)
    while scores.count < room { scores.append(0) }
    while trialScores.count < room { trialScores.append(0) }
    while residuals.count < room { residuals.append(0) }
  }
}
