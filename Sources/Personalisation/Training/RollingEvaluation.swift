internal import Learning
internal import LinearAlgebra

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Forecasts one regression's rows in order, each from a fit on the rows known `horizon` days before.
///
/// Rows come in segments of ``segment``. Each segment starts from sums over all rows before it, with
/// column scales of those rows, so that it depends on nothing else; within it ridge is updated
/// every day and logistic refitted every week.
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
    var sums: Moments?
    var summed = 0
    for (index, start) in starts.enumerated() where (starts.count - 1 - index) % step == 0 {
      let count = known[start]
      guard varies(count) else { continue }
      if !isBinary { try extend(&sums, from: &summed, to: count) }
      let end = min(start + Self.segment, known.count)
      for (place, model) in try models(penalties, count, sums).enumerated() {
        for row in start..<end {
          let forecast = self.forecast(model, row)
          losses[place] +=
            isBinary ? Scores.logLoss(forecast, target[row]) : abs(forecast - target[row])
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
  /// - Returns: whether all rows are forecast.
  func run(
    _ forecasts: inout ContiguousArray<Double>, penalty: Double, mayContinue: () -> Bool
  ) throws(TrainingError) -> Bool {
    let first = first
    while forecasts.count < first { forecasts.append(.nan) }
    if forecasts.count >= known.count { return true }
    let done = (forecasts.count - first) / Self.segment
    forecasts.removeSubrange((first + done * Self.segment)...)
    var sums: Moments?
    var summed = 0
    for (index, start) in starts.enumerated() {
      if !isBinary { try extend(&sums, from: &summed, to: known[start]) }
      guard index >= done else { continue }
      guard mayContinue() else { return false }
      let end = min(start + Self.segment, known.count)
      if !varies(known[start]) {
        for _ in start..<end { forecasts.append(.nan) }
      } else if isBinary {
        try weekly(penalty, rows: start..<end, into: &forecasts)
      } else if let sums {
        try streamed(sums, penalty, rows: start..<end, into: &forecasts)
      }
    }
    return true
  }

  /// The regression on all rows.
  func final(penalty: Double) throws(TrainingError) -> RidgeModel {
    if isBinary { return try models([penalty], target.count, nil)[0] }
    var sums: Moments?
    var summed = 0
    for start in starts { try extend(&sums, from: &summed, to: known[start]) }
    try extend(&sums, from: &summed, to: target.count)
    guard let sums else { throw .tooFewDays(needed: 2, actual: target.count) }
    return try Regression.ridge(sums, penalty: penalty)
  }

  private func forecast(_ model: RidgeModel, _ row: Int) -> Double {
    var sum = model.intercept
    for column in 0..<features.columnCount {
      sum += model.coefficients[column] * features.storage[column * features.rowCount + row]
    }
    return isBinary ? Regression.probability(sum) : sum
  }

  private func streamed(
    _ sums: Moments, _ penalty: Double, rows: Range<Int>,
    into forecasts: inout ContiguousArray<Double>
  ) throws(TrainingError) {
    do {
      var stream = try StreamingRidge(RidgeRegression(penalty: penalty), sums)
      var added = known[rows.lowerBound]
      for row in rows {
        while added < known[row] {
          try stream.add(features.row(added), target: target[added])
          added += 1
        }
        forecasts.append(forecast(stream.model, row))
      }
    } catch { throw .learning(error) }
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
        let model = Self.linear(stream.model)
        for row in week..<min(week + 7, rows.upperBound) { forecasts.append(forecast(model, row)) }
      }
    } catch { throw .learning(error) }
  }

  /// The regressions of the first rows, one for each penalty; ridge has their sums.
  private func models(
    _ penalties: [Double], _ count: Int, _ sums: Moments?
  ) throws(TrainingError) -> [RidgeModel] {
    guard isBinary else {
      var models: [RidgeModel] = []
      for penalty in penalties {
        if let sums { models.append(try Regression.ridge(sums, penalty: penalty)) }
      }
      return models
    }
    do {
      let path = try LogisticPath(
        ContiguousArray(penalties), features.rows(0..<count),
        labels: ContiguousArray(target[..<count]))
      return path.fits.map { Self.linear($0.model) }
    } catch { throw .learning(error) }
  }

  /// The linear score of a logistic model: its log odds.
  private static func linear(_ model: LogisticModel) -> RidgeModel {
    RidgeModel(intercept: model.intercept, coefficients: model.coefficients)
  }

  private func extend(
    _ sums: inout Moments?, from summed: inout Int, to count: Int
  ) throws(TrainingError) {
    guard count > summed else { return }
    let part = try Regression.moments(features, target, summed..<count)
    summed = count
    guard var whole = sums else {
      sums = part
      return
    }
    do { try whole.merge(part) } catch { throw .learning(error) }
    sums = whole
  }
}
