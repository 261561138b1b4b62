import LinearAlgebra
import TestSupport
import Testing

@testable import Learning

/// The explicit loop that a rolling evaluation must equal: for every row a fit from scratch on the rows
/// known, with the scales of the rows known at the beginning of its stretch.
private struct ExplicitLoop {
  var forecasts: ContiguousArray<Double> = []
  var leverages: ContiguousArray<Double> = []
  /// What rounding may do to each forecast.
  var bounds: ContiguousArray<Double> = []

  init(
    _ origin: RollingOrigin, _ penalty: Double, _ rows: RandomRows,
    weights: ContiguousArray<Double>?, first: Int
  ) throws {
    let p = rows.features.columnCount
    var scaled = rows.features
    var condition = 1.0
    for row in first..<rows.features.rowCount {
      if (row - first) % origin.scaleInterval == 0 {
        let known = row + 1 - origin.horizon
        let moments = try Moments(
          features: rows.features.rows(0..<known),
          targets: Matrix(columns: [ContiguousArray(rows.target[..<known])]),
          weights: weights.map { ContiguousArray($0[..<known]) })
        let inverses = ColumnScales(moments, .centredAndScaled).inverseScales
        var gram = try Matrix(rowCount: p, columnCount: p)
        for j in 0..<p {
          for i in 0..<rows.features.rowCount {
            scaled[i, j] = (rows.features[i, j] - moments.means[j]) * inverses[j]
          }
          for i in j..<p {
            gram[i, j] = moments.products[j * moments.order + i] * inverses[j] * inverses[i]
          }
          gram[j, j] = gram[j, j] == 0 ? 1 : gram[j, j] + penalty
        }
        let values = try SymmetricEigen(gram).values
        condition = values[p - 1] / values[0]
      }
      let known = row + 1 - origin.horizon
      let fit = try RidgeRegression(penalty: penalty, standardisation: .centred).fit(
        scaled.rows(0..<known), target: ContiguousArray(rows.target[..<known]),
        weights: weights.map { ContiguousArray($0[..<known]) })
      let own = scaled.row(row)
      forecasts.append(try fit.model.predict(own))
      leverages.append(try fit.leverage(of: own))
      let size = fit.model.coefficients.reduce(0) { $0 + $1 * $1 }.squareRoot()
      let spread = rows.target.reduce(0) { max($0, abs($1)) }
      let length = own.reduce(1) { $0 + $1 * $1 }.squareRoot()
      bounds.append(
        max(64, Double(p)) * .ulpOfOne * condition * max(spread, size) * length)
    }
  }
}

@Suite struct `A rolling-origin evaluation of ridge` {
  private static func expectEqual(
    _ found: RollingForecasts, _ position: Int, _ expected: ExplicitLoop
  ) {
    let forecasts = found.forecasts(position: position)
    let leverages = found.leverages(position: position)
    #expect(forecasts.count == expected.forecasts.count)
    for (i, bound) in expected.bounds.enumerated() {
      let error = abs(forecasts[i] - expected.forecasts[i])
      #expect(error <= bound)
      // Leverages are in rows, forecasts in the target's unit.
      let apart = abs(leverages[i] - expected.leverages[i])
      #expect(apart <= bound)
    }
  }

  @Test(arguments: 0..<24 as Range<UInt64>)
  func `equals a loop of fits from scratch`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let rows = try RandomRows(
      seed: seed, rowCount: 90, featureCount: Int.random(in: 1...12, using: &random))
    let origin = RollingOrigin(
      leastRows: Int.random(in: 2...40, using: &random),
      horizon: Int.random(in: 1...4, using: &random),
      scaleInterval: Int.random(in: 1...30, using: &random))
    let penalty: Double = [0.3, 1, 10, 1000][Int.random(in: 0..<4, using: &random)]
    let weights = Bool.random(using: &random) ? rows.weights : nil
    let found = try origin.evaluate(
      RidgeRegression(penalty: penalty), rows.features, target: rows.target, weights: weights)
    #expect(found.rows == origin.leastRows + origin.horizon - 1..<90)
    let expected = try ExplicitLoop(
      origin, penalty, rows, weights: weights, first: found.rows.lowerBound)
    Self.expectEqual(found, 0, expected)
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func `equals it for each of many penalties, by one eigendecomposition`(seed: UInt64) throws {
    let rows = try RandomRows(seed: seed, rowCount: 70, featureCount: 8)
    let origin = RollingOrigin(leastRows: 20, horizon: 2, scaleInterval: 20)
    let penalties = ContiguousArray((0..<14).map { 0.01 * Double(1 << $0) })
    let found = try origin.evaluate(penalties, rows.features, target: rows.target)
    for position in [0, 6, 13] {
      let expected = try ExplicitLoop(
        origin, penalties[position], rows, weights: nil, first: found.rows.lowerBound)
      Self.expectEqual(found, position, expected)
    }
  }

