public import LinearAlgebra

// The calls an app makes most, for those who hold their numbers in `Array`. On Linux and for numbers on
// Apple's systems, turning one into a `ContiguousArray` shares its memory and copies nothing.

extension RidgeRegression {
  /// Fits a target.
  public func fit(
    _ features: Matrix, target: [Double], weights: [Double]? = nil, threads: Int = 1
  ) throws(LearningError) -> RidgeFit {
    try fit(
      features, target: ContiguousArray(target), weights: weights.map { ContiguousArray($0) },
      threads: threads)
  }
}

extension LogisticRegression {
  /// Fits labels.
  public func fit(
    _ features: Matrix, labels: [Double], weights: [Double]? = nil,
    startingFrom start: LinearModel? = nil
  ) throws(LearningError) -> LogisticFit {
    try fit(
      features, labels: ContiguousArray(labels), weights: weights.map { ContiguousArray($0) },
      startingFrom: start)
  }
}

extension LinearModel {
  /// The prediction for one row.
  public func predict(_ row: [Double]) throws(LearningError) -> Double {
    try predict(ContiguousArray(row))
  }

  /// The score of one row.
  public func score(_ row: [Double]) throws(LearningError) -> Double {
    try score(ContiguousArray(row))
  }
}

extension PenaltyPath {
  /// Evaluates every penalty on one target.
  public init(
    _ penalties: [Double], _ features: Matrix, target: [Double], weights: [Double]? = nil,
    standardisation: Standardisation = .centredAndScaled, threads: Int = 1
  ) throws(LearningError) {
    try self.init(
      ContiguousArray(penalties), features, target: ContiguousArray(target),
      weights: weights.map { ContiguousArray($0) }, standardisation: standardisation,
      threads: threads)
  }
}

extension StreamingRidge {
  /// The state after a full training on these rows.
  public init(
    _ settings: RidgeRegression, _ features: Matrix, target: [Double], weights: [Double]? = nil
  ) throws(LearningError) {
    try self.init(
      settings, features, target: ContiguousArray(target),
      weights: weights.map { ContiguousArray($0) })
  }

  /// Adds one row.
  public mutating func add(
    _ features: [Double], target: Double, weight: Double = 1
  ) throws(LearningError) {
    try add(ContiguousArray(features), target: target, weight: weight)
  }

  /// Removes one row.
  public mutating func remove(
    _ features: [Double], target: Double, weight: Double = 1
  ) throws(LearningError) {
    try remove(ContiguousArray(features), target: target, weight: weight)
  }
}

extension SlidingWindowRidge {
  /// Takes a row in and lets the oldest go.
  public mutating func slide(
    _ features: [Double], target: Double, weight: Double = 1
  ) throws(LearningError) {
    try slide(ContiguousArray(features), target: target, weight: weight)
  }
}

extension KeyedMoments {
  /// Adds or replaces a row.
  public mutating func set(
    _ key: Int, _ features: [Double], target: Double, weight: Double = 1
  ) throws(LearningError) {
    try set(key, ContiguousArray(features), target: target, weight: weight)
  }
}

extension StreamingLogistic {
  /// Adds or replaces a row.
  public mutating func set(
    _ key: Int, _ features: [Double], label: Double, weight: Double = 1
  ) throws(LearningError) {
    try set(key, ContiguousArray(features), label: label, weight: weight)
  }
}
