public import LinearAlgebra

/// The training state of a ridge regression whose rows come and go, exact after every edit.
///
/// The state is the sums of its rows, with the column scales of the last full training, and a Cholesky
/// factor of the equations that is updated and downdated in place. Exact means: its model is that of
/// ``RidgeRegression`` on the rows held, with those scales, to 64 ε κ relative to the coefficients of
/// standardised columns, or to the spread of the target where that is larger; κ is the condition of the
/// penalised equations. That holds after any number of edits, and whatever rows came and went: sums are
/// kept to twice the digits of a double, and up to 64 rows that lie far out, weigh much more than the others or are the
/// first to differ in a column are kept apart from them. (Of more of them, as after a level that moved far, the sums
/// remember a share of 2⁻⁷⁵ of their squares: make the state anew then. A state made from
/// ``Moments`` has the rounding of those.) The factor is made anew from the sums every 256 edits and whenever
/// taking a row out would cost digits.
///
/// A state that began without rows takes scales by itself whenever its rows have doubled since. Of others call
/// ``restandardise()`` now and then, as scales age. For a log that is edited and forgotten, where
/// the result must not depend on the edits that led to it, use ``KeyedMoments``.
public struct StreamingRidge: Sendable {
  /// Penalty and standardisation.
  public let settings: RidgeRegression
  private(set) var sums: StreamSums
  /// One over the scales of the features, 0 for one that was constant when they were taken.
  private(set) var inverseScales: ContiguousArray<Double>
  /// What brings the columns of the sums to those scales; the target comes last and stays in the unit of the sums.
  private var scaling: ContiguousArray<Double> = []
  private var factor: StreamFactor
  private var editCount = 0
  /// At how many rows a state that began without any takes its next scales by itself; nil for others.
  private var nextScaling: Int?
  private var vector: ContiguousArray<Double>

  /// How many edits a factor takes before it is made anew.
  private static let editLimit = 256

  /// The state after a full training on these rows.
  ///
  /// - Throws: As a fit by ``RidgeRegression``, and
  ///   ``LearningError/singular(order:)`` where λ is 0 and columns are collinear.
  /// - Complexity: O(*n p*²).
  public init(
    _ settings: RidgeRegression, _ features: Matrix, target: ContiguousArray<Double>,
    weights: ContiguousArray<Double>? = nil
  ) throws(LearningError) {
    try CheckedInput.check(penalty: settings.penalty)
    let (rowCount, p) = (features.rowCount, features.columnCount)
    guard rowCount > 0, p > 0 else { throw .emptyInput(rowCount: rowCount, columnCount: p) }
    do { _ = try Matrix.entryCount(squareOf: p + 2) } catch { throw LearningError(error) }
    guard target.count == rowCount else {
      throw .lengthMismatch(expected: rowCount, actual: target.count)
    }
    if let weights { try CheckedInput.check(weights: weights, count: rowCount) }
    var sums = StreamSums(like: features, target: target, weights: weights)
    for i in 0..<rowCount {
      let (row, weight) = (features.row(i), weights.map { $0[i] } ?? 1)
      do {
        try CheckedInput.check(row: row, featureCount: p, target: target[i], weight: weight)
        guard weight > 0 else { continue }
        try sums.look(at: row, target: target[i], weight: weight)
      } catch { throw error.inRow(i) }
      sums.add(row, target: target[i], weight: weight)
    }
    guard sums.rowCount >= 2 else { throw .tooFewRows(needed: 2, actual: sums.rowCount) }
    let scales = try sums.inverseScales(settings.standardisation)
    try self.init(settings, sums, inverseScales: scales)
  }

  /// The state of no rows: its model is 0 until there are two rows, and from then on that of the rows held, with the scales
  /// that were taken when there were 2, 4, 8 … of them.
  ///
  /// - Parameters:
  ///   - settings: Penalty, above 0, and standardisation.
  ///   - featureCount: How many features a row has, from 1 up.
  /// - Throws: ``LearningError/invalidPenalty(position:)`` where λ is 0, as fewer rows than columns have no model then;
  ///   ``LearningError/emptyInput(rowCount:columnCount:)``; ``LearningError/sizeTooLarge(rowCount:columnCount:)``.
  /// - Complexity: O(*p*²); each taking of scales O(*p*³ / 3).
  public init(_ settings: RidgeRegression, featureCount: Int) throws(LearningError) {
    try CheckedInput.check(penalty: settings.penalty)
    guard settings.penalty > 0 else { throw .invalidPenalty(position: 0) }
    guard featureCount > 0 else { throw .emptyInput(rowCount: 0, columnCount: featureCount) }
    guard featureCount < Int(Int32.max) else {
      throw .sizeTooLarge(rowCount: 0, columnCount: featureCount)
    }
    do { _ = try Matrix.entryCount(squareOf: featureCount + 2) } catch {
      throw LearningError(error)
    }
    try self.init(
      settings, StreamSums(order: featureCount + 1),
      inverseScales: ContiguousArray(repeating: 0, count: featureCount))
    nextScaling = 2
  }

