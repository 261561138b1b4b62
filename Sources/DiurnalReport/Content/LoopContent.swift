internal import Diurnal
internal import Time

/// Where each background task stands.
struct LoopContent: Sendable {
  let tasks: [(name: String, lastRun: String, outcome: String, now: String)]
  let findings: [String]

  /// - Returns: nil where there is no machine to ask.
  init?(_ journal: Journal, _ host: LoopHost?) async throws {
    guard let host else { return nil }
    let report = try await JournalLoop.inspect(
      journal, on: host, intervals: try await journal.loopIntervals())
    let zone = host.zone
    let write = { (moment: Instant) -> String in
      let instant = Instant(milliseconds: moment.milliseconds / 1000 * 1000)
      return Timestamp(instant: instant, utcOffset: zone.utcOffset(at: instant)).description
    }
    tasks = report.statuses.map { status in
      (
        status.identifier.name, status.record.lastBegan.map(write) ?? "never",
        status.record.lastOutcome.map(Self.words) ?? "–", status.reason.words(write)
      )
    }
    self.findings = report.findings.map { $0.words(write) }
  }

  private static func words(_ outcome: RunOutcome) -> String {
    switch outcome {
    case .succeeded(let note): "done: \(note)"
    case .failed(let reason): "failed: \(reason)"
    case .expired(let cause): "stopped: \(cause.rawValue)"
    case .hung(let cause): "did not stop: \(cause.rawValue)"
    case .interrupted: "interrupted"
    }
  }
}
