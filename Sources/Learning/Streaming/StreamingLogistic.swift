public import LinearAlgebra

/// A logistic regression whose rows come, change and go, fitted anew after every edit at the price of a few
/// passes over them.
///
/// It holds the rows, standardised with the scales of the full training, the point where the gradient
/// vanishes, and a factor of the second derivative. An edit turns the row into the factor or out of it and
/// goes on from the point with exact gradients of all rows held, until ``LogisticRegression/tolerance`` is
/// met. So its model is that of ``LogisticRegression`` on the rows held, with those scales: two
/// points whose gradients are at most *t* Σw differ by at most 2 *t* Σw √(*p* + 1) / μ, where μ is the
/// least eigenvalue of the second derivative, λ or more for all directions but the intercept's. The factor is
/// made anew when it no longer serves; it sets the pace, not the result.
///
/// An edit may take ``LogisticRegression/maximumIterations`` steps from where it stands and as many from the start. Every
/// edit is whole or not at all. Make the state anew from the rows now and then, as scales age.
///
/// Memory: 8 (*p* + 12) bytes for each row held and about 60 *p*² beside them.
public struct StreamingLogistic: Sendable {
  /// Penalty, standardisation, tolerance and steps.
  public let settings: LogisticRegression
  let scales: ColumnScales
  private(set) var rows: LogisticRows
  private(set) var solver: LogisticSolver
  /// The solver as it was before the edit that is under way.
  private var kept: LogisticSolver
  private(set) var slots: [Int: Int]
  private(set) var emptySlots: [Int]
  /// Rows held with label 0, and with label 1.
  private var counts: (zeros: Int, ones: Int) = (0, 0)
  private var journal = EditJournal()
  private var row: ContiguousArray<Double>
  private var vector: ContiguousArray<Double>

  /// The state after a full training on these rows.
  ///
  /// - Parameters:
  ///   - settings: With a penalty above 0.
  ///   - keys: What names each row, such as its day; none twice.
  ///   - features: One row per key, finite.
  ///   - labels: 0 or 1 for each row, both at least once.
  ///   - weights: One per row, from 0 up; rows of weight 0 are not held. Nil is 1 for all.
  /// - Throws: As a fit by ``LogisticRegression``;
  ///   ``LearningError/conflictingKey(_:)`` for a key that comes twice;
  ///   ``LearningError/invalidPenalty(position:)`` where λ is 0.
  /// - Complexity: O(*n p*²).
  public init(
    _ settings: LogisticRegression, keys: [Int], _ features: Matrix,
    labels: ContiguousArray<Double>, weights: ContiguousArray<Double>? = nil
  ) throws(LearningError) {
    try settings.check()
    guard settings.penalty > 0 else { throw .invalidPenalty(position: 0) }
    guard keys.count == features.rowCount else {
      throw .lengthMismatch(expected: features.rowCount, actual: keys.count)
    }
    let design = try LogisticDesign(
      features, labels: labels, weights: weights, settings.standardisation, isPenalised: true,
      keepsColumns: true)
    var solver = settings.solver(design)
    solver.start(at: LogisticRegression.origin(design), design.rows, penalty: settings.penalty)
    try settings.converge(&solver, design)
    var slots: [Int: Int] = [:]
    for (i, key) in keys.enumerated() where weights.map({ $0[i] > 0 }) ?? true {
      guard slots.updateValue(slots.count, forKey: key) == nil else { throw .conflictingKey(key) }
    }
    self.init(settings, design.scales, design.rows, solver, slots: slots, emptySlots: [])
  }

  init(
    _ settings: LogisticRegression, _ scales: ColumnScales, _ rows: LogisticRows,
    _ solver: LogisticSolver, slots: [Int: Int], emptySlots: [Int]
  ) {
    self.settings = settings
    self.scales = scales
    self.rows = rows
    self.solver = solver
    self.slots = slots
    self.emptySlots = emptySlots
    kept = solver
    row = ContiguousArray(repeating: 0, count: rows.order)
    vector = row
    for slot in slots.values { count(rows.labels[slot], by: 1) }
  }

  /// How many features a row has.
  public var featureCount: Int { rows.order - 1 }
  /// Rows held.
  public var rowCount: Int { slots.count }
  /// The sum of their weights.
  public var weightSum: Double { rows.weightSum }
  /// The columns that were constant at the full training and have coefficient 0.
  public var constantColumns: [Int] { scales.constantColumns }
  /// The gradient of the objective divided by the weight sum, in the infinity norm.
  public var gradient: Double { solver.gradientNorm(rows) }
  /// The mean log loss of the rows held, without the penalty.
  public var logLoss: Double { rows.meanLoss(solver.scores) }

