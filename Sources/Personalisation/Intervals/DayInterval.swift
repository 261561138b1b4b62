internal import DayLog
internal import Learning

/// The interval around a forecast: as wide as errors are on such a day, each side by its own errors, within the scale.
///
/// - ``ErrorScale`` says how large an error to expect of this weekday at this level of the forecast.
/// - ``Turbulence`` widens it within a day or two after errors have become larger or one-sided.
/// - The last ``memory`` errors, in those units, set the factors of both sides (drawn towards their common one while
///   errors are few) so that as many outcomes are covered as promised; the share asked for moves with every hit and
///   miss (*Adaptive conformal inference under distribution shift*, Gibbs and Candès, NeurIPS 2021).
///
/// It holds no day but those errors: a new day costs the same whatever the length of the log.
struct DayInterval: Equatable, Sendable {
  /// The share of outcomes to cover, between 0 and 1.
  let nominal: Double

  private var scale = ErrorScale()
  private var turbulence = Turbulence()
  private var ends: ScaleEnds
  private var both = TrailingMedian(count: Self.memory)
  private var above = TrailingMedian(count: Self.memory)
  private var below = TrailingMedian(count: Self.memory)
  /// The share of misses that is asked of the errors at the moment.
  private var missRate: Double
  private var count = 0

  /// How many errors the factors come from: a year of them.
  private static let memory = 365
  /// Fewer errors give no interval.
  private static let leastErrors = 10
  /// How far the share of misses moves with one forecast, and how far it may.
  private static let step = 0.01
  private static let missRates = 0.005...0.4
  /// As if so many errors had come as the model has it, and so many on both sides alike.
  private static let modelPrior = 40.0
  private static let sidePrior = 100.0
  /// No side is narrower than this share of what both have in common.
  private static let leastSide = 0.2

  /// What is said of a day, kept until its outcome is known.
  struct Outlook: Equatable, Sendable {
    let forecast: Double
    let weekday: Int
    /// The interval; nil while there are too few errors.
    let interval: ClosedRange<Double>?
    fileprivate let expected: ErrorScale.Expected?
    fileprivate let range: ClosedRange<Double>
  }

  /// Intervals that know no errors yet.
  init(of metric: Metric, nominal: Double) {
    self.nominal = nominal
    ends = ScaleEnds(of: metric)
    missRate = 1 - nominal
  }

  /// The outlook on a day.
  ///
  /// - Parameter weekday: 0 to 6, from any day on.
  func outlook(_ forecast: Double, weekday: Int) -> Outlook {
    let range = turbulence.range(tail: (1 - nominal) / 2)
    let expected = scale.expected(forecast, weekday: weekday)
    var interval: ClosedRange<Double>?
    if count >= Self.leastErrors {
      let (down, up) = factors
      let unit = expected?.blend ?? 0
      let lower = max(forecast + down * range.lowerBound * unit, ends.lower)
      let upper = min(forecast + up * range.upperBound * unit, ends.upper)
      // Written so that a bound that is no number, as sums beyond what a double holds make it, is the forecast.
      interval = (lower <= forecast ? lower : forecast)...(upper >= forecast ? upper : forecast)
    }
    return Outlook(
      forecast: forecast, weekday: weekday, interval: interval, expected: expected, range: range)
  }

  /// The factors of the lower and the upper side.
  private var factors: (down: Double, up: Double) {
    func drawn(_ held: TrailingMedian, _ share: Double, towards other: Double, _ prior: Double)
      -> Double
    {
      let count = Double(held.count)
      return (count * held.quantile(share, else: other) + prior * other) / (count + prior)
    }
    let common = drawn(both, 1 - missRate, towards: 1, Self.modelPrior)
    func side(_ held: TrailingMedian) -> Double {
      max(
        drawn(held, 1 - missRate / 2, towards: common, Self.sidePrior), Self.leastSide * common)
    }
    return (side(below), side(above))
  }

  /// Takes in the outcome of a day.
  mutating func observe(_ outcome: Double, _ outlook: Outlook) {
    let error = outcome - outlook.forecast
    if let expected = outlook.expected {
      let unit = expected.blend
      let standardised = error / unit
      if standardised.isFinite {
        turbulence.observe(standardised)
        let up = standardised / outlook.range.upperBound
        let down = standardised / outlook.range.lowerBound
        both.append(max(up, down))
        // Where the end of the scale is nearer than the interval's, that side cannot be missed: it tells nothing.
        if outlook.forecast + unit * outlook.range.upperBound <= ends.upper { above.append(up) }
        if outlook.forecast + unit * outlook.range.lowerBound >= ends.lower { below.append(down) }
      }
    }
    if let interval = outlook.interval {
      missRate += Self.step * (1 - nominal - (interval.contains(outcome) ? 0 : 1))
      missRate = min(max(missRate, Self.missRates.lowerBound), Self.missRates.upperBound)
    }
    scale.observe(
      error, of: outlook.forecast, weekday: outlook.weekday, expected: outlook.expected)
    observe(value: outcome)
    count += 1
  }

  /// Takes in an outcome that no forecast was made of: it tells where the scale ends.
  mutating func observe(value: Double) { ends.observe(value) }
}

extension DayInterval {
  func write(to writer: inout BlobWriter) {
    writer.write(nominal)
    scale.write(to: &writer)
    turbulence.write(to: &writer)
    ends.write(to: &writer)
    for held in [both, above, below] { writer.write(held.inOrder) }
    writer.write(missRate)
    writer.write(count)
  }

  init(of metric: Metric, from reader: inout BlobReader) throws(BlobError) {
    nominal = try reader.readDouble()
    guard nominal > 0, nominal < 1 else { throw .malformed("a coverage") }
    scale = try ErrorScale(from: &reader)
    turbulence = try Turbulence(from: &reader)
    ends = try ScaleEnds(of: metric, from: &reader)
    func held() throws(BlobError) -> TrailingMedian {
      let values = try reader.readDoubles()
      guard values.count <= Self.memory, values.allSatisfy(\.isFinite) else {
        throw .malformed("past errors")
      }
      var held = TrailingMedian(count: Self.memory)
      for value in values { held.append(value) }
      return held
    }
    both = try held()
    above = try held()
    below = try held()
    missRate = try reader.readDouble()
    guard (0...1).contains(missRate) else { throw .malformed("a share of misses") }
    count = try reader.readCount("a number of errors")
  }
}
