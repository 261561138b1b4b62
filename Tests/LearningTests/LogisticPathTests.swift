import Learning
import LinearAlgebra
import TestSupport
import Testing

@Suite struct `A path of logistic regressions` {
  private let penalties: ContiguousArray<Double> = [1, 1e-3, 1000, 1, 30, 0.2, 1e-3, 7]

  @Test(arguments: 0..<6 as Range<UInt64>)
  func `is made of the fits of its penalties`(seed: UInt64) throws {
    let data = try RandomLabels(
      seed: seed, rowCount: seed == 5 ? 12 : 150, featureCount: seed == 5 ? 20 : 6)
    let settings = LogisticRegression(
      standardisation: seed % 2 == 0 ? .centredAndScaled : .centred, tolerance: 1e-12)
    let path = try LogisticPath(
      penalties, data.features, labels: data.labels, weights: data.weights, settings: settings)
    for (fit, penalty) in zip(path.fits, penalties) {
      var alone = settings
      alone.penalty = penalty
      let expected = try alone.fit(data.features, labels: data.labels, weights: data.weights)
      #expect(fit.penalty == penalty && fit.gradient <= 1e-12)
      #expect(fit.rowCount == expected.rowCount)
      let size = expected.model.coefficients.reduce(1e-6) { max($0, abs($1)) }
      for (a, b) in zip(fit.model.coefficients, expected.model.coefficients) {
        #expect(abs(a - b) <= 1e-5 * size, "\(penalty)")
      }
      #expect(abs(fit.logLoss - expected.logLoss) <= 1e-9)
    }
  }

  @Test func `has room for no penalty at all`() throws {
    let data = try RandomLabels(seed: 20, rowCount: 200, featureCount: 2, strength: 0.1)
    let path = try LogisticPath([0, 1e-9, 1], data.features, labels: data.labels)
    #expect(agree(path.fits[0].model.coefficients, path.fits[1].model.coefficients, within: 1e-5))
    let apart = try Matrix(columns: [data.labels])
    #expect(throws: LearningError.separated) {
      try LogisticPath([1, 0], apart, labels: data.labels)
    }
    #expect(try LogisticPath([1, 1e-6], apart, labels: data.labels).fits.count == 2)
  }

  @Test func `is judged on rows it does not know`() throws {
    let data = try RandomLabels(seed: 21, rowCount: 160, featureCount: 5)
    let settings = LogisticRegression(tolerance: 1e-11)
    let folds = (0..<160).map { $0 % 4 }
    let splits = RowSplit.folds(folds)
    let validation = try LogisticCrossValidation(
      penalties, data.features, labels: data.labels, weights: data.weights, splits: splits,
      settings: settings)
    for (position, penalty) in penalties.enumerated() {
      var (sum, weightSum) = (0.0, 0.0)
      for fold in 0..<4 {
        let inside = (0..<160).filter { folds[$0] != fold }
        let outside = (0..<160).filter { folds[$0] == fold }
        var alone = settings
        alone.penalty = penalty
        let model = try alone.fit(
          data.features.rows(at: inside),
          labels: ContiguousArray(inside.map { data.labels[$0] }),
          weights: ContiguousArray(inside.map { data.weights[$0] })
        ).model
        var part = (loss: 0.0, weight: 0.0)
        for i in outside {
          let loss = LogLoss.of(logOdds: try model.score(data.row(i)), outcome: data.labels[i])
          part.loss += data.weights[i] * loss
          part.weight += data.weights[i]
        }
        #expect(abs(validation.splitLogLosses[position, fold] - part.loss / part.weight) < 1e-6)
        sum += part.loss
        weightSum += part.weight
      }
      #expect(abs(validation.logLosses[position] - sum / weightSum) < 1e-6)
    }
    #expect(validation.logLosses.min() == validation.logLosses[validation.bestPosition])
    #expect(validation.bestPenalty == penalties[validation.bestPosition])
    for threads in [2, 3, 8] {
      let shared = try LogisticCrossValidation(
        penalties, data.features, labels: data.labels, weights: data.weights, splits: splits,
        settings: settings, threads: threads)
      #expect(shared.splitLogLosses == validation.splitLogLosses)
      #expect(shared.logLosses == validation.logLosses)
    }
  }

  @Test func `is judged by rolling origin on what comes later`() throws {
    let splits = try RowSplit.rollingOrigin(rowCount: 20, first: 10, step: 4, gap: 1)
    #expect(splits.map(\.training) == [Array(0..<10), Array(0..<14), Array(0..<18)])
    #expect(splits.map(\.heldOut) == [Array(11..<15), Array(15..<19), [19]])
    let data = try RandomLabels(seed: 22, rowCount: 20, featureCount: 2)
    let validation = try LogisticCrossValidation(
      [1, 10], data.features, labels: data.labels, splits: splits)
    #expect(validation.splitLogLosses.columnCount == 3)
    #expect(validation.logLosses.allSatisfy { $0 > 0 && $0.isFinite })

    let folds = try RowSplit.consecutiveFolds(rowCount: 7, count: 3)
    #expect(folds.map(\.heldOut) == [[0, 1, 2], [3, 4], [5, 6]])
    for split in folds {
      #expect((split.training + split.heldOut).sorted() == Array(0..<7))
    }
  }

  @Test func `refuses splits and penalties that make no sense`() throws {
    let data = try RandomLabels(seed: 23, rowCount: 30, featureCount: 2)
    func validate(_ penalties: ContiguousArray<Double>, _ splits: [RowSplit]) throws {
      _ = try LogisticCrossValidation(
        penalties, data.features, labels: data.labels, splits: splits)
    }
    let good = RowSplit.folds((0..<30).map { $0 % 3 })
    #expect(throws: LearningError.invalidPenalty(position: 1)) { try validate([1, 0], good) }
    #expect(throws: LearningError.invalidSetting("penalties")) { try validate([], good) }
    #expect(throws: LearningError.invalidSetting("splits")) { try validate([1], []) }
    #expect(throws: LearningError.invalidSetting("splits")) {
      try validate([1], [RowSplit(training: [0, 1], heldOut: [30])])
    }
    #expect(throws: LearningError.singleClass) {
      let zeros = (0..<30).filter { data.labels[$0] == 0 }
      try validate([1], [RowSplit(training: zeros, heldOut: [1])])
    }
    #expect(throws: LearningError.invalidSetting("count")) {
      try RowSplit.consecutiveFolds(rowCount: 5, count: 1)
    }
    #expect(throws: LearningError.invalidSetting("step")) {
      try RowSplit.rollingOrigin(rowCount: 5, first: 2, step: 0)
    }
    #expect(throws: LearningError.invalidSetting("first")) {
      try RowSplit.rollingOrigin(rowCount: 5, first: 5, step: 1)
    }
  }
}