  /// Whether a row with this key is held.
  public func contains(_ key: Int) -> Bool { slots[key] != nil }

  /// The model of the rows held.
  public var model: LinearModel {
    let (intercept, coefficients) = scales.model(
      solver.point, targetMean: solver.point[featureCount])
    return LinearModel(link: .logit, intercept: intercept, coefficients: coefficients)
  }

  /// Makes room for this many rows, in memory that is shared with no other state: until there are more, edits
  /// allocate nothing, but once where single precision proves too coarse for the rows' second derivative.
  ///
  /// A copy of the state makes its own room when it is first changed, row by row as it needs it.
  ///
  /// - Precondition: There is memory for as many rows.
  /// - Complexity: O(*n p* + *p*²) for the rows held and those to come.
  public mutating func reserveCapacity(_ rowCount: Int) {
    let slotCount = max(rowCount, slots.count + emptySlots.count)
    rows.reserveCapacity(slotCount)
    solver.reserveCapacity(slotCount)
    kept.reserveCapacity(slotCount)
    slots.reserveCapacity(slotCount)
    emptySlots.reserveCapacity(slotCount)
    journal.reserveCapacity(rowLength: rows.order)
    row.reserveCapacity(row.count)
    vector.reserveCapacity(vector.count)
  }

  /// Writes the coefficients of ``model`` into an array of ``featureCount`` and returns the intercept,
  /// without allocating.
  public func writeCoefficients(into coefficients: inout ContiguousArray<Double>) -> Double {
    precondition(coefficients.count == featureCount)
    var intercept = solver.point[featureCount]
    for j in 0..<featureCount {
      coefficients[j] = solver.point[j] * scales.inverseScales[j]
      intercept -= coefficients[j] * scales.means[j]
    }
    return intercept
  }

  /// Adds a row, or puts it in the place of the one with its key.
  ///
  /// - Parameters:
  ///   - key: Which row it is: any number, such as that of a day.
  ///   - features: ``featureCount`` finite values.
  ///   - label: 0 or 1.
  ///   - weight: From 0 up; 0 removes the row with this key if there is one.
  /// - Throws: What is wrong with the row, which counts as row 0; ``LearningError/singleClass`` where
  ///   only one label would be left; ``LearningError/notConverged(iterations:gradient:)``;
  ///   ``LearningError/overflow(column:)`` where a coefficient would be no double. The state is then unchanged.
  /// - Complexity: O(*p*²) and O(*n p*) for each of a few steps; without allocating in the room that
  ///   ``reserveCapacity(_:)`` has made, else now and then for another block of rows.
  public mutating func set(
    _ key: Int, _ features: ContiguousArray<Double>, label: Double, weight: Double = 1
  ) throws(LearningError) {
    try standardise(features, label, weight)
    begin()
    if let slot = slots[key] { empty(slot, key) }
    if weight > 0 { fill(key, label, weight) }
    try finish()
  }

  /// Adds or replaces the rows of a matrix, with one fit for all of them; all or none.
  ///
  /// - Throws: As for a single row, whose position is that in the matrix.
  public mutating func set(
    _ keys: [Int], _ features: Matrix, labels: ContiguousArray<Double>,
    weights: ContiguousArray<Double>? = nil
  ) throws(LearningError) {
    let count = keys.count
    guard features.rowCount == count, labels.count == count else {
      throw .lengthMismatch(expected: count, actual: min(features.rowCount, labels.count))
    }
    if let weights { try CheckedInput.check(weights: weights, count: count) }
    for i in 0..<count {
      do { try standardise(features.row(i), labels[i], weights.map { $0[i] } ?? 1) } catch {
        throw error.inRow(i)
      }
    }
    begin()
    for i in 0..<count {
      let weight = weights.map { $0[i] } ?? 1
      try standardise(features.row(i), labels[i], weight)
      if let slot = slots[keys[i]] { empty(slot, keys[i]) }
      if weight > 0 { fill(keys[i], labels[i], weight) }
    }
    try finish()
  }

  /// Removes the row with this key.
  ///
  /// - Throws: ``LearningError/unknownKey(_:)`` where there is none, and as setting a row;
  ///   the state is then unchanged.
  public mutating func remove(_ key: Int) throws(LearningError) {
    guard let slot = slots[key] else { throw .unknownKey(key) }
    begin()
    empty(slot, key)
    try finish()
  }