  @Test func `FEA_4: no forecast knows a later row, to the bit`() throws {
    let rows = try RandomRows(seed: 4, rowCount: 130, featureCount: 7)
    for penalties: ContiguousArray<Double> in [
      [1, 30], ContiguousArray((0..<13).map { Double($0 + 1) }),
    ] {
      for horizon in 1...3 {
        let origin = RollingOrigin(leastRows: 30, horizon: horizon, scaleInterval: 28)
        let whole = try origin.evaluate(penalties, rows.features, target: rows.target)
        for changed in [45, 60, 87, 129] {
          var other = rows
          for row in changed..<130 {
            other.target[row] = -1e6 * other.target[row]
            for j in 0..<7 { other.features[row, j] = 1e9 + Double(row * j) }
          }
          let found = try origin.evaluate(penalties, other.features, target: other.target)
          let count = changed - found.rows.lowerBound
          for position in penalties.indices {
            #expect(
              ContiguousArray(found.forecasts(position: position).prefix(count))
                == ContiguousArray(whole.forecasts(position: position).prefix(count)))
            #expect(
              ContiguousArray(found.leverages(position: position).prefix(count))
                == ContiguousArray(whole.leverages(position: position).prefix(count)))
          }
          // And the log may end there.
          let short = try origin.evaluate(
            penalties, rows.features.rows(0..<changed),
            target: ContiguousArray(rows.target[..<changed]))
          for position in penalties.indices {
            #expect(
              short.forecasts(position: position)
                == ContiguousArray(whole.forecasts(position: position).prefix(count)))
          }
        }
      }
    }
  }

  @Test func `a row of weight 0 is forecast and teaches nothing`() throws {
    let rows = try RandomRows(seed: 5, rowCount: 80, featureCount: 4)
    let origin = RollingOrigin(leastRows: 20)
    var weights = ContiguousArray<Double>(repeating: 1, count: 80)
    let absent = [3, 40, 41, 60]
    for row in absent { weights[row] = 0 }
    var other = rows
    for row in absent { other.target[row] = 1e5 }
    let settings = RidgeRegression()
    let found = try origin.evaluate(
      settings, rows.features, target: rows.target, weights: weights)
    #expect(found.rows == 21..<80)
    let changed = try origin.evaluate(
      settings, rows.features, target: other.target, weights: weights)
    #expect(found.forecasts() == changed.forecasts())
    #expect(try found.scores() == changed.scores())
  }

  @Test func `goes on where stretches were skipped, to the bit`() throws {
    let rows = try RandomRows(seed: 6, rowCount: 120, featureCount: 5)
    let origin = RollingOrigin(leastRows: 25, horizon: 2, scaleInterval: 14)
    let whole = try origin.evaluate([1, 10], rows.features, target: rows.target)
    var later = try RollingRidge(origin, [1, 10], rows.features, target: rows.target)
    for _ in 0..<3 {
      let skipped = later.skip()
      #expect(skipped)
    }
    while try later.advance() {}
    let found = later.forecasts
    #expect(found.rows.lowerBound == whole.rows.lowerBound + 42)
    #expect(
      found.forecasts(position: 1) == ContiguousArray(whole.forecasts(position: 1).dropFirst(42)))
    #expect(found.known == ContiguousArray(whole.known.dropFirst(42)))
    #expect(found.outcomes == ContiguousArray(rows.target[found.rows]))
    let nothing = try later.advance()
    #expect(!nothing)
  }

  @Test func `can look at some stretches only`() throws {
    let rows = try RandomRows(seed: 6, rowCount: 120, featureCount: 5)
    let origin = RollingOrigin(leastRows: 20, scaleInterval: 10)
    let whole = try origin.evaluate([1, 10], rows.features, target: rows.target)
    var some = try RollingRidge(origin, [1, 10], rows.features, target: rows.target)
    for stretch in 0..<10 {
      if stretch % 3 != 1 {
        some.skip()
        continue
      }
      try some.advance()
      let found = some.takeForecasts()
      let from = stretch * 10
      #expect(found.rows == 20 + from..<30 + from)
      #expect(
        found.forecasts(position: 1)
          == ContiguousArray(whole.forecasts(position: 1)[from..<from + 10]))
    }
    #expect(some.forecasts.rows == 120..<120)
  }

  @Test func `takes what is known of each row from the caller`() throws {
    // Rows three days apart and a horizon of a week: the last two rows are not known yet.
    let rows = try RandomRows(seed: 7, rowCount: 60, featureCount: 3)
    let known = (0..<60).map { max(0, $0 - 2) }
    var rolling = try RollingRidge(
      RollingOrigin(leastRows: 10), [1], rows.features, target: rows.target, known: known)
    while try rolling.advance() {}
    let other = try RollingOrigin(leastRows: 10, horizon: 3).evaluate(
      RidgeRegression(), rows.features, target: rows.target)
    #expect(rolling.forecasts == other)
  }

  @Test func `sums all rows as a fit does`() throws {
    let rows = try RandomRows(seed: 8, rowCount: 400, featureCount: 6)
    for weights in [nil, rows.weights] {
      var rolling = try RollingRidge(
        RollingOrigin(leastRows: 200), [1], rows.features, target: rows.target, weights: weights)
      while try rolling.advance() {}
      let sums = try #require(try rolling.moments())
      let fit = try RidgeRegression().fit(
        rows.features, target: rows.target, weights: weights)
      #expect(sums.rowCount == 400)
      #expect(
        agree(
          try RidgeRegression().fit(sums).model.coefficients, fit.model.coefficients,
          within: 1e-12))
    }
  }

  @Test func `NUM_11: a mean of 1e8 leaves the spread its digits`() throws {
    var rows = try RandomRows(seed: 9, rowCount: 80, featureCount: 3)
    let origin = RollingOrigin(leastRows: 30)
    // A power of two as the offset, so that it rounds alike in every row.
    var near = rows
    for j in 0..<3 {
      for i in 0..<80 {
        rows.features[i, j] = (rows.features[i, j] * 0x1p20).rounded() * 0x1p-20
        near.features[i, j] = rows.features[i, j]
        rows.features[i, j] += 0x1p26
      }
    }
    let (found, wanted) = (
      try origin.evaluate(RidgeRegression(), rows.features, target: rows.target),
      try origin.evaluate(RidgeRegression(), near.features, target: near.target)
    )
    #expect(agree(found.forecasts(), wanted.forecasts(), within: 1e-8))
  }

  @Test func `columns that are constant, equal or huge are no errors`() throws {
    var rows = try RandomRows(seed: 10, rowCount: 90, featureCount: 5)
    var plain = try Matrix(rowCount: 90, columnCount: 2)
    for i in 0..<90 {
      rows.features[i, 1] = rows.features[i, 0]
      rows.features[i, 2] = 14.62
      rows.features[i, 4] = rows.features[i, 3] * 0x1p700
      (plain[i, 0], plain[i, 1]) = (rows.features[i, 0], rows.features[i, 3])
    }
    let origin = RollingOrigin(leastRows: 30)
    let found = try origin.evaluate(
      RidgeRegression(penalty: 2), rows.features, target: rows.target)
    // Two equal columns share a weight as one with half the penalty would have it.
    let wanted = try origin.evaluate(
      RidgeRegression(penalty: 1), plain, target: rows.target)
    #expect(agree(found.forecasts(), wanted.forecasts(), within: 1e-11))
    let path = try origin.evaluate(
      ContiguousArray((0..<12).map { _ in 2.0 }), rows.features, target: rows.target)
    #expect(agree(path.forecasts(), wanted.forecasts(), within: 1e-11))
    let rolling = try RollingRidge(origin, [2], rows.features, target: rows.target)
    #expect(try rolling.moments() == nil)
  }

  @Test(arguments: [1, 12])
  func `NUM_10: without a penalty collinear columns are a named error`(count: Int) throws {
    var rows = try RandomRows(seed: 11, rowCount: 60, featureCount: 3)
    for i in 0..<60 { rows.features[i, 2] = rows.features[i, 0] - 2 * rows.features[i, 1] }
    var rolling = try RollingRidge(
      RollingOrigin(), ContiguousArray((0..<count).map { Double(count - 1 - $0) }),
      rows.features, target: rows.target)
    #expect(throws: LearningError.singular(order: 3)) { _ = try rolling.advance() }
    #expect(rolling.forecasts.rows.isEmpty)
    #expect(rolling.forecasts.forecasts().isEmpty)
    #expect(rolling.nextRow == 20)
  }

  @Test func `names what is wrong with its input`() throws {
    let rows = try RandomRows(seed: 12, rowCount: 30, featureCount: 3)
    func evaluate(
      _ origin: RollingOrigin = RollingOrigin(), _ penalties: ContiguousArray<Double> = [1],
      target: ContiguousArray<Double>? = nil, known: [Int]? = nil
    ) throws(LearningError) -> RollingRidge {
      try RollingRidge(
        origin, penalties, rows.features, target: target ?? rows.target, known: known)
    }
    #expect(throws: LearningError.invalidSetting("leastRows")) {
      try evaluate(RollingOrigin(leastRows: 1))
    }
    #expect(throws: LearningError.invalidSetting("horizon")) {
      try evaluate(RollingOrigin(horizon: 0))
    }
    #expect(throws: LearningError.invalidSetting("scaleInterval")) {
      try evaluate(RollingOrigin(scaleInterval: 0))
    }
    #expect(throws: LearningError.invalidSetting("penalties")) { try evaluate(RollingOrigin(), []) }
    #expect(throws: LearningError.invalidPenalty(position: 1)) {
      try evaluate(RollingOrigin(), [1, -1])
    }
    #expect(throws: LearningError.lengthMismatch(expected: 30, actual: 1)) {
      try evaluate(target: [1])
    }
    #expect(throws: LearningError.invalidSetting("known")) {
      try evaluate(known: Array(1...30))
    }
    #expect(throws: LearningError.tooFewRows(needed: 31, actual: 30)) {
      try RollingOrigin(leastRows: 30).evaluate(
        RidgeRegression(), rows.features, target: rows.target)
    }
  }
}

