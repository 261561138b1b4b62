import Learning
import LinearAlgebra
import TestSupport
import Testing

/// Least squares against certified values: Statistical Reference Datasets, linear regression,
/// National Institute of Standards and Technology (public domain).
///
/// How many digits a double can give differs by set and value, from all of them down to four. The
/// script beside the data computes with 60 digits what a relative perturbation of standardised columns
/// and target does to every value: the *sensitivity*, by which a roundoff grows.
@Suite struct `Certified regressions` {
  struct Sets: Decodable {
    let sets: [CertifiedSet]
  }

  struct CertifiedSet: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    /// Columns are the powers 1...powers of the one predictor.
    let powers: Int
    let throughOrigin: Bool
    let x: [[Double]]
    let y: [Double]
    /// The intercept and a value per column.
    let estimates: [Double]
    let deviations: [Double]
    /// The residual standard deviation.
    let residual: Double
    /// κ of the standardised columns.
    let condition: Double
    let sensitivities: [Double]
    let gramSensitivities: [Double]
    let residualTerms: Double
    var testDescription: String { name }

    /// Rows and target; with their mirror images where the line goes through the origin, which puts
    /// every mean at zero and leaves slope and residual variance alone.
    func problem() throws -> (features: Matrix, target: ContiguousArray<Double>) {
      let rows = x.map { row in
        powers == 1
          ? ContiguousArray(row)
          : ContiguousArray(
            (1...powers).map { power in (0..<power).reduce(1) { value, _ in value * row[0] } })
      }
      guard throughOrigin else { return (try Matrix(rows: rows), ContiguousArray(y)) }
      return (
        try Matrix(rows: rows + rows.map { ContiguousArray($0.map { -$0 }) }),
        ContiguousArray(y + y.map { -$0 })
      )
    }
  }

  static let sets = Result { try Golden.read("nist/strd.json", as: Sets.self).sets }

  /// Four roundings, as sums over many rows lose more than one; a certified value has fifteen digits
  /// itself.
  @Test(arguments: try sets.get())
  func `give every digit that double precision allows`(set: CertifiedSet) throws {
    let (features, target) = try set.problem()
    let fit = try RidgeRegression(penalty: 0).fit(features, target: target)
    let isGram = fit.solver == .cholesky
    #expect(fit.rank == features.columnCount)
    let found = [fit.model.intercept] + fit.model.coefficients
    for (j, (value, certified)) in zip(found, set.estimates).enumerated() where certified != 0 {
      let sensitivity = isGram ? set.gramSensitivities[j] : set.sensitivities[j]
      let bound = 4 * .ulpOfOne * sensitivity + 5e-15
      let error = abs(value - certified) / abs(certified)
      #expect(error <= bound, "value \(j): \(error) exceeds \(bound)")
    }
    if set.throughOrigin { #expect(abs(fit.model.intercept) <= 1e-15 * abs(target[0])) }

    // A residual is what is left of terms far larger; without noise nothing but rounding is.
    let variance = try fit.diagnostics(features, target: target).residualVariance[0]
    let rounding = 32 * .ulpOfOne * set.residualTerms
    #expect(abs(variance.squareRoot() - set.residual) <= rounding + 1e-13 * set.residual)
    guard set.deviations[0] > 0 else { return }
    // At the origin the fitted value is the intercept.
    let origin = ContiguousArray<Double>(repeating: 0, count: features.columnCount)
    let deviation = (variance * (try fit.leverage(of: origin))).squareRoot()
    let growth = isGram ? set.condition * set.condition : set.condition
    #expect(
      abs(deviation / set.deviations[0] - 1)
        <= 32 * .ulpOfOne * growth + rounding / set.residual + 1e-14)
  }
}
