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

  /// Later over earlier with the band in which it may lie by noise alone.
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

  /// How much longer the raw work took in the later run, at the tenth and at the ninetieth percentile.
  ///
  /// It is the same work in both runs, so whatever it changed by is the machine's doing.
  var drift: ClosedRange<Double> {
    let known = earlierResults
    let ratios = later.results.compactMap { outcome in
      known[outcome.key].flatMap { Self.rawRatio(outcome, $0) }
    }
    guard !ratios.isEmpty else { return 1...1 }
    return Samples.quantile(0.1, of: ratios)...Samples.quantile(0.9, of: ratios)
  }

  /// The changes of all that both runs measured.
  ///
  /// The noise of each reaches from the fastest sample of one run to the slowest tenth of the other's, and further
  /// by what raw work changed, its own and that of the whole run.
  var changes: [Change] {
    let (known, drift) = (earlierResults, drift)
    return later.results.compactMap { outcome in
      guard let before = known[outcome.key], let new = outcome.medianUs, let old = before.medianUs
      else { return nil }
      let low = (outcome.minUs ?? new) / (before.p90Us ?? old)
      let high = (outcome.p90Us ?? new) / (before.minUs ?? old)
      let own = Self.rawRatio(outcome, before) ?? 1
      let least = low / max(1, drift.upperBound, own)
      let most = high / min(1, drift.lowerBound, own)
      return Change(key: outcome.key, ratio: new / old, band: least...most)
    }
  }

  private var earlierResults: [String: Outcome] {
    Dictionary(earlier.results.map { ($0.key, $0) }) { first, _ in first }
  }

  private static func rawRatio(_ later: Outcome, _ earlier: Outcome) -> Double? {
    guard let new = later.limitUs, let old = earlier.limitUs, old > 0, new > 0 else { return nil }
    return new / old
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
    let others = changes.count { $0.verdict != "within noise" }
    return """
      \(sameMachine ? "" : "The earlier run was on another machine or kernel.\n")\(table.text)
      Raw work, which is the same in both, took \(Format.fixed(drift.lowerBound, 2)) to \
      \(Format.fixed(drift.upperBound, 2)) times as long: that is part of the noise. \
      \(changes.count - others) of \(changes.count) within noise.
      """
  }
}
