import FoundationEssentials
import Learning
import LinearAlgebra
import TestSupport
import Testing

/// Least squares against certified values: Statistical Reference Datasets, linear regression,
/// National Institute of Standards and Technology (public domain).
@Suite struct `Certified regressions` {
  /// The scaled columns have a condition number κ near 111, so the equations of the columns lose
  /// about n κ² ε = 16 · 111² · 2.2e-16 < 5e-11 of each value.
  @Test func `Longley's data give the certified coefficients`() throws {
    let path = SharedData.checkout.appending(path: "Tests/Golden/nist/longley.csv")
    let lines = try String(contentsOf: path, encoding: .utf8).split(separator: "\n").dropFirst()
    let rows = try lines.map { line in
      try ContiguousArray(line.split(separator: ",").map { try #require(Double($0)) })
    }
    #expect(rows.count == 16)
    let model = try RidgeRegression(penalty: 0)
      .fit(
        Matrix(rows: rows.map { ContiguousArray($0.dropFirst()) }),
        target: ContiguousArray(rows.map { $0[0] })
      ).model
    let certified = [
      -3_482_258.63459582, 15.0618722713733, -0.0358191792925910, -2.02022980381683,
      -1.03322686717359, -0.0511041056535807, 1829.15146461355,
    ]
    for (value, expected) in zip([model.intercept] + model.coefficients, certified) {
      #expect(abs(value / expected - 1) < 5e-11)
    }
  }
}
