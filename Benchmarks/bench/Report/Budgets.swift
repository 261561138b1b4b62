#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What a run may cost, from `budgets.json`: things that do not vary by machine.
struct Budgets: Codable {
  /// Ratio to the raw work of the same run, by the key of an outcome. Not judged in a quick run.
  var ratioToLimit: [String: Double]
  /// Calls of the allocator in one operation.
  var allocations: [String: Double]
  /// Bytes that an operation adds to the process, in the unit that the key names.
  var addedBytes: [String: Double]
  /// Exponents of growth.
  var growth: [String: Double]
  /// Distance from a reference solution.
  var error: [String: Double]
  /// The largest share of people, by the key of an outcome; two standard errors above it are luck.
  var people: [String: Double]
  /// The largest share of any window that a retrain up to 3,650 days may take.
  var share: Double
}

extension Budgets {
  init(contentsOf path: String) throws {
    self = try RunRecord.decoder.decode(Self.self, from: Data(contentsOf: URL(filePath: path)))
  }

  /// What a run breaks, one sentence each, and how many budgets it was held to.
  func breaches(by record: RunRecord, isQuick: Bool) -> (sentences: [String], judged: Int) {
    var sentences: [String] = []
    var judged = 0
    func hold(_ value: Double?, to budget: Double?, _ what: String, _ format: (Double) -> String) {
      guard let value, let budget else { return }
      judged += 1
      if !(value <= budget) {
        sentences.append("\(what) is \(format(value)), the budget is \(format(budget))")
      }
    }
    for outcome in record.results {
      let key = outcome.key
      if !isQuick {
        hold(outcome.ratioToLimit, to: ratioToLimit[key], "\(key): ratio to the raw work") {
          Format.short($0)
        }
      }
      hold(outcome.allocations, to: allocations[key], "\(key): allocations") { Format.short($0) }
      hold(outcome.addedBytes, to: addedBytes[key], "\(key): added memory") {
        Format.memory(bytes: $0)
      }
      hold(outcome.error, to: error[key], "\(key): error") { Format.tiny($0) }
      if let share = outcome.shareOfPeople, let budget = people[key] {
        let error = (budget * (1 - budget) / Double(max(1, outcome.samples ?? 1))).squareRoot()
        hold(share, to: budget + 2 * error, "\(key): share of people") { Format.share($0) }
      }
      for (window, value) in [
        ("refresh window", outcome.shareOfRefresh), ("processing window", outcome.shareOfWindow),
        ("battery allowance", outcome.shareOfBattery),
      ] { hold(value, to: share, "\(key): share of the \(window)") { Format.share($0) } }
    }
    for curve in record.growth {
      hold(curve.exponent, to: growth[curve.name], "\(curve.name): exponent") { Format.short($0) }
    }
    return (sentences, judged)
  }
}
