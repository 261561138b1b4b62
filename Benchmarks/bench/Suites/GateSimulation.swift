internal import Personalisation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What people of one world see who train and predict every day: the whole path of the product, from the
/// days to features, regressions, combination, interval and gate.
struct GateSimulation {
  /// The first day on which there can be a model, and the last that is looked at.
  static let looks = 30...180

  let world: SimulatedWorld
  private(set) var people = 0
  /// How many had an open gate on each day of ``looks``, and how many had seen one by then.
  private(set) var open = [Int](repeating: 0, count: looks.count)
  private(set) var opened = [Int](repeating: 0, count: looks.count)
  /// On the last day: how many have a lower bound above the true skill of their forecasts.
  private(set) var boundsAbove = 0
  /// Outcomes with an interval that was given the day before, and how many it held.
  private(set) var intervals = 0
  private(set) var hits = 0

  init(_ world: SimulatedWorld) { self.world = world }

  /// One more person.
  mutating func add(seed: UInt64) throws {
    let person = SimulatedPerson(world, days: Self.looks.upperBound + 1, seed: seed)
    var model: PersonalModel?
    var wasOpen = false
    var own = 0.0
    var naive = [Double](repeating: 0, count: 2)
    for days in Self.looks {
      let log = person.log(days: days)
      guard
        case .trained(let trained, _, _) = try trainPersonalisedModel(
          from: log, target: SimulatedPerson.target, previous: model)
      else { continue }
      model = trained
      let place = days - Self.looks.lowerBound
      if trained.report.gate.isOpen {
        open[place] += 1
        wasOpen = true
      }
      if wasOpen { opened[place] += 1 }
      if days == Self.looks.upperBound,
        trained.report.gate.skillLower > 1 - own / (naive.min() ?? 0)
      {
        boundsAbove += 1
      }
      let prediction = try trained.predict(from: log)
      let outcome = person[days]
      if let interval = prediction.interval {
        intervals += 1
        if interval.contains(outcome) { hits += 1 }
      }
      let mean = (0..<days).reduce(0) { $0 + person[$1] } / Double(days)
      own += expectedError(person, prediction.value, on: days)
      naive[0] += expectedError(person, mean, on: days)
      naive[1] += expectedError(person, person[days - 1], on: days)
    }
    people += 1
  }

  /// The mean absolute error of a forecast of a day over all that might have come.
  private func expectedError(_ person: SimulatedPerson, _ forecast: Double, on day: Int) -> Double {
    let (off, width) = (abs(forecast - person.expected[day]), person.unknown)
    let z = off / width
    return width * (2 / .pi).squareRoot() * exp(-z * z / 2) + off * erf(z / 2.0.squareRoot())
  }

  /// The share of people with an open gate on a day.
  func share(open day: Int) -> Double {
    Double(open[day - Self.looks.lowerBound]) / Double(max(1, people))
  }

  /// The share of people who had seen an open gate by a day.
  func share(opened day: Int) -> Double {
    Double(opened[day - Self.looks.lowerBound]) / Double(max(1, people))
  }

  /// The share of outcomes that the interval of the day before held.
  var coverage: Double { Double(hits) / Double(max(1, intervals)) }
}

/// How many outcomes the intervals of one world hold: in a year, and in the two months after a change of
/// level.
struct IntervalSimulation {
  static let days = 365
  /// Days after a change of level that are looked at.
  static let aftermath = 60

  let world: SimulatedWorld
  private(set) var people = 0
  private(set) var coverages: [Double] = []
  private var intervals = 0
  private var hits = 0

  init(_ world: SimulatedWorld) { self.world = world }

  /// One more person: with a change of level each day after it is trained and predicted as it comes, else
  /// the evaluation of the year tells.
  mutating func add(seed: UInt64) throws {
    let person = SimulatedPerson(world, days: Self.days, seed: seed)
    people += 1
    guard let shift = world.shiftDay else {
      if let model = try trained(person, Self.days, nil), let interval = model.report.interval {
        coverages.append(interval.coverage)
      }
      return
    }
    var model: PersonalModel?
    var (count, held) = (0, 0)
    for day in shift..<(shift + Self.aftermath) {
      model = try trained(person, day, model)
      guard let interval = try model?.predict(from: person.log(days: day)).interval else {
        continue
      }
      count += 1
      if interval.contains(person[day]) { held += 1 }
    }
    if count > 0 { coverages.append(Double(held) / Double(count)) }
  }

  private func trained(
    _ person: SimulatedPerson, _ days: Int, _ previous: PersonalModel?
  ) throws -> PersonalModel? {
    guard
      case .trained(let model, _, _) = try trainPersonalisedModel(
        from: person.log(days: days), target: SimulatedPerson.target, previous: previous)
    else { return nil }
    return model
  }

  /// The mean over people of the share of outcomes held.
  var coverage: Double { coverages.reduce(0, +) / Double(max(1, coverages.count)) }
}
