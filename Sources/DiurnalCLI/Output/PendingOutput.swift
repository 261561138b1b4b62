internal import DayLog
internal import Diurnal
internal import Storage
internal import Time

/// What came of work that a removal, or a command that was cut off, had left to be done.
struct PendingOutput {
  private let trained: [TrainedTarget]
  private let left: PendingWork

  /// Does what is pending.
  init(finishing journal: Journal, today: CalendarDay, now: Instant) async throws {
    trained = try await journal.finishPendingWork(today: today, now: now)
    left = try await journal.store.pendingWork()
  }

  /// The models that there are again.
  private var names: [String] {
    trained.compactMap { if case .trained = $0.result { $0.name.description } else { nil } }
  }

  /// For a person: which models were trained anew, and why another was not.
  var text: String {
    var text = names.isEmpty ? "" : "trained anew: \(names.joined(separator: ", "))\n"
    for target in trained {
      if case .refused(let error) = target.result { text += "\(target.name): \(error)\n" }
    }
    return text
  }

  /// For scripts.
  var json: [(String, JSONValue)] {
    [
      ("retrained", .array(names.map { .string($0) })),
      ("to_retrain", .array(left.targets.map { .string($0.name) })),
      ("traces_pending", .bool(left.traces)),
    ]
  }

  /// Says what is still to be done, and that nothing is lost by that.
  func remark(_ context: Context) {
    if left.traces {
      Terminal.remark(
        "note: another program is reading the log, so traces of what was forgotten may still stand in \(Harmless.line(context.storePath))-wal: the next command removes them"
      )
    }
    if !left.targets.isEmpty {
      let names = left.targets.map(\.name).joined(separator: ", ")
      Terminal.remark(
        "note: the log was changed while the models were trained; the next command trains: \(names)"
      )
    }
  }
}
