import TestSupport
import Testing

@testable import Learning

@Suite struct `Scores of forecasts` {
  @Test func `of numbers are the mean sizes of their errors`() throws {
    let scores = try NumericScores([1, 2, 3, 4], [2, 2, 1, 8])
    #expect(scores.count == 4)
    #expect(scores.meanAbsoluteError == 1.75)
    #expect(scores.rootMeanSquareError == (21.0 / 4).squareRoot())
    #expect(scores.meanError == 0.75)
  }

  @Test func `NUM_4: weight 2 is the pair twice and weight 0 the pair absent`() throws {
    let weights: ContiguousArray<Double> = [2, 1, 0, 1]
    let numeric = try NumericScores([1, 2, 3, 5], [4, 2, 1, 8], weights: weights)
    let repeated = try NumericScores([1, 1, 2, 5], [4, 4, 2, 8])
    #expect(numeric.meanAbsoluteError == repeated.meanAbsoluteError)
    #expect(numeric.rootMeanSquareError == repeated.rootMeanSquareError)
    let yes = try ProbabilityScores(
      [0.25, 0.5, 0.125, 0.5], [0, 1, 1, 0], weights: weights)
    let yesRepeated = try ProbabilityScores([0.25, 0.25, 0.5, 0.5], [0, 0, 1, 0])
    #expect(yes.brier == yesRepeated.brier)
    #expect(abs(yes.logLoss - yesRepeated.logLoss) <= 4 * .ulpOfOne)
    #expect(yes.areaUnderCurve == yesRepeated.areaUnderCurve)
    #expect(yes.count == 3)
  }

  @Test func `of probabilities are log loss and mean square`() throws {
    let scores = try ProbabilityScores([0.5, 0.25, 1], [1, 0, 1])
    #expect(abs(scores.logLoss - 0.326943084337242) < 1e-14)
    #expect(scores.brier == 0.3125 / 3)
  }

  @Test func `NUM_15: the log loss of log-odds of 800 is 800, not NaN`() {
    #expect(LogLoss.of(logOdds: 800, outcome: 1) == 0)
    #expect(LogLoss.of(logOdds: 800, outcome: 0) == 800)
    #expect(LogLoss.of(logOdds: -800, outcome: 0) == 0)
    #expect(LogLoss.of(logOdds: -800, outcome: 1) == 800)
    // -log1p(exp(-40)) = -exp(-40) to the last digit, where 1 - p has none left.
    #expect(abs(LogLoss.of(logOdds: 40, outcome: 1) / 4.248354255291589e-18 - 1) < 1e-15)
    #expect(LogLoss.of(probability: 0, outcome: 1) == .infinity)
    #expect(LogLoss.of(probability: 0, outcome: 0) == 0)
    #expect(abs(LogLoss.of(probability: 0, outcome: 1, floor: 1e-9) - 20.72326583694641) < 1e-13)
    #expect(LogLoss.of(probability: .nan, outcome: 1, floor: 0.1).isNaN)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `rank by all pairs of a yes and a no, ties half`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let count = Int.random(in: 2...60, using: &random)
    let probabilities = ContiguousArray(
      (0..<count).map { _ in Double(Int.random(in: 0...8, using: &random)) / 8 })
    var outcomes = ContiguousArray(
      (0..<count).map { _ in Bool.random(using: &random) ? 1.0 : 0 })
    (outcomes[0], outcomes[1]) = (0, 1)
    let weights = ContiguousArray(
      (0..<count).map { _ in Double(Int.random(in: 1...4, using: &random)) })
    var (wins, pairs) = (0.0, 0.0)
    for yes in 0..<count where outcomes[yes] == 1 {
      for no in 0..<count where outcomes[no] == 0 {
        let weight = weights[yes] * weights[no]
        pairs += weight
        if probabilities[yes] > probabilities[no] { wins += weight }
        if probabilities[yes] == probabilities[no] { wins += weight / 2 }
      }
    }
    let scores = try ProbabilityScores(probabilities, outcomes, weights: weights)
    #expect(scores.ranking == .area(wins / pairs))
  }

  @Test func `of one kind of outcome have no ranking, and say which kind`() throws {
    #expect(try ProbabilityScores([0.1, 0.9], [1, 1]).ranking == .noNo)
    #expect(try ProbabilityScores([0.1, 0.9], [0, 0]).ranking == .noYes)
    #expect(try ProbabilityScores([0.1, 0.9], [0, 0]).areaUnderCurve == nil)
    #expect(try ProbabilityScores([0.1, 0.9], [0, 1], weights: [0, 1]).ranking == .noNo)
  }