@Suite struct `A penalty chosen by rolling origin` {
  @Test func `is the one with the least loss, of equal ones the largest`() throws {
    let rows = try RandomRows(seed: 20, rowCount: 100, featureCount: 5)
    let penalties: ContiguousArray<Double> = [0.1, 1, 10, 100, 1000]
    let found = try RollingOrigin(leastRows: 30).evaluate(
      penalties, rows.features, target: rows.target)
    for loss in RollingForecasts.Loss.allCases {
      let sums = penalties.indices.map { position in
        found.residuals(position: position).reduce(0.0) {
          $0 + (loss == .absolute ? abs($1) : $1 * $1)
        }
      }
      #expect(sums[found.bestPosition(by: loss)] == sums.min())
    }
    // Features that say nothing: every penalty forecasts the same.
    let flat = try Matrix(repeating: 3, rowCount: 100, columnCount: 2)
    let equal = try RollingOrigin(leastRows: 30).evaluate(
      [1, 100, 10], flat, target: rows.target)
    #expect(equal.bestPosition() == 1)
    #expect(equal.chosenOnTheWay().positions.allSatisfy { $0 == 1 })
  }

  @Test func `is what all rows are then fitted with`() throws {
    let rows = try RandomRows(seed: 23, rowCount: 80, featureCount: 4)
    let (fit, forecasts) = try RollingOrigin(leastRows: 30).fit(
      [0.1, 10, 300], rows.features, target: rows.target, weights: rows.weights, by: .square)
    let best = forecasts.bestPenalty(by: .square)
    #expect(fit.penalty == best)
    let wanted = try RidgeRegression(penalty: best).fit(
      rows.features, target: rows.target, weights: rows.weights)
    #expect(fit.model == wanted.model)
  }

