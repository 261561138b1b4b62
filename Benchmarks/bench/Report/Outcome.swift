#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What one workload came to at one shape. Times in microseconds; nil where it does not apply.
///
/// The names are those of the JSON that `--json` writes.
struct Outcome: Codable, Equatable {
  var suite: String
  var workload: String
  var shape: String
  /// Processor time of one operation of ours.
  var medianUs: Double?
  var minUs: Double?
  var p90Us: Double?
  /// The same of the raw work, in the same run.
  var limitUs: Double?
  /// Median of ours over median of the raw work.
  var ratioToLimit: Double?
  /// Largest departure from a reference solution, relative to its largest entry.
  var error: Double?
  /// Calls of the allocator in one operation.
  var allocations: Double?
  /// Elapsed time, where processor time is not all that counts.
  var wallUs: Double?
  /// Peak memory of the process during the operation, and what of it was not there before.
  var peakBytes: Double?
  var addedBytes: Double?
  /// Shares of what a phone grants: 30 s of a refresh, the processing window, 48 CPU-seconds in 60 s.
  var shareOfRefresh: Double?
  var shareOfWindow: Double?
  var shareOfBattery: Double?
  /// Joules, and whether a counter measured them.
  var joules: Double?
  var energyIsMeasured: Bool?
  /// The share of simulated people to whom something befell that should be rare; ``samples`` says of how many.
  var shareOfPeople: Double?
  var samples: Int?
  /// What else is worth saying, such as how many rows changed.
  var note: String?

  init(suite: SuiteName, workload: String, shape: String) {
    self.suite = suite.rawValue
    self.workload = workload
    self.shape = shape
  }

  /// What names it in budgets and comparisons.
  var key: String { "\(suite) \(workload) \(shape)" }

  /// Takes over the times of ours, and of the raw work where there is one.
  mutating func take(_ ours: Samples, limit: Samples? = nil) {
    medianUs = ours.cpu(0.5) * 1e6
    minUs = ours.cpu(0) * 1e6
    p90Us = ours.cpu(0.9) * 1e6
    wallUs = ours.wall(0.5) * 1e6
    samples = ours.count
    if let limit {
      limitUs = limit.cpu(0.5) * 1e6
      ratioToLimit = ours.cpu(0.5) / limit.cpu(0.5)
    }
  }
}

/// How cost grows with size, as the exponent of a power fitted to a sweep.
struct Growth: Codable, Equatable {
  /// What grows against what, such as `update against days`.
  var name: String
  var sizes: [Double]
  /// Seconds, or bytes.
  var costs: [Double]
  /// The slope of a straight line through the logarithms of both, by least squares.
  var exponent: Double

  init(name: String, sizes: [Double], costs: [Double]) {
    self.name = name
    self.sizes = sizes
    self.costs = costs
    exponent = Self.slope(sizes, costs)
  }

  /// The slope of log cost against log size.
  static func slope(_ sizes: [Double], _ costs: [Double]) -> Double {
    var xs: [Double] = []
    var ys: [Double] = []
    for (size, cost) in zip(sizes, costs) where size > 0 && cost > 0 {
      xs.append(log(size))
      ys.append(log(cost))
    }
    guard xs.count > 1 else { return .nan }
    let meanX = xs.reduce(0, +) / Double(xs.count)
    let meanY = ys.reduce(0, +) / Double(ys.count)
    var spread = 0.0
    var product = 0.0
    for (x, y) in zip(xs, ys) {
      spread += (x - meanX) * (x - meanX)
      product += (x - meanX) * (y - meanY)
    }
    return product / spread
  }
}

/// All of a run, as `--json` writes it.
struct RunRecord: Codable, Equatable {
  var machine: Machine
  /// The arguments of the run.
  var command: [String]
  var results: [Outcome]
  var growth: [Growth]
  /// What other software took; nil where it did not run.
  var rivals: [Peers.Rival]?

  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }
}