  /// The state after a full training on the rows of these sums, which have one target.
  public init(_ settings: RidgeRegression, _ moments: Moments) throws(LearningError) {
    try CheckedInput.check(penalty: settings.penalty)
    guard moments.targetCount == 1 else { throw .incompatibleState }
    guard moments.rowCount >= 2 else { throw .tooFewRows(needed: 2, actual: moments.rowCount) }
    try self.init(
      settings, StreamSums(moments),
      inverseScales: ColumnScales(moments, settings.standardisation).inverseScales)
  }

  private init(
    _ settings: RidgeRegression, _ sums: StreamSums, inverseScales: ContiguousArray<Double>
  ) throws(LearningError) {
    self.settings = settings
    self.sums = sums
    self.inverseScales = inverseScales
    vector = ContiguousArray(repeating: 0, count: sums.order)
    factor = StreamFactor(order: sums.order - 1)
    try refactor()
    try checkCoefficients()
  }

  /// How many features a row has.
  public var featureCount: Int { sums.order - 1 }
  /// Rows of positive weight held.
  public var rowCount: Int { sums.rowCount }
  /// The sum of their weights.
  public var weightSum: Double { sums.weightSum }
  /// The columns that were constant at the last full training and have coefficient 0 until the next.
  public var constantColumns: [Int] { inverseScales.indices.filter { inverseScales[$0] == 0 } }
  /// The sums of the rows held, in the columns' own units.
  public var moments: Moments { sums.moments }

  /// The model of the rows held.
  ///
  /// - Complexity: O(*p*²).
  public var model: LinearModel {
    var coefficients = ContiguousArray<Double>(repeating: 0, count: featureCount)
    let intercept = writeCoefficients(into: &coefficients)
    return LinearModel(intercept: intercept, coefficients: coefficients)
  }

  /// Writes the coefficients of ``model`` into an array of ``featureCount`` and returns the intercept,
  /// without allocating.
  public func writeCoefficients(into coefficients: inout ContiguousArray<Double>) -> Double {
    precondition(coefficients.count == featureCount)
    factor.solve(into: &coefficients)
    let p = featureCount
    var intercept = sums.mean(p)
    for j in 0..<p {
      coefficients[j] = coefficients[j] / sums.inverseUnits[p] * inverseScales[j]
      intercept -= coefficients[j] * sums.mean(j)
    }
    return intercept
  }

  /// How far out a row lies, as ``RidgeFit/leverage(of:)``.
  ///
  /// - Complexity: O(*p*²).
  public func leverage(of row: ContiguousArray<Double>) throws(LearningError) -> Double {
    try CheckedInput.check(row: row, featureCount: featureCount, target: 0, weight: 1)
    var apart = row
    for j in 0..<featureCount {
      apart[j] = (row[j] - sums.mean(j)) * inverseScales[j]
    }
    return 1 / weightSum + factor.form(&apart)
  }

  /// Adds one row.
  ///
  /// - Parameters:
  ///   - features: ``featureCount`` finite values.
  ///   - target: A finite value.
  ///   - weight: From 0 up; 0 changes nothing.
  /// - Throws: What is wrong with the row, which counts as row 0; the state is then unchanged.
  /// - Complexity: O(*p*²), without allocating.
  /// - Note: *Methods for modifying matrix factorizations*, Gill, Golub, Murray and Saunders, Math.
  ///   Comp. 28 (1974), 505–535.
  public mutating func add(
    _ features: ContiguousArray<Double>, target: Double, weight: Double = 1
  ) throws(LearningError) {
    guard weight > 0, let count = nextScaling, rowCount + 1 >= count else {
      return try addToFactor(features, target: target, weight: weight)
    }
    var copy = self
    try copy.addToFactor(features, target: target, weight: weight)
    try copy.restandardise()
    self = copy
  }

  private mutating func addToFactor(
    _ features: ContiguousArray<Double>, target: Double, weight: Double
  ) throws(LearningError) {
    try look(at: features, target, weight)
    guard weight > 0 else { return }
    updateFactor(weight)
    sums.add(features, target: target, weight: weight)
    countEdit()
  }

