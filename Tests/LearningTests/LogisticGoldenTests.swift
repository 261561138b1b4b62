import FoundationEssentials
import Learning
import LinearAlgebra
import TestSupport
import Testing

/// Numbers of scikit-learn and statsmodels; `Tests/Golden/logistic/make.py` made them.
@Suite struct `Logistic regressions of other libraries` {
  private func lines(_ name: String) throws -> [[Substring]] {
    let path = SharedData.checkout.appending(path: "Tests/Golden/logistic/\(name)")
    return try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: ",") }
  }

  private func numbers(_ name: String) throws -> [ContiguousArray<Double>] {
    try lines(name).map { try ContiguousArray($0.map { try #require(Double($0)) }) }
  }

  @Test func `are those of this one`() throws {
    let table = try numbers("rows.csv")
    let wideTable = try numbers("wide.csv")
    #expect(table.count == 80 && wideTable.count == 15)
    let rows = try Matrix(rows: table.map { ContiguousArray($0.dropLast(2)) })
    let labels = ContiguousArray(table.map { $0[5] })
    let weights = ContiguousArray(table.map { $0[6] })
    let few = try Matrix(columns: [rows.column(0), rows.column(3), rows.column(4)])
    let wide = try Matrix(rows: wideTable.map { ContiguousArray($0.dropLast()) })
    let wideLabels = ContiguousArray(wideTable.map { $0[24] })
    let solutions = try lines("solutions.csv")
    #expect(solutions.count == 11)
    for solution in solutions {
      let expected = try ContiguousArray(
        solution.dropFirst(2).map { try #require(Double($0)) })
      var settings = LogisticRegression(
        penalty: try #require(Double(solution[1])), tolerance: 1e-12)
      let model: LinearModel
      switch solution[0] {
      case "plain": model = try settings.fit(rows, labels: labels).model
      case "weighted": model = try settings.fit(rows, labels: labels, weights: weights).model
      case "centred":
        settings.standardisation = .centred
        model = try settings.fit(few, labels: labels).model
      default: model = try settings.fit(wide, labels: wideLabels).model
      }
      // Gradients of 1e-12 and 1e-13 on both sides, over a second derivative of 1e-4 at least in units
      // of the weight sum, for columns in units of their spread.
      let columns = solution[0] == "wide" ? wide : solution[0] == "centred" ? few : rows
      #expect(expected.count == columns.columnCount + 1)
      for j in 0..<columns.columnCount {
        let spread = columns.column(j).reduce(0) { max($0, abs($1 - columns[0, j])) }
        let error = abs(model.coefficients[j] - expected[j + 1]) * spread
        #expect(error <= 1e-8, "\(solution[0]) \(solution[1])")
      }
      let odds = try model.score(columns.row(0))
      let wanted =
        expected[0] + zip(columns.row(0), expected.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
      #expect(abs(odds - wanted) <= 1e-8, "\(solution[0]) \(solution[1])")
    }
  }
}
