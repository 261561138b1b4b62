import LinearAlgebra
import TestSupport
import Testing

@testable import Learning

@Suite struct `Ridge regression` {
  @Test func `NUM_1: the intercept is not penalised`() throws {
    let features = try Matrix(columns: [[0, 1, 2, 3], [5, 7, 11, 13]])
    let model = try RidgeRegression(penalty: 0.1, standardisation: .centred)
      .fit(features, target: [17, 19, 23, 29]).model
    #expect(abs(model.intercept - 12.904818) < 5e-7)
    #expect(abs(model.coefficients[0] - 2.115159) < 5e-7)
    #expect(abs(model.coefficients[1] - 0.658049) < 5e-7)
  }

  @Test func `NUM_3: a column is constant below its rounding bound, not below a fixed number`()
    throws
  {
    var random = SplitMix64(seed: 3)
    let constant = ContiguousArray(repeating: 14.62, count: 1000)
    let tiny = ContiguousArray((0..<1000).map { $0 % 2 == 0 ? 1e-9 : 3e-9 })
    let noise = ContiguousArray((0..<1000).map { _ in Double.random(in: -1...1, using: &random) })
    let target = ContiguousArray(zip(tiny, noise).map { 2e9 * $0 + $1 })
    let fit = try RidgeRegression(penalty: 1e-6)
      .fit(Matrix(columns: [constant, tiny, noise]), target: target)
    #expect(fit.constantColumns == [0])
    #expect(fit.model.coefficients[0] == 0)
    #expect(abs(fit.model.coefficients[1] / 2e9 - 1) < 1e-8)
    #expect(abs(fit.model.coefficients[2] - 1) < 1e-8)
  }

  @Test func `NUM_4: weight 2 is the row twice and weight 0 the row absent`() throws {
    let ridge = RidgeRegression(penalty: 1, standardisation: .centred)
    let weighted = try ridge.fit(
      Matrix(columns: [[1, 2, 4]]), target: [1, 3, 4], weights: [1, 2, 1]
    ).model
    #expect(abs(weighted.coefficients[0] - 0.739130) < 5e-7)
    #expect(abs(weighted.intercept - 1.086957) < 5e-7)
    let twice = try ridge.fit(Matrix(columns: [[1, 2, 2, 4]]), target: [1, 3, 3, 4]).model
    #expect(agree(weighted.coefficients, twice.coefficients, within: 1e-15))

    let rows = try RandomRows(seed: 4, rowCount: 30, featureCount: 4)
    var weights = rows.weights
    weights[7] = 0
    let kept = Array(0..<7) + Array(8..<30)
    let without = try RidgeRegression().fit(
      rows.features.rows(at: kept), target: ContiguousArray(kept.map { rows.target[$0] }),
      weights: ContiguousArray(kept.map { weights[$0] })
    ).model
    let zero = try RidgeRegression()
      .fit(rows.features, target: rows.target, weights: weights).model
    #expect(agree(zero.coefficients, without.coefficients, within: 1e-13))
  }

