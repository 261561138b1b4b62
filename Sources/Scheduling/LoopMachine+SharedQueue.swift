import Time

extension LoopMachine {
  /// Enters an event and, where the requests wait in the same state, does what follows for them too: all
  /// or nothing of it is saved with the state.
  ///
  /// - Parameter admission: the rules for requests that wait in `state`; nil where they wait elsewhere, and
  ///   submitting and cancelling is left to the caller.
  /// - Returns: what is left to do, in order, and what was refused.
  func step(
    _ state: inout SchedulerState, _ event: LoopEvent, sharing admission: RequestQueue.Admission?,
    at now: Instant
  ) -> LoopStep {
    let effects = step(&state, event, at: now)
    guard let admission else { return LoopStep(effects: effects) }
    var done = LoopStep()
    for effect in effects {
      switch effect {
      case .cancel(let identifier):
        state.pending.remove(identifier)
      case .submit(let request):
        var refusal: SchedulerError?
        do {
          try state.pending.submit(request, admission: admission)
        } catch {
          refusal = error
        }
        done.refused[request.identifier] = refusal
        _ = step(&state, .submitted(request.identifier, refused: refusal), at: now)
      case .work, .stop, .complete:
        done.effects.append(effect)
      }
    }
    return done
  }
}

/// What entering an event left to do.
struct LoopStep: Sendable {
  /// In order.
  var effects: [LoopEffect] = []
  /// The requests that were not taken.
  var refused: [TaskIdentifier: SchedulerError] = [:]
}
