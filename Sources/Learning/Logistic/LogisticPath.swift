public import LinearAlgebra

/// Logistic regressions of the same rows for a list of penalties, each begun where its neighbours end.
public struct LogisticPath: Sendable {
  /// A fit per penalty, in the order in which they were given.
  public let fits: [LogisticFit]

  /// Fits every penalty.
  ///
  /// - Parameters:
  ///   - penalties: From 0 up, in any order; the objective is that of ``LogisticRegression``.
  ///   - features: One row per observation, finite.
  ///   - labels: 0 or 1 for each row.
  ///   - weights: One per row, from 0 up; nil is 1 for all.
  ///   - settings: What holds for every fit; its penalty does not count.
  ///   - progress: Called after each penalty; nil goes on to the end.
  /// - Throws: As a fit by ``LogisticRegression``; ``LearningError/cancelled``.
  /// - Complexity: That of one fit, and for each further penalty about two gradients, O(*n p*), and a
  ///   factorisation, O(*p*³ / 3).
  public init(
    _ penalties: ContiguousArray<Double>, _ features: Matrix, labels: ContiguousArray<Double>,
    weights: ContiguousArray<Double>? = nil, settings: LogisticRegression = LogisticRegression(),
    progress: ProgressHandler? = nil
  ) throws(LearningError) {
    try self.init(
      penalties, features, labels: labels, weights: weights, settings: settings,
      meter: ProgressMeter(progress, total: penalties.count))
  }

  init(
    _ penalties: ContiguousArray<Double>, _ features: Matrix, labels: ContiguousArray<Double>,
    weights: ContiguousArray<Double>?, settings: LogisticRegression, meter: ProgressMeter?
  ) throws(LearningError) {
    try Self.check(penalties, settings)
    let (fits, exponents) = try ColumnExponents.fitting(
      features, settings.standardisation, constantColumns: \.[0].constantColumns
    ) { (features: Matrix) throws(LearningError) -> [LogisticFit] in
      try Self.fits(penalties, features, labels, weights, settings, meter)
    }
    self.fits = exponents.map { exponents in fits.map { $0.restored(exponents) } } ?? fits
  }

  private static func fits(
    _ penalties: ContiguousArray<Double>, _ features: Matrix, _ labels: ContiguousArray<Double>,
    _ weights: ContiguousArray<Double>?, _ settings: LogisticRegression, _ meter: ProgressMeter?
  ) throws(LearningError) -> [LogisticFit] {
    let design = try LogisticDesign(
      features, labels: labels, weights: weights, settings.standardisation, isPenalised: true)
    var walk = LogisticWalk(design, settings)
    var fits: [LogisticFit?] = penalties.map { _ in nil }
    for position in Self.descending(penalties) {
      if penalties[position] > 0 {
        try walk.advance(to: penalties[position])
        fits[position] = settings.fit(walk.solver, design)
      } else {
        var unpenalised = settings
        unpenalised.penalty = 0
        fits[position] = try unpenalised.fit(features, labels: labels, weights: weights)
      }
      try meter?.step()
    }
    return fits.compactMap { $0 }
  }

  /// The positions of penalties from the largest to the smallest.
  static func descending(_ penalties: ContiguousArray<Double>) -> [Int] {
    penalties.indices.sorted {
      (penalties[$0], $1) > (penalties[$1], $0)
    }
  }

  /// That there are penalties, all in range, as are the settings.
  static func check(
    _ penalties: ContiguousArray<Double>, _ settings: LogisticRegression
  ) throws(LearningError) {
    guard !penalties.isEmpty else { throw .invalidSetting("penalties") }
    for (position, penalty) in penalties.enumerated() {
      try CheckedInput.check(penalty: penalty, position: position)
    }
    var settings = settings
    settings.penalty = 0
    try settings.check()
  }
}
