internal import Learning
internal import LinearAlgebra

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The fits behind the forecasts, ridge or logistic, with one meaning of λ.
enum Regression {
  /// The penalties that are tried, small to large.
  static func penalties(isBinary: Bool) -> [Double] {
    isBinary ? [3, 10, 30, 100, 300, 1000] : [1, 10, 30, 100, 300, 1000, 3000, 10_000]
  }

  /// Ridge from sums.
  static func ridge(_ moments: Moments, penalty: Double) throws(TrainingError) -> RidgeModel {
    do { return try RidgeRegression(penalty: penalty).fit(moments).model } catch {
      throw .learning(error)
    }
  }

  /// Sums over some rows.
  static func moments(
    _ features: Matrix, _ target: ContiguousArray<Double>, _ rows: Range<Int>
  ) throws(TrainingError) -> Moments {
    let part = features.rows(rows)
    do {
      let targets = try Matrix(
        columnMajor: ContiguousArray(target[rows]), rowCount: rows.count, columnCount: 1)
      return try Moments(features: part, targets: targets)
    } catch let error as LearningError {
      throw .learning(error)
    } catch { throw .tooLarge }
  }

  /// The probability of a linear score.
  static func probability(_ score: Double) -> Double {
    score >= 0 ? 1 / (1 + exp(-score)) : exp(score) / (1 + exp(score))
  }
}
