/// What a rolling-origin evaluation has found so far: the forecasts of each regression for the observed
/// days, each made from the days known then.
///
/// Which metrics serve, whether there is a logarithm and when a season counts follows from those days, too. Only
/// λ, one of a few penalties, is chosen on the whole log.
///
/// It can be stopped and resumed, and after an edit what lies before the edit is kept: a forecast
/// depends on the rows before it, and those are told apart by their fingerprints.
struct RollingRecord: Sendable {
  /// The regressions, by name and columns; another list makes the record worthless.
  var variants: [String]
  /// The kernel of the linear algebra they were made with: another one rounds differently.
  let kernel: String
  /// How many observed days there were when λ was chosen.
  let chosenRows: Int
  /// λ of each, nil while it is not chosen.
  var penalties: [Double?]
  /// One for each observed day.
  var fingerprints: [UInt64]
  /// Forecasts of each regression for the observed days so far, NaN before the first it can make.
  var forecasts: [ContiguousArray<Double>]

  /// Nothing found yet.
  init(variants: [String], fingerprints: [UInt64], kernel: String) {
    self.variants = variants
    self.kernel = kernel
    chosenRows = fingerprints.count
    penalties = variants.map { _ in nil }
    self.fingerprints = fingerprints
    forecasts = variants.map { _ in [] }
  }

  /// What of an earlier record still holds for these rows: its λ, and the forecasts for the days
  /// before the first that changed.
  ///
  /// - Returns: the record and the number of rows that changed, or nil where all is to be done again:
  ///   other regressions are asked for, another kernel runs, or there is a quarter more than when λ was chosen.
  func kept(
    variants: [String], fingerprints: [UInt64], kernel: String
  ) -> (record: RollingRecord, changed: Int)? {
    guard variants == self.variants, kernel == self.kernel, !isOutgrown(by: fingerprints.count)
    else { return nil }
    let same = zip(fingerprints, self.fingerprints).prefix { $0 == $1 }.count
    var kept = self
    kept.fingerprints = fingerprints
    kept.forecasts = forecasts.map { ContiguousArray($0.prefix(same)) }
    let before = Set(self.fingerprints)
    let after = Set(fingerprints)
    // An edited row is a new one and an old one less: it counts once.
    let new = fingerprints.count { !before.contains($0) }
    let old = self.fingerprints.count { !after.contains($0) }
    return (kept, max(new, old))
  }

  /// Whether λ was chosen on so many fewer days that it is to be chosen again.
  func isOutgrown(by rowCount: Int) -> Bool { 4 * rowCount >= 5 * chosenRows }
}
