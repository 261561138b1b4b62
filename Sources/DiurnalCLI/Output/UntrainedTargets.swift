internal import DayLog
internal import Diurnal
internal import Personalisation
internal import Time

/// The metrics of a log that a training of all targets left out, and why each.
struct UntrainedTargets {
  /// Those that would be trained, were there enough of them.
  private let waiting: [(target: Target, standing: TargetStanding)]
  /// Those that are trained only where they are named.
  private let unasked: [Target]

  init(_ trained: [TrainedTarget], in log: PersonalLog, today: CalendarDay) {
    let done = Set(trained.map(\.target))
    var waiting: [(Target, TargetStanding)] = []
    var unasked: [Target] = []
    for target in log.table.metrics.map({ Target($0) }) where !done.contains(target) {
      let standing = target.standing(in: log, today: today)
      if target.isOfInterest(in: log), standing != .ready {
        waiting.append((target, standing))
      } else {
        unasked.append(target)
      }
    }
    self.waiting = waiting
    self.unasked = unasked
  }

  var text: String {
    var text = waiting.map { "left out: \($0.target) \($0.standing.clause)\n" }.joined()
    if !unasked.isEmpty {
      text += "trained only when asked for: \(unasked.map(\.description).joined(separator: ", "))\n"
    }
    return text
  }

  var json: [JSONValue] {
    waiting.map { json($0.target, $0.standing.clause) }
      + unasked.map { json($0, "is trained only when asked for") }
  }

  private func json(_ target: Target, _ reason: String) -> JSONValue {
    .object([("target", .string(target.description)), ("reason", .string(reason))])
  }
}