  /// Removes the rows with these keys, with one fit for all; all or none.
  public mutating func remove(_ keys: [Int]) throws(LearningError) {
    for key in keys where slots[key] == nil { throw .unknownKey(key) }
    begin()
    for key in keys {
      // A key that is named twice is gone the second time.
      if let slot = slots[key] { empty(slot, key) }
    }
    try finish()
  }
}

extension StreamingLogistic {
  /// Checks a row and writes it standardised to `row`.
  private mutating func standardise(
    _ features: ContiguousArray<Double>, _ label: Double, _ weight: Double
  ) throws(LearningError) {
    let p = featureCount
    try CheckedInput.check(row: features, featureCount: p, target: label, weight: weight)
    guard label == 0 || label == 1 else { throw .targetNotBinary(row: 0) }
    for j in 0..<p {
      row[j] = (features[j] - scales.means[j]) * scales.inverseScales[j]
      guard abs(row[j]) < 0x1p400 else { throw .overflow(column: j) }
    }
    row[p] = 1
  }

  private mutating func begin() {
    journal.clear()
    kept.copy(from: solver)
    solver.beginEdits()
  }

  /// Takes a row out of its slot.
  private mutating func empty(_ slot: Int, _ key: Int) {
    rows.copy(slot, to: &vector)
    journal.note(
      slot: slot, key: key, kind: .emptied, row: vector, label: rows.labels[slot],
      weight: rows.weights[slot])
    solver.remove(&vector, label: rows.labels[slot], weight: rows.weights[slot], slot: slot)
    count(rows.labels[slot], by: -1)
    for j in vector.indices { vector[j] = 0 }
    rows.put(vector, label: 0, weight: 0, in: slot)
    slots[key] = nil
    emptySlots.append(slot)
  }

  /// Puts `row` into a slot.
  private mutating func fill(_ key: Int, _ label: Double, _ weight: Double) {
    let isNew = emptySlots.isEmpty
    let slot = emptySlots.popLast() ?? rows.addSlot()
    journal.note(
      slot: slot, key: key, kind: isNew ? .filledNew : .filled, row: row, label: label,
      weight: weight)
    rows.put(row, label: label, weight: weight, in: slot)
    for j in row.indices { vector[j] = row[j] }
    solver.add(&vector, label: label, weight: weight, slot: slot)
    count(label, by: 1)
    slots[key] = slot
  }

  /// Fits the rows that are there now, or takes all edits since ``begin()`` back.
  private mutating func finish() throws(LearningError) {
    rows.sumWeights()
    if hasBothLabels {
      solver.endDoubt(rows)
      var isLeast = solver.minimise(rows)
      if !isLeast {
        // From where the rows before it led, a row that outweighs them all may be out of reach.
        solver.beginAnew(rows)
        isLeast = solver.minimise(rows)
      }
      if isLeast, overflowingColumn == nil { return solver.endEdits() }
    }
    let error: LearningError =
      if !hasBothLabels {
        .singleClass
      } else if let column = overflowingColumn {
        .overflow(column: column)
      } else {
        .notConverged(iterations: solver.iterations, gradient: solver.gradientNorm(rows))
      }
    takeBack()
    throw error
  }

  /// The first coefficient that is no double, ``featureCount`` for the intercept.
  private var overflowingColumn: Int? {
    var intercept = solver.point[featureCount]
    for j in 0..<featureCount {
      let coefficient = solver.point[j] * scales.inverseScales[j]
      guard coefficient.isFinite else { return j }
      intercept -= coefficient * scales.means[j]
    }
    return intercept.isFinite ? nil : featureCount
  }

  var hasBothLabels: Bool { counts.zeros > 0 && counts.ones > 0 }

  private mutating func takeBack() {
    while let edit = journal.last {
      switch edit.kind {
      case .filled, .filledNew:
        for j in vector.indices { vector[j] = 0 }
        rows.put(vector, label: 0, weight: 0, in: edit.slot)
        slots[edit.key] = nil
        count(edit.label, by: -1)
        if edit.kind == .filledNew { rows.dropLastSlot() } else { emptySlots.append(edit.slot) }
      case .emptied:
        journal.copyLastRow(to: &vector)
        rows.put(vector, label: edit.label, weight: edit.weight, in: edit.slot)
        slots[edit.key] = edit.slot
        count(edit.label, by: 1)
        emptySlots.removeLast()
      }
      journal.dropLast(rowLength: rows.order)
    }
    rows.sumWeights()
    swap(&solver, &kept)
  }

  private mutating func count(_ label: Double, by change: Int) {
    if label == 0 { counts.zeros += change } else { counts.ones += change }
  }
}
