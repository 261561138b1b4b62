/// What a workload should cost at most, and what it should beat by how much.
struct Goal {
  /// How it is judged.
  enum Bound: Equatable {
    /// Processor seconds of one operation.
    case seconds(Double)
    /// Times the raw work of the same run.
    case timesRawWork(Double)
    /// How many times as long the fastest rival takes whose name begins like this.
    case fasterThan(String, times: Double)
    /// Bytes that it adds to the process, and those of a process of its own.
    case addedBytes(Double)
    case peakBytes(Double)
    /// Calls of the allocator in one operation.
    case allocations(Double)
    /// The distance from the reference.
    case error(Double)
    /// The exponent of a growth, which the workload then names.
    case exponent(Double)
  }

  let workload: String
  let shape: String
  let bound: Bound
  /// Why it may be missed.
  var remark = ""

  init(_ workload: String, _ shape: String, _ bound: Bound, _ remark: String = "") {
    self.workload = workload
    self.shape = shape
    self.bound = bound
    self.remark = remark
  }
}

extension Goal {
  private static let extraPasses = "checks, means and scales are passes over the rows on top"
  private static let exactSums = "sums that forget a row exactly have twice the digits"

  /// All goals, in the order of their workloads. Those of an import are per gigabyte.
  static func all(_ options: Options) -> [Goal] {
    let gigabytes = Double(ImportSuite.bytes(options)) / 1e9
    let export = ImportSuite.shape(options)
    let decade = "\(ProcessSuite.days(options)) days x 12"
    return [
      Goal("W1", "S", .timesRawWork(1.3), extraPasses),
      Goal("W1", "S", .fasterThan("scikit-learn Ridge", times: 25), "set where 1.9.1 took 1.3 ms"),
      Goal("W1", "M", .timesRawWork(1.1), extraPasses),
      Goal("W1", "M", .fasterThan("scikit-learn Ridge", times: 2)),
      Goal("W1", "M", .addedBytes(4 * 3650 * 200 * 8)),
      Goal("W1", "L", .timesRawWork(1.05), extraPasses),
      Goal("W1 2 threads", "L", .error(0)),
      Goal(
        "W1 2 threads", "L", .timesRawWork(0.6), "needs two cores that nothing else keeps busy"),
      Goal("W2", "S", .timesRawWork(1.1), extraPasses),
      Goal(
        "W2", "S", .fasterThan("scikit-learn RidgeCV", times: 18), "set where 1.9.1 took 8.5 ms"),
      Goal("W2", "M", .timesRawWork(1.05), extraPasses),
      Goal("W2", "M", .fasterThan("scikit-learn RidgeCV", times: 8)),
      Goal("W2", "L", .timesRawWork(1.03), extraPasses),
      Goal(
        "W2", "L", .fasterThan("scikit-learn RidgeCV", times: 18),
        "set where 1.9.1 took 21 s and the raw work 1.1 s"),
      Goal("W3", "S", .timesRawWork(1.15), exactSums),
      Goal("W3", "M", .timesRawWork(1.15), exactSums),
      Goal("W3", "M", .fasterThan("river", times: 4), "set where 0.26 took 115 µs"),
      Goal("W3", "M", .fasterThan("scikit-learn Ridge, refit", times: 250)),
      Goal("W3", "M", .allocations(0)),
      Goal("W3", "L", .timesRawWork(1.15), exactSums),
      Goal("update against days", "", .exponent(0.15)),
      Goal("W4 remove", "M", .timesRawWork(1.3), exactSums),
      Goal("W4 remove", "M", .fasterThan("scikit-learn Ridge, refit", times: 200)),
      Goal("W4 change", "M", .timesRawWork(1.4), exactSums),
      Goal(
        "W4 change", "M", .fasterThan("scikit-learn Ridge, refit", times: 200),
        "set where a refit by 1.9.1 took 9 ms"),
      Goal("W4b", "M", .timesRawWork(1.8), "a block of up to 128 days is summed again"),
      Goal("W4b", "L", .timesRawWork(1.8), "a block of up to 128 days is summed again"),
      Goal("W5", "S", .timesRawWork(1)),
      Goal("W5", "S", .fasterThan("scikit-learn newton-cholesky", times: 10)),
      Goal("W5", "M", .timesRawWork(0.5)),
      Goal("W5", "M", .fasterThan("scikit-learn newton-cholesky", times: 3)),
      Goal("W6", "S", .timesRawWork(0.6)),
      Goal("W6", "S", .fasterThan("cv.glmnet", times: 6)),
      Goal("W6", "S", .fasterThan("scikit-learn", times: 30)),
      Goal("W6", "M", .timesRawWork(0.25)),
      Goal("W6", "M", .fasterThan("cv.glmnet", times: 3.5)),
      Goal("W7", "S", .timesRawWork(1)),
      Goal(
        "W7", "S", .fasterThan("scikit-learn newton-cholesky", times: 50),
        "set where a warm refit by 1.9.1 took 1.8 ms"),
      Goal("W7", "M", .timesRawWork(1)),
      Goal("W7", "M", .fasterThan("scikit-learn newton-cholesky", times: 10)),
      Goal("W7", "M", .allocations(0)),
      Goal("W8", "M", .timesRawWork(1)),
      Goal("W8", "M", .fasterThan("polars", times: 10)),
      Goal("W9", "M", .timesRawWork(1)),
      Goal("W9", "M", .fasterThan("scikit-learn Ridge", times: 80)),
      Goal("W10 sums", export, .fasterThan("libxml2", times: 5)),
      Goal("W10", export, .timesRawWork(4), "sources, sleep, repeats and the hash come on top"),
      Goal("W10", export, .addedBytes(60e6 + 24 * 2.42e6 * gigabytes)),
      Goal("W10", export, .fasterThan("healthkit-to-sqlite", times: 40)),
      Goal(
        "W11", decade, .seconds(0.5),
        "two thirds are BLAS: gradients and second derivatives of five folds of 283 columns"),
      Goal("W11", decade, .peakBytes(80e6)),
      Goal("W12", decade, .seconds(10)),
      Goal("train, new day", decade, .seconds(0.1)),
      Goal("predict", decade, .seconds(40e-3)),
    ]
  }
}
