import Learning
import LinearAlgebra
import TestSupport
import Testing

/// Scores, shares and rolling forecasts against scikit-learn and statsmodels.
@Suite struct `Scores beside other software` {
  struct Document: Decodable {
    let numbers: [Numbers]
    let probabilities: [Probabilities]
    let shares: [Share]
    let rolling: [Rolling]
  }

  struct Numbers: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let forecasts: [Double]
    let outcomes: [Double]
    let weights: [Double]?
    let absolute: Double
    let rootSquare: Double
    var testDescription: String { name }
  }

  struct Probabilities: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let forecasts: [Double]
    let outcomes: [Double]
    let weights: [Double]?
    let logLoss: Double
    let brier: Double
    let area: Double
    let binCount: Int
    let meanForecasts: [Double]
    let observedShares: [Double]
    var testDescription: String { name }
  }

  struct Share: Decodable, Sendable {
    let hits: Double
    let count: Double
    let lower: Double
    let upper: Double
  }

  struct Rolling: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let features: [[Double]]
    let target: [Double]
    let least: Int
    let horizon: Int
    let interval: Int
    let penalty: Double
    let forecasts: [Double]
    var testDescription: String { name }
  }

  static let document = Result { try Golden.read("scores/scores.json", as: Document.self) }

  /// Sums of 60 terms of one sign, taken in another order, differ by a few roundings each.
  private static func agree(_ a: Double, _ b: Double) -> Bool {
    abs(a - b) <= 128 * .ulpOfOne * abs(b)
  }

  @Test func `of numbers`() throws {
    for scored in try Self.document.get().numbers {
      let scores = try NumericScores(
        ContiguousArray(scored.forecasts), ContiguousArray(scored.outcomes),
        weights: scored.weights.map { ContiguousArray($0) })
      #expect(Self.agree(scores.meanAbsoluteError, scored.absolute), "\(scored.name)")
      #expect(Self.agree(scores.rootMeanSquareError, scored.rootSquare), "\(scored.name)")
    }
  }

  @Test func `of probabilities`() throws {
    for scored in try Self.document.get().probabilities {
      let forecasts = ContiguousArray(scored.forecasts)
      let outcomes = ContiguousArray(scored.outcomes)
      let scores = try ProbabilityScores(
        forecasts, outcomes, weights: scored.weights.map { ContiguousArray($0) })
      #expect(Self.agree(scores.logLoss, scored.logLoss), "\(scored.name)")
      #expect(Self.agree(scores.brier, scored.brier), "\(scored.name)")
      #expect(Self.agree(try #require(scores.areaUnderCurve), scored.area), "\(scored.name)")
      let table = try CalibrationTable(
        forecasts, outcomes, binCount: scored.binCount, binning: .equalWidths)
      #expect(table.bins.count == scored.meanForecasts.count, "\(scored.name)")
      for (bin, (mean, share)) in zip(table.bins, zip(scored.meanForecasts, scored.observedShares))
      {
        #expect(Self.agree(bin.meanForecast, mean), "\(scored.name)")
        #expect(Self.agree(bin.observed.share, share), "\(scored.name)")
      }
    }
  }

  @Test func `of shares`() throws {
    for share in try Self.document.get().shares {
      let interval = ShareInterval(hits: share.hits, of: share.count)
      // Ours has the normal quantile to seven digits.
      #expect(abs(interval.lower - share.lower) <= 1e-7)
      #expect(abs(interval.upper - share.upper) <= 1e-7)
    }
  }

  @Test func `of a rolling origin, refitted every day`() throws {
    for rolling in try Self.document.get().rolling {
      let features = try Matrix(columns: rolling.features.map { ContiguousArray($0) })
      let found = try RollingOrigin(
        leastRows: rolling.least, horizon: rolling.horizon, scaleInterval: rolling.interval
      ).evaluate(
        RidgeRegression(penalty: rolling.penalty), features,
        target: ContiguousArray(rolling.target))
      let forecasts = found.forecasts()
      #expect(forecasts.count == rolling.forecasts.count)
      let size = rolling.target.reduce(0) { max($0, abs($1)) }
      // The condition of these equations is below 1e4.
      for (ours, theirs) in zip(forecasts, rolling.forecasts) {
        #expect(abs(ours - theirs) <= 1e-10 * size, "\(rolling.name)")
      }
    }
  }
}