  /// Removes one row that was added before, or was part of the training, with the same numbers.
  ///
  /// That it was cannot be known from sums. A row that was not is refused where what would remain is
  /// the sum of no rows; else the state describes the rows held less this one.
  ///
  /// - Throws: What is wrong with the row; ``LearningError/tooFewRows(needed:actual:)`` where none would
  ///   remain; ``LearningError/singular(order:)`` where no model would. The state is then unchanged.
  /// - Complexity: O(*p*²), without allocating; O(*p*³ / 3) where the row is kept apart, as those of up to 15 rows
  ///   are, or holds up the fit so much that the factor must be made anew.
  public mutating func remove(
    _ features: ContiguousArray<Double>, target: Double, weight: Double = 1
  ) throws(LearningError) {
    try look(at: features, target, weight)
    guard weight > 0 else { return }
    guard rowCount > 1 else { throw .tooFewRows(needed: 2, actual: rowCount) }
    if sums.isFarOut(weight: weight) {
      var copy = self
      if copy.sums.removeApart(features, target: target, weight: weight) {
        try copy.refactor()
        self = copy
        return
      }
    }
    try checkRemoval(weight)
    if downdateFactor(weight) {
      sums.remove(weight: weight)
      countEdit()
    } else {
      var copy = self
      copy.sums.remove(weight: weight)
      try copy.refactor()
      self = copy
    }
  }

  /// Puts one row in the place of another: the same as removing the one and adding the other, but for a
  /// state that could not spare the row.
  ///
  /// - Throws: As adding and removing rows; the state is then
  ///   unchanged.
  public mutating func change(
    _ old: ContiguousArray<Double>, target oldTarget: Double, weight oldWeight: Double = 1,
    to new: ContiguousArray<Double>, target newTarget: Double, weight newWeight: Double = 1
  ) throws(LearningError) {
    // Everything that can be wrong with the new row is found before the old one goes.
    try look(at: new, newTarget, newWeight)
    try look(at: old, oldTarget, oldWeight)
    if oldWeight > 0 {
      if rowCount > 1, weightSum - oldWeight > 0, !sums.isFarOut(weight: oldWeight),
        downdateFactor(oldWeight)
      {
        sums.remove(weight: oldWeight)
      } else {
        var copy = self
        try copy.add(new, target: newTarget, weight: newWeight)
        try copy.remove(old, target: oldTarget, weight: oldWeight)
        self = copy
        return
      }
    }
    try add(new, target: newTarget, weight: newWeight)
  }

  /// Adds all rows of a matrix, as adding them one by one would; all or none.
  public mutating func add(
    _ features: Matrix, target: ContiguousArray<Double>, weights: ContiguousArray<Double>? = nil
  ) throws(LearningError) {
    try forEachRow(features, target, weights) { state, row, target, weight throws(LearningError) in
      try state.add(row, target: target, weight: weight)
    }
  }

  /// Removes all rows of a matrix, as removing them one by one would; all or none.
  public mutating func remove(
    _ features: Matrix, target: ContiguousArray<Double>, weights: ContiguousArray<Double>? = nil
  ) throws(LearningError) {
    try forEachRow(features, target, weights) { state, row, target, weight throws(LearningError) in
      try state.remove(row, target: target, weight: weight)
    }
  }

  /// Takes the rows of another state in; the scales stay those of this one.
  ///
  /// - Throws: ``LearningError/incompatibleState`` where settings or feature counts differ.
  /// - Complexity: O(*p*³ / 3).
  public mutating func merge(_ other: StreamingRidge) throws(LearningError) {
    guard other.settings == settings, other.featureCount == featureCount else {
      throw .incompatibleState
    }
    guard other.rowCount > 0 else { return }
    var merged = sums
    merged.merge(other.sums)
    var state = try StreamingRidge(settings, merged, inverseScales: inverseScales)
    if let count = nextScaling {
      state.nextScaling = count
      if merged.rowCount >= count { try state.restandardise() }
    }
    self = state
  }

  /// Takes new scales from the rows held: what a full training would do, without reading a row.
  ///
  /// - Throws: ``LearningError/tooFewRows(needed:actual:)`` where fewer than two rows are held.
  /// - Complexity: O(*p*³ / 3).
  public mutating func restandardise() throws(LearningError) {
    guard rowCount >= 2 else { throw .tooFewRows(needed: 2, actual: rowCount) }
    let next = nextScaling.map { _ in 2 * rowCount }
    var copy = sums
    let scales = try copy.inverseScales(settings.standardisation)
    self = try StreamingRidge(settings, copy, inverseScales: scales)
    nextScaling = next
  }
}

extension StreamingRidge {
  /// Checks a row and has the sums look at it.
  private mutating func look(
    at features: ContiguousArray<Double>, _ target: Double, _ weight: Double
  ) throws(LearningError) {
    try CheckedInput.check(
      row: features, featureCount: featureCount, target: target, weight: weight)
    try sums.look(at: features, target: target, weight: weight)
  }

  /// That the state has a model whose numbers are doubles.
  private func checkCoefficients() throws(LearningError) {
    let model = model
    for j in 0..<featureCount where !model.coefficients[j].isFinite { throw .overflow(column: j) }
    guard model.intercept.isFinite else { throw .overflow(column: featureCount) }
  }

