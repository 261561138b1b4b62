internal import DayLog
internal import Learning
internal import LinearAlgebra
internal import Personalisation
internal import Storage
import Time

/// W11, the library in a process of its own: ten years out of the store into features, a ridge regression
/// of 100 λ and a logistic one of 10 λ x 5 folds, both fitted, tomorrow predicted, both saved.
///
/// There is no evaluation day by day, no gate and no interval: that is W12, which `diurnal train` does.
enum WholeProcess {
  /// What `bench` is started with to be that process, before the path of the store.
  static let argument = "--whole-process"

  /// Tomorrow's level and probability out of what such a process prints, ours and a rival's alike.
  static func predictions(_ text: String) -> ContiguousArray<Double> {
    ContiguousArray(
      text.split { $0.isWhitespace }.prefix(2).compactMap { Double($0) })
  }

  static let penalties = CoreSuite.ridgePath
  static let logisticPenalties: [Double] = (0..<10).map { pow10($0) }
  static let foldCount = 5

  /// 1e-4, 1e-3 and so on: ten of them.
  private static func pow10(_ step: Int) -> Double { Double("1e\(step - 4)") ?? 1 }

  static func run(store path: String) async throws {
    let store = try LogStore(path: path)
    let table = try await store.dayTable()
    let training = try await store.beginTraining()
    let design = try DayDesign(table)

    let level = try design.outcomes { $0 }
    let path = try PenaltyPath(
      ContiguousArray(penalties), level.features, target: level.values)
    let penalty = path.bestPenalty()
    let ridge = try RidgeRegression(penalty: penalty).fit(level.features, target: level.values)
      .model

    let low = try design.outcomes { $0 <= 4 ? 1 : 0 }
    let splits = RowSplit.folds((0..<low.values.count).map { $0 % foldCount })
    let validation = try LogisticCrossValidation(
      ContiguousArray(logisticPenalties), low.features, labels: low.values, splits: splits)
    let logistic = try LogisticRegression(penalty: validation.bestPenalty)
      .fit(low.features, labels: low.values).model

    let models = [
      ("level", ridge.encoded()), ("low", logistic.encoded()),
    ].map { name, bytes in
      StoredModel(
        target: name, schemaVersion: 1, bytes: bytes, fingerprint: "bench",
        change: training.change, madeAt: Instant(seconds: 1_800_000_000))
    }
    try await store.save(models, of: training)
    await store.close()
    print(
      try ridge.predict(design.tomorrow), try logistic.predict(design.tomorrow), penalty,
      validation.bestPenalty)
  }
}

/// The features of every day of a log, gaps filled with the mean of their column, and what came the day after.
private struct DayDesign {
  /// One row a day, and one more for the last day, whose outcome is not known.
  private let features: Matrix
  private let target: ContiguousArray<Double>

  init(_ table: DayTable) throws {
    let spec = FeatureSpec.benchmark(table.metrics)
    let made = FeatureMatrix(spec, of: table, days: table.firstDay..<table.endDay)
    var values = made.values
    for column in 0..<spec.features.count {
      let range = (column * made.rowCount)..<((column + 1) * made.rowCount)
      var (sum, count) = (0.0, 0.0)
      for i in range where values[i].isFinite { (sum, count) = (sum + values[i], count + 1) }
      let mean = count > 0 ? sum / count : 0
      for i in range where !values[i].isFinite { values[i] = mean }
    }
    features = try Matrix(
      columnMajor: values, rowCount: made.rowCount, columnCount: spec.features.count)
    // The second metric, as the retrain scenarios have it.
    target = ContiguousArray(table.values[table.dayCount..<(2 * table.dayCount)])
  }

  var tomorrow: ContiguousArray<Double> { features.row(features.rowCount - 1) }

  /// The rows whose day after has a value, and that value as a regression wants it.
  func outcomes(
    _ value: (Double) -> Double
  ) throws -> (features: Matrix, values: ContiguousArray<Double>) {
    let rows = (0..<(features.rowCount - 1)).filter { target[$0 + 1].isFinite }
    return (features.rows(at: rows), ContiguousArray(rows.map { value(target[$0 + 1]) }))
  }
}
