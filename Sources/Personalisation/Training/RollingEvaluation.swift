internal import Learning
internal import LinearAlgebra

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Forecasts one regression's rows in order, each from a fit on the rows known `horizon` days before.
///
/// Rows come in segments of ``segment``, each with column scales of the rows before it, so that it depends
/// on nothing else; within it ridge is refitted every day and logistic every week.
struct RollingEvaluation {
  /// How many rows share their column scales.
  static let segment = 28
  /// How many rows before the first forecast.
  static let leastRows = 20
  /// Segments that λ is chosen on, spread over the log.
  static let choices = 12

  let features: Matrix
  /// The transformed outcomes of the rows.
  let target: ContiguousArray<Double>
  /// How many rows are known when row *i* is forecast.
  let known: [Int]
  let isBinary: Bool

  /// The first row with a forecast.
  var first: Int { known.firstIndex { $0 >= Self.leastRows } ?? known.count }

  /// The starts of the segments.
  var starts: [Int] { Array(stride(from: first, to: known.count, by: Self.segment)) }

  /// Whether the outcomes of the first `count` rows differ at all.
  private func varies(_ count: Int) -> Bool {
    target[..<count].contains { $0 != target[0] }
  }

  /// λ by rolling origin: the one whose fits forecast the rows after them best.
  func choosePenalty() throws(TrainingError) -> Double {
    let penalties = Regression.penalties(isBinary: isBinary)
    let starts = starts
    guard !starts.isEmpty else { return penalties[penalties.count - 1] }
    let step = max(1, (starts.count + Self.choices - 1) / Self.choices)
    var losses = penalties.map { _ in 0.0 }
    var rolling = try ridge(ContiguousArray(penalties))
    for (index, start) in starts.enumerated() {
      guard (starts.count - 1 - index) % step == 0, varies(known[start]) else {
        rolling?.skip()
        continue
      }
      if let forecasts = try advance(&rolling) {
        for place in penalties.indices {
          losses[place] += forecasts.losses(position: place).reduce(0, +)
        }
      } else {
        for (place, model) in try path(penalties, known[start]).enumerated() {
          for row in start..<min(start + Self.segment, known.count) {
            do {
              losses[place] += Scores.logLoss(try probability(model, row), target[row])
            } catch { throw .learning(error) }
          }
        }
      }
    }
    var best = penalties.count - 1
    for place in penalties.indices.reversed() where losses[place] < losses[best] { best = place }
    return penalties[best]
  }

  /// Appends forecasts of whole segments, the first of which begins at or before the last forecast held.
  ///
  /// - Parameter mayContinue: asked before each segment; false stops there.
  /// - Returns: the regression on all rows; nil where it was stopped.
  func run(
    _ forecasts: inout ContiguousArray<Double>, penalty: Double, mayContinue: () -> Bool
  ) throws(TrainingError) -> LinearModel? {
    let first = first
    while forecasts.count < first { forecasts.append(.nan) }
    let isDone = forecasts.count >= known.count
    let done = isDone ? starts.count : (forecasts.count - first) / Self.segment
    if !isDone { forecasts.removeSubrange((first + done * Self.segment)...) }
    var rolling = try ridge([penalty])
    for (index, start) in starts.enumerated() {
      guard index >= done else {
        rolling?.skip()
        continue
      }
      guard mayContinue() else { return nil }
      let end = min(start + Self.segment, known.count)
      if !varies(known[start]) {
        rolling?.skip()
        for _ in start..<end { forecasts.append(.nan) }
      } else if let found = try advance(&rolling) {
        forecasts += found.forecasts()
      } else {
        try weekly(penalty, rows: start..<end, into: &forecasts)
      }
    }
    guard let rolling else { return try path([penalty], target.count)[0] }
    do {
      let settings = RidgeRegression(penalty: penalty)
      guard let sums = try rolling.moments() else {
        return try settings.fit(features, target: target).model
      }
      return try settings.fit(sums).model
    } catch { throw .learning(error) }
  }

  /// The evaluation of ridge at some penalties; nil for a yes/no target.
  private func ridge(
    _ penalties: ContiguousArray<Double>
  ) throws(TrainingError) -> RollingRidge? {
    guard !isBinary else { return nil }
    do {
      return try RollingRidge(
        RollingOrigin(leastRows: Self.leastRows, scaleInterval: Self.segment), penalties, features,
        target: target, known: known)
    } catch { throw .learning(error) }
  }

  /// The next segment's forecasts by ridge; nil for a yes/no target.
  private func advance(_ rolling: inout RollingRidge?) throws(TrainingError) -> RollingForecasts? {
    do { _ = try rolling?.advance() } catch { throw .learning(error) }
    return rolling?.takeForecasts()
  }

  /// The forecast of one row, the probability of a yes.
  private func probability(_ model: LinearModel, _ row: Int) throws(LearningError) -> Double {
    try model.predict(features.row(row))
  }

  /// Forecasts of yes/no rows of a segment, from a regression that takes a week's rows in at a time.
  ///
  /// It is trained on the rows known at the segment's start and nothing else, so that a segment done
  /// again has the same bits.
  private func weekly(
    _ penalty: Double, rows: Range<Int>, into forecasts: inout ContiguousArray<Double>
  ) throws(TrainingError) {
    do {
      var added = known[rows.lowerBound]
      var stream = try StreamingLogistic(
        LogisticRegression(penalty: penalty), keys: Array(0..<added), features.rows(0..<added),
        labels: ContiguousArray(target[..<added]))
      for week in stride(from: rows.lowerBound, to: rows.upperBound, by: 7) {
        let new = added..<known[week]
        if !new.isEmpty {
          try stream.set(
            Array(new), features.rows(new), labels: ContiguousArray(target[new]))
        }
        added = new.upperBound
        let model = stream.model
        for row in week..<min(week + 7, rows.upperBound) {
          forecasts.append(try probability(model, row))
        }
      }
    } catch { throw .learning(error) }
  }

  /// The logistic regressions of the first rows, one for each penalty.
  private func path(
    _ penalties: [Double], _ count: Int
  ) throws(TrainingError) -> [LinearModel] {
    do {
      let path = try LogisticPath(
        ContiguousArray(penalties), features.rows(0..<count),
        labels: ContiguousArray(target[..<count]))
      return path.fits.map(\.model)
    } catch { throw .learning(error) }
  }
}