  @Test func `NUM_5: leave-one-out residuals know the intercept's share of the leverage`() throws {
    let features = try Matrix(columns: [[1, 2, 3, 5]])
    let target: ContiguousArray<Double> = [1, 2, 2, 4]
    let fit = try RidgeRegression(penalty: 1, standardisation: .centred)
      .fit(features, target: target)
    let diagnostics = try fit.diagnostics(features, target: target)
    let expected = [-0.294118, 0.333333, -0.551724, 1.333333]
    for i in 0..<4 { #expect(abs(diagnostics.leaveOneOutResiduals[i, 0] - expected[i]) < 5e-7) }
    #expect(abs(diagnostics.leaveOneOutMeanSquares[0] - 0.569948) < 5e-7)
  }

  @Test func `NUM_10: equal columns share their weight, with and without a penalty`() throws {
    let column: ContiguousArray<Double> = [1, 2, 3, 4]
    let twice = try Matrix(columns: [column, column])
    let target: ContiguousArray<Double> = [2, 4, 6, 8]
    let penalised = try RidgeRegression(penalty: 1, standardisation: .centred)
      .fit(twice, target: target)
    #expect(abs(penalised.model.coefficients[0] - 0.909091) < 5e-7)
    #expect(abs(penalised.model.coefficients[1] - 0.909091) < 5e-7)
    #expect(abs(penalised.model.intercept - 0.454545) < 5e-7)
    let free = try RidgeRegression(penalty: 0).fit(twice, target: target)
    #expect(free.solver == .singularValues)
    #expect(free.rank == 1)
    #expect(agree(free.model.coefficients, [1, 1], within: 1e-14))
    #expect(abs(free.model.intercept) < 1e-14)
    // A penalty far below rounding is no penalty, and must not blow the difference up.
    let nearly = try RidgeRegression(penalty: 1e-14).fit(twice, target: target)
    #expect(nearly.solver == .singularValues)
    #expect(agree(nearly.model.coefficients, [1, 1], within: 1e-13))
  }

  @Test func `NUM_11: a mean of 1e8 leaves the spread its digits`() throws {
    var random = SplitMix64(seed: 11)
    let column = ContiguousArray((0..<500).map { _ in 1e8 + .random(in: -1...1, using: &random) })
    let small = ContiguousArray(column.map { $0 - 1e8 })
    let moments = try Moments(
      features: Matrix(columns: [column]), targets: Matrix(columns: [small]))
    #expect(abs(moments.products[0] - moments.products[3]) <= 1e-13 * moments.products[3])
    let model = try RidgeRegression(penalty: 0).fit(Matrix(columns: [column]), target: small).model
    #expect(abs(model.coefficients[0] - 1) <= 1e-13)
  }

  @Test func `BLS_4: an altered solution is caught and solved again without the library`() throws {
    let rows = try RandomRows(seed: 41, rowCount: 60, featureCount: 7)
    let moments = try Moments(features: rows.features, targets: Matrix(columns: [rows.target]))
    let right = try #require(try RidgeRegression().fit(wellPosed: moments))
    let mended = try #require(
      try RidgeRegression().fit(wellPosed: moments) { $0[3] *= 1.001 })
    #expect(right.solver == .cholesky)
    #expect(mended.solver == .plainCholesky)
    #expect(agree(right.model.coefficients, mended.model.coefficients, within: 1e-13))
    let lost = try #require(try RidgeRegression().fit(wellPosed: moments) { $0[0] = .nan })
    #expect(lost.solver == .plainCholesky)
  }

