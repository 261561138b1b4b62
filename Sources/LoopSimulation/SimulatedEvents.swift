import Time

/// Random numbers of a simulation: the same for a seed on every machine and in every version.
///
/// *Fast Splittable Pseudorandom Number Generators*, Steele, Lea and Flood, OOPSLA 2014.
struct SimulationRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number from 0 to `bound - 1`; the bias, below 2^-40 for bounds of ours, is of no account here.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// True in so many of a thousand cases.
  mutating func happens(perMille: Int) -> Bool { below(1000) < perMille }
}

/// What comes to the loop from outside.
package enum SimulatedEvent: Hashable, Sendable {
  /// The timer or the person starts a process, which is killed after so many effects, if at all.
  case launch(killedAfter: Int?)
  case externalPower(Bool)
  case network(Bool)
  /// The wall clock is set.
  case clockJump(Duration)
  /// The person changes how often the task of this number is wanted.
  case interval(task: Int, Duration)
  /// The machine is now in a zone so many seconds ahead of UTC.
  case zone(utcOffset: Int)
  /// The person types a value, or clears it, so many days back; below 0: a row dated in the future.
  case type(daysBack: Int, metric: Int, value: Int?)
  /// Another device says what was typed there, some time ago.
  case sync(daysBack: Int, metric: Int, value: Int?, age: Duration)
  /// A file with one value comes into the folder that the refresh reads; late ones are days old.
  case importOffered(daysBack: Int, metric: Int, value: Int, age: Duration)
  /// The person has everything about a value removed.
  case forget(daysBack: Int, metric: Int)
  case payload(SimulatedPayload.Kind)
  /// A payload that came before comes again: the one so many places back.
  case payloadAgain(Int)
}

/// The stream of events of a seed: pure, and the same whatever the loop does.
struct SimulatedEvents {
  private var random: SimulationRandom

  init(seed: UInt64) { random = SimulationRandom(seed: seed) }

  /// The next event and the time until it, 2 hours on average.
  mutating func next() -> (after: Duration, event: SimulatedEvent) {
    let wait = Duration.seconds(random.below(4 * 3600))
    return (wait, event())
  }

  private mutating func event() -> SimulatedEvent {
    let metric = random.below(2)
    switch random.below(100) {
    case 0..<40:
      return .launch(killedAfter: random.happens(perMille: 120) ? random.below(24) : nil)
    case 40..<48: return .externalPower(random.below(3) > 0)
    case 48..<50: return .network(random.below(3) > 0)
    case 50..<52: return .clockJump(jump())
    case 52: return .zone(utcOffset: (random.below(27) - 12) * 3600)
    case 53:
      return .interval(
        task: random.below(4) == 0 ? 1 : 0, .hours([1, 4, 24, 24 * 7, 24 * 14][random.below(5)]))
    case 54..<66:
      let isFuture = random.happens(perMille: 60)
      return .type(
        daysBack: isFuture ? -1 - random.below(400) : random.below(4), metric: metric,
        value: random.happens(perMille: 100) ? nil : random.below(1000))
    case 66..<72:
      return .sync(
        daysBack: random.below(6), metric: metric,
        value: random.happens(perMille: 100) ? nil : random.below(1000),
        age: .seconds(random.below(3 * 86_400)))
    case 72..<84:
      return .importOffered(
        daysBack: random.below(8), metric: metric, value: random.below(1000),
        age: .seconds(random.below(5 * 86_400)))
    case 84..<86: return .forget(daysBack: random.below(5), metric: metric)
    case 86..<97: return .payload(SimulatedPayload.Kind.allCases[random.below(3)])
    default: return .payloadAgain(random.below(20))
    }
  }

  /// Mostly seconds to hours; now and then months or years, as with a clock that lost its battery.
  private mutating func jump() -> Duration {
    let sign = random.below(2) == 0 ? 1 : -1
    switch random.below(10) {
    case 0: return .days(sign * (30 + random.below(20_000)))
    case 1...3: return .days(sign * random.below(10))
    default: return .seconds(sign * random.below(10_000))
    }
  }
}
