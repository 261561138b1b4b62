/// The goals beside what a run came to.
struct GoalTable {
  /// One goal as it was judged.
  struct Line: Equatable {
    let goal: String
    let ours: String
    let beside: String
    let ratio: String
    /// Nil where the run has not measured it.
    let isReached: Bool?
    var remark = ""
  }

  let lines: [(goal: Goal, line: Line)]

  init(_ goals: [Goal], _ record: RunRecord, _ rivals: [Peers.Rival]) {
    let outcomes = Dictionary(record.results.map { ("\($0.workload) \($0.shape)", $0) }) {
      first, _ in first
    }
    lines = goals.map { goal in
      let theirs = rivals.filter {
        $0.threads == 1 && $0.workload == goal.workload && $0.shape == goal.shape
      }
      let curve = record.growth.first { $0.name == goal.workload }
      return (
        goal, Self.judge(goal, outcomes["\(goal.workload) \(goal.shape)"], theirs, curve)
      )
    }
  }

  /// Judges one goal by the outcome, the rivals or the growth that it speaks of.
  static func judge(
    _ goal: Goal, _ outcome: Outcome?, _ rivals: [Peers.Rival], _ curve: Growth?
  ) -> Line {
    func time(_ microseconds: Double?) -> String {
      microseconds.map { Format.time(seconds: $0 * 1e-6) } ?? "-"
    }
    func line(
      _ text: String, _ value: Double?, _ ours: String, beside: String = "-", ratio: String = "-",
      isReached: (Double) -> Bool
    ) -> Line {
      Line(
        goal: text, ours: ours, beside: beside, ratio: ratio, isReached: value.map(isReached))
    }
    switch goal.bound {
    case .seconds(let most):
      let taken = outcome?.medianUs
      return line("at most \(Format.time(seconds: most))", taken, time(taken)) { $0 <= most * 1e6 }
    case .timesRawWork(let most):
      return line(
        "at most \(Format.fixed(most, 2)) x raw work", outcome?.ratioToLimit,
        time(outcome?.medianUs), beside: "raw work \(time(outcome?.limitUs))",
        ratio: outcome?.ratioToLimit.map { Format.fixed($0, 2) + " x" } ?? "-"
      ) { $0 <= most }
    case .fasterThan(let name, let times):
      return race(goal, name, times, outcome, rivals)
    case .addedBytes(let most):
      return memory("at most \(Format.memory(bytes: most)) added", outcome?.addedBytes, most)
    case .peakBytes(let most):
      return memory("at most \(Format.memory(bytes: most)) in all", outcome?.peakBytes, most)
    case .allocations(let most):
      let calls = outcome?.allocations
      return line(
        most == 0 ? "no allocation" : "at most \(Format.plain(most)) allocations", calls,
        calls.map { Format.short($0) } ?? "-"
      ) { $0 <= most }
    case .error(let most):
      let error = outcome?.error
      return line(
        most == 0 ? "the same bits" : "error at most \(Format.tiny(most))", error,
        error.map(Format.tiny) ?? "-"
      ) { $0 <= most }
    case .exponent(let most):
      return line(
        "exponent at most \(Format.fixed(most, 2))", curve?.exponent,
        curve.map { Format.fixed($0.exponent, 2) } ?? "-"
      ) { $0 <= most }
    }
  }

  /// Ours beside the fastest way of a rival, in processor time, which other work on the machine leaves alone.
  private static func race(
    _ goal: Goal, _ name: String, _ times: Double, _ outcome: Outcome?, _ rivals: [Peers.Rival]
  ) -> Line {
    let best = rivals.filter { $0.rival.hasPrefix(name) }.min { $0.takenUs < $1.takenUs }
    func ratio(_ microseconds: Double?) -> Double? {
      best.flatMap { best in microseconds.map { best.takenUs / $0 } }
    }
    let got = ratio(outcome?.medianUs)
    var remark = ""
    // Where ours takes less time than the raw work, that is no limit.
    if let most = ratio(outcome?.limitUs), most < times, most > got ?? 0 {
      remark = "the raw work alone is no more than \(Format.short(most)) times faster"
    }
    return Line(
      goal: "\(Format.plain(times)) times faster than \(name)",
      ours: outcome?.medianUs.map { Format.time(seconds: $0 * 1e-6) } ?? "-",
      beside: best.map { "\($0.rival) \(Format.time(seconds: $0.takenUs * 1e-6))" } ?? "-",
      ratio: got.map { Format.short($0) + " x" } ?? "-", isReached: got.map { $0 >= times },
      remark: remark)
  }

  private static func memory(_ text: String, _ bytes: Double?, _ most: Double) -> Line {
    let ours = bytes.map { Format.memory(bytes: $0) } ?? "-"
    return Line(
      goal: text, ours: ours, beside: "-", ratio: "-", isReached: bytes.map { $0 <= most })
  }

  var text: String {
    var table = Table(
      ["workload", "shape", "goal", "ours", "beside it", "ratio", "reached", "remark"],
      left: [0, 1, 2, 4, 6, 7])
    var last = ""
    for (goal, line) in lines {
      table.add([
        goal.workload == last ? "" : goal.workload, goal.shape, line.goal, line.ours, line.beside,
        line.ratio, line.isReached.map { $0 ? "yes" : "no" } ?? "not run",
        line.isReached == false ? (line.remark.isEmpty ? goal.remark : line.remark) : "",
      ])
      last = goal.workload
    }
    let reached = lines.count { $0.line.isReached == true }
    let open = lines.count { $0.line.isReached == nil }
    return """
      \(table.text)
      \(reached) of \(lines.count - open) goals reached\(open > 0 ? "; \(open) not run" : "").
      """
  }
}
