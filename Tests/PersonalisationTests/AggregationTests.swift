import Foundation
import TestSupport
import Testing

@testable import Personalisation

@Suite struct `The combination of forecasters` {
  /// Plays days and tells the mean absolute error of the combination and of each forecaster.
  private func play(
    _ days: [(outcome: Double, forecasts: ContiguousArray<Double>)], isBinary: Bool = false
  ) -> (own: Double, others: [Double], last: Aggregation) {
    let count = days[0].forecasts.count
    var aggregation = Aggregation(count: count, isBinary: isBinary)
    var own = 0.0
    var others = [Double](repeating: 0, count: count)
    func loss(_ forecast: Double, _ outcome: Double) -> Double {
      guard isBinary else { return abs(forecast - outcome) }
      return outcome > 0.5 ? -log(forecast) : -log(1 - forecast)
    }
    for (outcome, forecasts) in days {
      let combined = Aggregation.combined(forecasts, aggregation.weights(forecasts))
      own += loss(combined, outcome)
      for index in forecasts.indices { others[index] += loss(forecasts[index], outcome) }
      aggregation.observe(outcome, forecasts)
    }
    return (own / Double(days.count), others.map { $0 / Double(days.count) }, aggregation)
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `is hardly worse than the best of them, whichever that is`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let errors = (0..<12).map { _ in Double.random(in: 0.5...3, using: &random) }
    let days = (0..<400).map { _ in
      let outcome = 50 + 5 * random.normal()
      return (
        outcome, ContiguousArray(errors.map { outcome + $0 * random.normal() })
      )
    }
    let (own, others, _) = play(days)
    // Independent errors cancel: the combination may be better, and by the bound is little worse.
    let best = others.min() ?? 0
    #expect(own <= best * 1.1, "seed \(seed): \(own) against \(best)")
  }

  @Test func `of probabilities never loses more than 2 log K of late`() {
    for seed in 0..<12 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let rates = ContiguousArray(
        (0..<8).map { _ in Double.random(in: 0.05...0.95, using: &random) })
      var aggregation = Aggregation(count: 8, isBinary: true)
      var excess = [Double](repeating: 0, count: 8)
      for day in 0..<300 {
        // Whose rate is right changes.
        let rate = rates[day / 60]
        let outcome = Double.random(in: 0...1, using: &random) < rate ? 1.0 : 0
        let combined = Aggregation.combined(rates, aggregation.weights(rates))
        for index in excess.indices {
          excess[index] =
            RecentLead.memory * excess[index] + Scores.logLoss(combined, outcome)
            - Scores.logLoss(rates[index], outcome)
        }
        #expect((excess.max() ?? 0) <= 2 * log(8) + 1e-9)
        aggregation.observe(outcome, rates)
      }
    }
  }

  @Test func `follows the one that has been the best of late, though another was for long`() {
    var random = SplitMix64(seed: 4)
    var aggregation = Aggregation(count: 2, isBinary: false)
    var share = 0.0
    for day in 0..<500 {
      let errors = day < 300 ? (0.5, 2.0) : (2.0, 0.5)
      let outcome = 50 + 5 * random.normal()
      let forecasts: ContiguousArray<Double> = [
        outcome + errors.0 * random.normal(), outcome + errors.1 * random.normal(),
      ]
      aggregation.observe(outcome, forecasts)
      if day == 299 { share = aggregation.weights([0, 0])[0] }
    }
    #expect(share > 0.9)
    #expect(aggregation.weights([0, 0])[1] > 0.5)
  }

  @Test func `lets those sleep that have nothing to say, and forgets nothing of them`() {
    var aggregation = Aggregation(count: 3, isBinary: false)
    for day in 0..<30 {
      let sleeper = day < 20 ? Double.nan : 5.1
      aggregation.observe(5, [5.5, 9, sleeper])
    }
    let weights = aggregation.weights([5.5, 9, .nan])
    #expect(weights[2] == 0)
    #expect(abs(weights[0] + weights[1] - 1) <= 1e-15)
    #expect(weights[0] > weights[1])
    #expect(aggregation.weights([5.5, 9, 5.1])[2] > 0.2)
    #expect(aggregation.weights([.nan, .nan, .nan]) == [0, 0, 0])
    #expect(Aggregation.combined([.nan, .nan, .nan], [0, 0, 0]).isNaN)
  }

  @Test(arguments: [1e-300, 1, 1e300])
  func `has the same weights in any unit, and weights that add up to one`(unit: Double) {
    var random = SplitMix64(seed: 3)
    let plain = (0..<50).map { _ in
      (random.normal(), ContiguousArray((0..<4).map { _ in random.normal() }))
    }
    let scaled = plain.map { (unit * $0.0, ContiguousArray($0.1.map { unit * $0 })) }
    let everyone = ContiguousArray(repeating: 0.0, count: 4)
    let (one, other) = (play(plain).last.weights(everyone), play(scaled).last.weights(everyone))
    for (left, right) in zip(one, other) { #expect(abs(left - right) <= 1e-9) }
    #expect(abs(other.reduce(0, +) - 1) <= 1e-12)
  }
}