  @Test func `refuse what cannot be scored, by name and row`() {
    #expect(throws: LearningError.emptyInput(rowCount: 0, columnCount: 1)) {
      try NumericScores([], [])
    }
    #expect(throws: LearningError.lengthMismatch(expected: 2, actual: 1)) {
      try NumericScores([1, 2], [1])
    }
    #expect(throws: LearningError.nonFiniteForecast(row: 1)) {
      try NumericScores([1, .nan], [1, 2])
    }
    #expect(throws: LearningError.nonFiniteTarget(row: 1, column: 0)) {
      try NumericScores([1, 2], [1, .infinity])
    }
    #expect(throws: LearningError.invalidWeight(row: 0)) {
      try NumericScores([1, 2], [1, 2], weights: [-1, 1])
    }
    #expect(throws: LearningError.tooFewRows(needed: 1, actual: 0)) {
      try NumericScores([1, 2], [1, 2], weights: [0, 0])
    }
    #expect(throws: LearningError.invalidProbability(row: 1)) {
      try ProbabilityScores([1, 1.5], [1, 0])
    }
    #expect(throws: LearningError.targetNotBinary(row: 0)) {
      try ProbabilityScores([1, 0.5], [0.5, 0])
    }
    #expect(throws: LearningError.invalidSetting("floor")) {
      try ProbabilityScores([1, 0.5], [1, 0], floor: 0.5)
    }
    #expect(throws: LearningError.invalidSetting("binCount")) {
      try CalibrationTable([1, 0.5], [1, 0], binCount: 0)
    }
  }
}

@Suite struct `A calibration table` {
  @Test func `has bins of one width, without the empty ones`() throws {
    let table = try CalibrationTable(
      [0.05, 0.1, 0.95, 1, 0.45], [0, 1, 1, 1, 0], binCount: 2, binning: .equalWidths)
    #expect(table.bins.map(\.count) == [3, 2])
    #expect(table.bins.map(\.probabilities) == [0.05...0.45, 0.95...1])
    #expect(abs(table.bins[0].meanForecast - 0.2) < 1e-15)
    #expect(table.bins[0].observed.share == 1 / 3.0)
    #expect(table.bins[1].observed.share == 1)
    let error = (3 * (1 / 3.0 - 0.2) + 2 * 0.025) / 5
    #expect(abs(table.expectedCalibrationError - error) < 1e-15)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `keeps equal probabilities together and every forecast once`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let count = Int.random(in: 1...200, using: &random)
    let probabilities = ContiguousArray(
      (0..<count).map { _ in Double(Int.random(in: 0...30, using: &random)) / 30 })
    let outcomes = ContiguousArray(
      probabilities.map { Double.random(in: 0..<1, using: &random) < $0 ? 1.0 : 0 })
    for binning in [CalibrationTable.Binning.equalCounts, .equalWidths] {
      let table = try CalibrationTable(
        probabilities, outcomes, binCount: 10, binning: binning)
      #expect(table.bins.count <= 10)
      #expect(table.bins.reduce(0) { $0 + $1.count } == count)
      for (a, b) in zip(table.bins, table.bins.dropFirst()) {
        #expect(a.probabilities.upperBound < b.probabilities.lowerBound)
      }
      for bin in table.bins {
        #expect(bin.probabilities.contains(bin.meanForecast))
        #expect(bin.observed.lower <= bin.observed.share)
        #expect(bin.observed.share <= bin.observed.upper)
      }
    }
  }

  @Test func `shares distinct probabilities out evenly`() throws {
    let probabilities = ContiguousArray((0..<100).map { (Double($0) + 0.5) / 100 })
    let table = try CalibrationTable(
      probabilities, ContiguousArray(repeating: 0, count: 100), binCount: 10)
    #expect(table.bins.map(\.count) == Array(repeating: 10, count: 10))
  }

  @Test func `has Wilson's interval for a share`() {
    // The formula worked out in another language.
    let interval = ShareInterval(hits: 7, of: 20)
    #expect(abs(interval.lower - 0.18119182) < 1e-7)
    #expect(abs(interval.upper - 0.56714572) < 1e-7)
    #expect(ShareInterval(hits: 0, of: 5).lower == 0)
    #expect(ShareInterval(hits: 5, of: 5).upper == 1)
    #expect(ShareInterval(hits: 0, of: 0).lower == 0 && ShareInterval(hits: 0, of: 0).upper == 1)
  }
}