  @Test(arguments: 0..<16 as Range<UInt64>)
  func `solves the normal equations of the stated objective`(seed: UInt64) throws {
    let rows = try RandomRows(seed: seed, rowCount: 50, featureCount: 6)
    let fit = try RidgeRegression(penalty: 2.5)
      .fit(rows.features, target: rows.target, weights: rows.weights)
    let total = rows.weights.reduce(0, +)
    var residual = rows.target
    for (i, prediction) in try fit.model.predict(rows.features).enumerated() {
      residual[i] -= prediction
    }
    #expect(abs(zip(rows.weights, residual).reduce(0) { $0 + $1.0 * $1.1 }) <= 1e-11 * total)
    for j in 0..<6 {
      let column = rows.features.column(j)
      let mean = zip(column, rows.weights).reduce(0) { $0 + $1.0 * $1.1 } / total
      let deviation =
        (zip(column, rows.weights).reduce(0) {
          $0 + $1.1 * ($1.0 - mean) * ($1.0 - mean)
        } / total).squareRoot()
      var gradient = -2.5 * fit.model.coefficients[j] * deviation
      for i in 0..<50 { gradient += rows.weights[i] * residual[i] * (column[i] - mean) / deviation }
      #expect(abs(gradient) <= 1e-11 * total)
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `leaves one out as a refit would`(seed: UInt64) throws {
    // Scales are kept by the shortcut, so the refits use none.
    let ridge = RidgeRegression(penalty: 3, standardisation: .centred)
    for (rowCount, featureCount) in [(25, 4), (12, 20)] {
      let rows = try RandomRows(seed: seed, rowCount: rowCount, featureCount: featureCount)
      let fit = try ridge.fit(rows.features, target: rows.target, weights: rows.weights)
      #expect(fit.solver == (rowCount > featureCount ? .cholesky : .dualCholesky))
      let diagnostics = try fit.diagnostics(
        rows.features, target: rows.target, weights: rows.weights)
      let path = try PenaltyPath(
        [0.1, 3], rows.features, target: rows.target, weights: rows.weights,
        standardisation: .centred)
      var square = 0.0
      for i in 0..<rowCount {
        let kept = (0..<rowCount).filter { $0 != i }
        let refit = try ridge.fit(
          rows.features.rows(at: kept), target: ContiguousArray(kept.map { rows.target[$0] }),
          weights: ContiguousArray(kept.map { rows.weights[$0] }))
        let expected = rows.target[i] - (try refit.model.predict(rows.row(i)))
        #expect(abs(diagnostics.leaveOneOutResiduals[i, 0] - expected) <= 1e-9)
        square += rows.weights[i] * expected * expected
      }
      square /= rows.weights.reduce(0, +)
      #expect(abs(diagnostics.leaveOneOutMeanSquares[0] / square - 1) <= 1e-9)
      #expect(abs(path.leaveOneOutMeanSquares[1, 0] / square - 1) <= 1e-9)
      #expect(abs(path.degreesOfFreedom[1] / diagnostics.degreesOfFreedom - 1) <= 1e-11)
      let generalised = diagnostics.generalisedCrossValidation[0]
      #expect(abs(path.generalisedCrossValidation[1, 0] / generalised - 1) <= 1e-9)
    }
  }

  @Test func `gives each of several targets the model it would have alone`() throws {
    let rows = try RandomRows(seed: 8, rowCount: 40, featureCount: 5)
    let other = try RandomRows(seed: 9, rowCount: 40, featureCount: 5).target
    for penalty in [0, 2.0] {
      let ridge = RidgeRegression(penalty: penalty)
      let both = try ridge.fit(rows.features, targets: Matrix(columns: [rows.target, other]))
      for (t, target) in [rows.target, other].enumerated() {
        let alone = try ridge.fit(rows.features, target: target)
        #expect(
          agree(both.models[t].coefficients, alone.model.coefficients, within: 1e-13))
      }
    }
  }

  @Test func `is the same to the bit on any number of threads`() throws {
    let rows = try RandomRows(seed: 12, rowCount: 9000, featureCount: 5)
    let penalties: ContiguousArray<Double> = [0.5, 5]
    let one = try RidgeRegression().fit(rows.features, target: rows.target, weights: rows.weights)
    let onePath = try PenaltyPath(penalties, rows.features, target: rows.target)
    for threads in [2, 3, 16] {
      let many = try RidgeRegression().fit(
        rows.features, target: rows.target, weights: rows.weights, threads: threads)
      #expect(many.model == one.model)
      let path = try PenaltyPath(penalties, rows.features, target: rows.target, threads: threads)
      #expect(path.leaveOneOutMeanSquares == onePath.leaveOneOutMeanSquares)
    }
  }

  @Test func `does not mind the order of rows and columns`() throws {
    let rows = try RandomRows(seed: 13, rowCount: 40, featureCount: 5)
    let model = try RidgeRegression().fit(rows.features, target: rows.target).model
    var random = SplitMix64(seed: 14)
    let order = Array(0..<40).shuffled(using: &random)
    let columns = Array(0..<5).shuffled(using: &random)
    let shuffled = try Matrix(columns: columns.map { rows.features.rows(at: order).column($0) })
    let again = try RidgeRegression()
      .fit(shuffled, target: ContiguousArray(order.map { rows.target[$0] })).model
    #expect(
      agree(
        again.coefficients, ContiguousArray(columns.map { model.coefficients[$0] }), within: 1e-13))
  }

  @Test func `gives a leverage for any row that is that of the fitted one`() throws {
    for (rowCount, featureCount, penalty) in [(30, 4, 1.0), (10, 15, 1.0), (30, 4, 0), (10, 15, 0)]
    {
      let rows = try RandomRows(seed: 15, rowCount: rowCount, featureCount: featureCount)
      let fit = try RidgeRegression(penalty: penalty).fit(rows.features, target: rows.target)
      let diagnostics = try fit.diagnostics(rows.features, target: rows.target)
      for i in 0..<rowCount {
        #expect(abs(try fit.leverage(of: rows.row(i)) - diagnostics.leverages[i]) <= 1e-12)
      }
    }
  }
}
