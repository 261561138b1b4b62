import Learning
import LinearAlgebra
import Testing

@Suite struct `Bad input to a ridge regression` {
  let good = ContiguousArray<Double>([1, 2, 4, 7])

  @Test func `is named with its position`() throws {
    let ridge = RidgeRegression()
    let features = try Matrix(columns: [good, [2, 1, 2, 5]])
    #expect(throws: LearningError.emptyInput(rowCount: 0, columnCount: 0)) {
      try ridge.fit(Matrix(rows: [[Double]]()), target: [])
    }
    #expect(throws: LearningError.lengthMismatch(expected: 4, actual: 3)) {
      try ridge.fit(features, target: [1, 2, 3])
    }
    #expect(throws: LearningError.lengthMismatch(expected: 4, actual: 1)) {
      try ridge.fit(features, target: good, weights: [1])
    }
    for bad in [-1, -Double.leastNonzeroMagnitude, .nan, .infinity] {
      #expect(throws: LearningError.invalidWeight(row: 2)) {
        try ridge.fit(features, target: good, weights: [1, 1, bad, 1])
      }
      #expect(throws: LearningError.invalidPenalty(position: 0)) {
        try RidgeRegression(penalty: bad).fit(features, target: good)
      }
      #expect(throws: LearningError.invalidPenalty(position: 1)) {
        try PenaltyPath([1, bad], features, target: good)
      }
    }
    #expect(throws: LearningError.tooFewRows(needed: 1, actual: 0)) {
      try ridge.fit(features, target: good, weights: [0, 0, 0, 0])
    }
    #expect(throws: LearningError.tooFewRows(needed: 2, actual: 1)) {
      try ridge.fit(features, target: good, weights: [0, 0, 3, 0])
    }
  }

  @Test func `NUM_8: a NaN or infinity is named wherever it stands`() throws {
    for bad in [Double.nan, .infinity, -.infinity] {
      for row in 0..<4 {
        for column in 0..<2 {
          var features = try Matrix(columns: [good, [2, 1, 2, 5]])
          features[row, column] = bad
          #expect(throws: LearningError.nonFiniteFeature(row: row, column: column)) {
            try RidgeRegression().fit(features, target: good)
          }
        }
        var target = good
        target[row] = bad
        #expect(throws: LearningError.nonFiniteTarget(row: row, column: 0)) {
          try RidgeRegression().fit(Matrix(columns: [good]), target: target)
        }
      }
    }
  }

  @Test func `NUM_9: a size beyond BLAS is refused before memory is taken`() {
    #expect(throws: LinearAlgebraError.sizeTooLarge(rowCount: 50_000, columnCount: 50_000)) {
      try Matrix(rowCount: 50_000, columnCount: 50_000)
    }
    #expect(throws: LearningError.sizeTooLarge(rowCount: 50_001, columnCount: 50_001)) {
      try Moments(featureCount: 50_000)
    }
    #expect(throws: LinearAlgebraError.sizeTooLarge(rowCount: .max, columnCount: 2)) {
      try Matrix(rowCount: .max, columnCount: 2)
    }
  }

  @Test func `is not a column of huge or tiny scale`() throws {
    for scale in [1e-300, 1e-200, 1e-12, 1e12, 1e200, 1e300] {
      let features = try Matrix(columns: [ContiguousArray(good.map { $0 * scale }), [2, 1, 2, 5]])
      let plain = try RidgeRegression().fit(
        Matrix(columns: [good, [2, 1, 2, 5]]), target: good
      ).model
      let scaled = try RidgeRegression().fit(features, target: good).model
      #expect(abs(scaled.coefficients[0] * scale - plain.coefficients[0]) < 1e-12, "\(scale)")
      #expect(abs(scaled.coefficients[1] - plain.coefficients[1]) < 1e-12, "\(scale)")
    }
  }
}