  @Test(arguments: [1, 3])
  func `on the way knows nothing but the rows known`(horizon: Int) throws {
    let rows = try RandomRows(seed: 21, rowCount: 90, featureCount: 5)
    let penalties: ContiguousArray<Double> = [0.01, 10, 1000]
    let found = try RollingOrigin(leastRows: 20, horizon: horizon).evaluate(
      penalties, rows.features, target: rows.target)
    let (forecasts, positions) = found.chosenOnTheWay(by: .square)
    let first = found.rows.lowerBound
    for row in found.rows {
      let sums = penalties.indices.map { position in
        (first..<max(first, row + 1 - horizon)).reduce(0.0) {
          $0 + found.losses(position: position, .square)[$1 - first]
        }
      }
      let best = row + 1 - horizon <= first ? 2 : sums.indices.min { sums[$0] < sums[$1] }
      #expect(positions[row - first] == best)
      #expect(forecasts[row - first] == found.forecasts(position: best ?? 0)[row - first])
    }
  }

  @Test func `comes with the forecasts that each penalty makes alone`() throws {
    let rows = try RandomRows(seed: 22, rowCount: 80, featureCount: 5)
    let origin = RollingOrigin(leastRows: 20)
    let both = try origin.evaluate([1, 10], rows.features, target: rows.target)
    let alone = try origin.evaluate(
      RidgeRegression(penalty: 10), rows.features, target: rows.target)
    #expect(both.forecasts(position: 1) == alone.forecasts())
    #expect(both.matrix.column(1) == alone.forecasts())
    #expect(
      try both.scores(position: 1).meanAbsoluteError
        == alone.losses().reduce(0, +) / Double(alone.rows.count))
  }
}