  private func checkRemoval(_ weight: Double) throws(LearningError) {
    guard rowCount > 1, weightSum - weight > 0 else {
      throw .tooFewRows(needed: 2, actual: rowCount)
    }
  }

  /// Writes √(W w / (W ± w)) (u − ū) to `vector`: adding a row changes the centred products by the
  /// square of it, removing one by minus its square.
  private mutating func deviate(_ weight: Double, total: Double) {
    let before = weightSum
    let factor = (before * (weight / total)).squareRoot()
    for j in 0..<vector.count {
      vector[j] = factor * (scaling[j] * (sums.row[j] - sums.means[j]))
    }
  }

  private mutating func updateFactor(_ weight: Double) {
    deviate(weight, total: weightSum + weight)
    factor.update(&vector)
  }

  private mutating func downdateFactor(_ weight: Double) -> Bool {
    deviate(weight, total: weightSum - weight)
    return factor.downdate(&vector)
  }

  private mutating func countEdit() {
    editCount += 1
    guard editCount >= Self.editLimit else { return }
    // A factor that cannot be made anew, at the edge of singular, is better kept, with the units it is made in.
    sums.fold()
    if sums.isSettled {
      _ = makeFactor()
      return
    }
    var copy = self
    if copy.makeFactor() { self = copy } else { editCount = 0 }
  }

  private mutating func refactor() throws(LearningError) {
    guard makeFactor() else { throw .singular(order: featureCount) }
  }

  private mutating func makeFactor() -> Bool {
    editCount = 0
    sums.settle()
    takeScaling()
    return factor.rebuild(from: &sums, scaling: scaling, penalty: settings.penalty)
  }

  private mutating func takeScaling() {
    scaling = ContiguousArray(zip(inverseScales, sums.inverseUnits).map { $0 / $1 }) + [1]
  }

  private mutating func forEachRow(
    _ features: Matrix, _ target: ContiguousArray<Double>, _ weights: ContiguousArray<Double>?,
    _ edit: (inout StreamingRidge, ContiguousArray<Double>, Double, Double) throws(LearningError)
      -> Void
  ) throws(LearningError) {
    let count = features.rowCount
    guard target.count == count else {
      throw .lengthMismatch(expected: count, actual: target.count)
    }
    if let weights { try CheckedInput.check(weights: weights, count: count) }
    var copy = self
    for i in 0..<count {
      do {
        try edit(&copy, features.row(i), target[i], weights.map { $0[i] } ?? 1)
      } catch {
        throw error.inRow(i)
      }
    }
    self = copy
  }

  /// The state as a blob: versioned, checksummed, without times or random marks.
  ///
  /// Mutating, as rows whose products are pending are added first: no single row can then be read out
  /// of the blob but those that are kept apart, and the state read back goes on to the bit as this one does.
  public mutating func encoded() -> [UInt8] {
    sums.fold()
    var writer = BlobWriter(kind: Self.kind, version: 4)
    writer.write(settings.penalty)
    writer.write(settings.standardisation.rawValue)
    sums.write(to: &writer)
    writer.write(inverseScales)
    factor.write(to: &writer)
    writer.write(editCount)
    writer.write(nextScaling ?? 0)
    return writer.finish()
  }

  /// The state in a blob, to the bit.
  public init(decoding bytes: [UInt8]) throws(BlobError) {
    var reader = try BlobReader(bytes, kind: Self.kind, supported: 4)
    // What version 1 kept has lost the digits that this one promises.
    guard reader.version >= 2 else { throw .malformed("a state of version 1: train it anew") }
    let penalty = try reader.readDouble()
    guard let standardisation = Standardisation(rawValue: try reader.readByte()),
      penalty >= 0, penalty.isFinite
    else { throw .malformed("settings") }
    settings = RidgeRegression(penalty: penalty, standardisation: standardisation)
    sums = try StreamSums(from: &reader)
    inverseScales = try reader.readDoubles(count: sums.order - 1)
    factor = try StreamFactor(from: &reader, order: sums.order - 1)
    editCount = try reader.readCount("an edit count")
    vector = ContiguousArray(repeating: 0, count: sums.order)
    if reader.version > 2 {
      let count = try reader.readCount("a row count")
      guard count < 1 << 53 else { throw .malformed("a row count") }
      nextScaling = count > 0 ? count : nil
    }
    try reader.finish()
    guard sums.rowCount > 0 || nextScaling != nil else { throw .malformed("a state of no rows") }
    guard inverseScales.allSatisfy({ $0 >= 0 && $0.isFinite }), editCount < Self.editLimit else {
      throw .malformed("scales of columns")
    }
    takeScaling()
    do { try checkCoefficients() } catch { throw .malformed("a model that is not finite") }
  }

  private static let kind = "DStr"
}
