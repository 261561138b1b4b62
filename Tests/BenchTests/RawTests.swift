import Foundation
import Testing

@testable import bench

@Suite struct RawTests {
  let design = Design(rowCount: 120, columnCount: 11, laterRowCount: 3)
  let lambda = 1.5

  /// Coefficients of the penalised least squares through the origin, by elimination in long steps.
  func solution(rows: Int, leftOut: Int? = nil, lambda: Double) -> [Double] {
    let p = design.columnCount
    var system = Array(repeating: Array(repeating: 0.0, count: p + 1), count: p)
    for i in 0..<rows where i != leftOut {
      for j in 0..<p {
        for k in 0..<p { system[j][k] += value(i, j) * value(i, k) }
        system[j][p] += value(i, j) * design.y[i]
      }
    }
    for j in 0..<p { system[j][j] += lambda }
    for j in 0..<p {
      for i in 0..<p where i != j {
        let factor = system[i][j] / system[j][j]
        for k in j...p { system[i][k] -= factor * system[j][k] }
      }
    }
    return (0..<p).map { system[$0][p] / system[$0][$0] }
  }

  func value(_ row: Int, _ column: Int) -> Double { design.x[column * design.rowCount + row] }

  func forecast(_ row: Int, _ w: [Double]) -> Double {
    w.indices.reduce(0) { $0 + value(row, $1) * w[$1] }
  }

  @Test func `the raw ridge solves the normal equations`() {
    let gram = Buffer(count: 121)
    let w = Buffer(count: 11)
    #expect(Raw.ridge(design, lambda: lambda, gram: gram, w: w))
    let expected = solution(rows: 120, lambda: lambda)
    #expect(Departure.relative(w.values, from: expected) < 1e-9)
  }

  @Test func `the raw path's scores are those of explicit refits without each row`() {
    let lambdas = Buffer([0.1, 3, 50])
    let scores = Buffer(count: 3)
    let w = Buffer(count: 11)
    let work = Raw.pathWorkspace(design, penalties: 3)
    #expect(Raw.ridgePath(design, lambdas: lambdas, work: work, scores: scores, w: w))
    for k in 0..<3 {
      var sum = 0.0
      for i in 0..<120 {
        let error = design.y[i] - forecast(i, solution(rows: 120, leftOut: i, lambda: lambdas[k]))
        sum += error * error
      }
      #expect(abs(scores[k] / (sum / 120) - 1) < 1e-9)
    }
  }

  @Test func `an update and a downdate of the raw factor cancel`() {
    let gram = Buffer(count: 121)
    let w = Buffer(count: 11)
    #expect(Raw.ridge(design, lambda: lambda, gram: gram, w: w))
    let before = gram.values
    Raw.update(factor: gram, by: Buffer(design.laterRows[0]))
    #expect(Departure.relative(gram.values, from: before) > 1e-4)
    #expect(Raw.downdate(factor: gram, by: Buffer(design.laterRows[0])))
    #expect(Departure.relative(gram.values, from: before) < 1e-12)
  }

  @Test func `raw rolling forecasts are those of a refit on the days before`() {
    let forecasts = Buffer(count: 28)
    let work = Raw.rollingWorkspace(design)
    #expect(Raw.rollingRidge(design, lambda: 0, work: work, forecasts: forecasts))
    for day in 0..<28 {
      let row = 92 + day
      #expect(abs(forecasts[day] - forecast(row, solution(rows: row, lambda: 0))) < 1e-7)
    }
  }

  @Test func `the reference of ridge leaves the intercept free`() throws {
    let reference = try #require(
      Raw.referenceRidge(x: design.x, y: design.y, columnCount: 11, lambda: lambda))
    let residuals = (0..<120).map { i in
      design.y[i] - reference[11] - forecast(i, Array(reference[..<11]))
    }
    #expect(abs(residuals.reduce(0, +)) < 1e-9)
    for j in 0..<11 {
      let product = (0..<120).reduce(0) { $0 + value($1, j) * residuals[$1] }
      #expect(abs(product - lambda * reference[j]) < 1e-9)
    }
  }

  @Test func `the raw logistic fit ends where the gradient does`() throws {
    let w = Buffer(count: 12)
    let work = Raw.logisticWorkspace(design)
    let steps = Raw.logistic(design, lambda: lambda, tolerance: 1e-10, work: work, w: w)
    #expect(try #require(steps) < 12)
    let gradient = Departure.gradient(
      x: design.x, labels: design.labels, lambda: lambda, w: w.values)
    #expect(gradient < 1e-10)
  }
}

@Suite struct RawFeatureTests {
  @Test func `every raw column is what its definition says`() {
    let days = 90
    var numbers = SeededNumbers(seed: 3)
    let x = (0..<days).map { _ in numbers.uniform() < 0.08 ? Double.nan : numbers.normal() }
    let columns = Buffer(count: days * 30)
    Raw.features(values: Buffer(x), days: days, metrics: 1, columns: columns)
    func expect(_ column: Int, _ day: Int, _ expected: Double) {
      let value = columns[column * days + day]
      #expect(value.isNaN == expected.isNaN, "column \(column), day \(day)")
      #expect(value.isNaN || abs(value - expected) < 1e-12, "column \(column), day \(day)")
    }
    for t in 0..<days {
      for lag in 1...7 { expect(lag - 1, t, t >= lag ? x[t - lag] : .nan) }
      var mean28 = Double.nan
      var spread28 = Double.nan
      for (k, window) in [7, 14, 28].enumerated() {
        let present = x[max(0, t - window)..<t].filter { !$0.isNaN }
        let count = Double(present.count)
        let mean = present.isEmpty ? .nan : present.reduce(0, +) / count
        let squares = present.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let spread = count > 1 ? (squares / (count - 1)).squareRoot() : .nan
        expect(7 + 4 * k, t, mean)
        expect(8 + 4 * k, t, spread)
        expect(9 + 4 * k, t, present.min() ?? .nan)
        expect(10 + 4 * k, t, present.max() ?? .nan)
        mean28 = mean
        spread28 = spread
      }
      for (k, halfLife) in [7.0, 28].enumerated() {
        var sum = 0.0
        var weight = 0.0
        for s in 0..<t where !x[s].isNaN {
          let share = pow(0.5, Double(t - s) / halfLife)
          sum += share * x[s]
          weight += share
        }
        expect(19 + k, t, weight > 0 ? sum / weight : .nan)
      }
      expect(21, t, (x[t] - mean28) / spread28)
      expect(22, t, t > 0 ? x[t] - x[t - 1] : .nan)
      for weekday in 0..<7 { expect(23 + weekday, t, t % 7 == weekday ? 1 : 0) }
    }
  }
}
