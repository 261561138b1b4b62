#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// One fit, one edit, one path: the numeric core beside the raw work of the same size.
enum CoreSuite {
  /// A size: days and features.
  enum Shape: String, CaseIterable {
    case small = "S"
    case medium = "M"
    case large = "L"

    var rowCount: Int {
      switch self {
      case .small: 365
      case .medium: 3650
      case .large: 36500
      }
    }

    var columnCount: Int {
      switch self {
      case .small: 40
      case .medium: 200
      case .large: 500
      }
    }
  }

  static let workloads: [(name: String, summary: String)] = [
    ("W1", "one ridge fit, fixed λ, intercept, standardised inside"),
    ("W1 2 threads", "the same shared by two threads, elapsed; its raw work is ours with one"),
    ("W2", "100 λ, exact leave-one-out for each, the best refitted"),
    ("W3", "append one row, fresh exact coefficients"),
    ("W4 remove, W4 change", "remove one row; put another in its place"),
    ("W4b", "edit one day in canonical sums, restandardised"),
    ("W5", "one logistic fit to a gradient of 1e-8, fixed λ, standardised inside"),
    ("W6", "50 λ in five folds, logistic, each to 1e-6"),
    ("W7", "append one row, logistic refit to 1e-8"),
    ("W9, W9 path", "rolling-origin forecasts, an exact refit each day; the same for 100 λ"),
  ]

  static let lambda = 1.0
  static let ridgePath = powers(100, from: 1e-3, to: 1e6)
  static let logisticPath = powers(50, from: 1e-4, to: 1e4)

  /// The sizes of a run.
  static func shapes(_ options: Options) -> [Shape] { options.isQuick ? [.small] : Shape.allCases }

  /// The matrix and targets of a size, with rows that come later.
  static func design(_ shape: Shape) -> Design {
    Design(rowCount: shape.rowCount, columnCount: shape.columnCount, laterRowCount: 256)
  }

  /// Five folds of rows, each of every fifth day.
  static func folds(rowCount: Int) -> [Int32] { (0..<rowCount).map { Int32($0 % 5) } }

  /// `count` numbers from `low` to `high`, each a fixed multiple of the one before.
  private static func powers(_ count: Int, from low: Double, to high: Double) -> [Double] {
    (0..<count).map { low * pow(high / low, Double($0) / Double(count - 1)) }
  }

  static func run(_ run: inout Run) throws {
    var measured: [Measured] = []
    for shape in shapes(run.options) {
      let data = try CoreData(shape, run)
      measured += try RidgeWorkloads(data).measured()
      // A hundred years say nothing new of what takes steps or goes from day to day.
      guard shape != .large else { continue }
      measured += try LogisticWorkloads(data).measured()
      measured += try RollingWorkloads(data).measured()
    }
    run.add(measured)
    guard !measured.isEmpty else { return }
    run.report("core", table(measured.map(\.outcome)))
  }

  static func table(_ outcomes: [Outcome]) -> String {
    var table = Table(
      ["core", "shape", "median", "min", "p90", "raw work", "ratio", "error", "allocations"],
      left: [0, 1])
    for outcome in outcomes {
      func time(_ microseconds: Double?) -> String {
        microseconds.map { Format.time(seconds: $0 * 1e-6) } ?? "-"
      }
      table.add([
        outcome.workload, outcome.shape, time(outcome.medianUs), time(outcome.minUs),
        time(outcome.p90Us), time(outcome.limitUs),
        outcome.ratioToLimit.map { Format.fixed($0, 2) } ?? "-",
        outcome.error.map(Format.tiny) ?? "-",
        outcome.allocations.map { Format.short($0) } ?? "-",
      ])
    }
    return table.text
  }
}
