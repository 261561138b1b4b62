#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// This run beside an earlier one.
struct Comparison {
  let earlier: RunRecord
  let later: RunRecord

  init(of later: RunRecord, withFile path: String) throws {
    let data = try Data(contentsOf: URL(filePath: path))
    earlier = try RunRecord.decoder.decode(RunRecord.self, from: data)
    self.later = later
  }

  /// Later over earlier with the band that the quartiles of both leave open.
  struct Change: Equatable {
    let key: String
    let ratio: Double
    let band: ClosedRange<Double>

    /// What can be said: nothing where the band holds 1 or the change is under 5 %.
    var verdict: String {
      if band.lowerBound > 1, ratio > 1.05 { return "slower" }
      if band.upperBound < 1, ratio < 0.95 { return "faster" }
      return "within noise"
    }
  }

  /// The changes of all that both runs measured.
  var changes: [Change] {
    let known = Dictionary(earlier.results.map { ($0.key, $0) }) { first, _ in first }
    return later.results.compactMap { outcome in
      guard let before = known[outcome.key], let new = outcome.medianUs, let old = before.medianUs
      else { return nil }
      let low = (outcome.lowerQuartileUs ?? new) / (before.upperQuartileUs ?? old)
      let high = (outcome.upperQuartileUs ?? new) / (before.lowerQuartileUs ?? old)
      return Change(key: outcome.key, ratio: new / old, band: min(low, high)...max(low, high))
    }
  }

  var text: String {
    var table = Table(["against the earlier run", "ratio", "noise", "verdict"], left: [0, 3])
    for change in changes {
      table.add([
        change.key, Format.fixed(change.ratio, 2),
        "\(Format.fixed(change.band.lowerBound, 2)) to \(Format.fixed(change.band.upperBound, 2))",
        change.verdict,
      ])
    }
    let sameMachine = earlier.machine == later.machine
    return (sameMachine ? "" : "The earlier run was on another machine or kernel.\n") + table.text
  }
}
