#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What the naive rules know of the days so far: a few sums and the last four weeks, whatever the length of the log.
struct NaiveState: Equatable, Sendable {
  let isBinary: Bool
  /// How many days ahead is forecast: what the persistence of the past is measured over.
  let horizon: Int

  private var count = 0.0
  private var sum = 0.0
  private var last = 0.0
  private var lastDay = 0
  /// How many values followed one that was no (0) and yes (1), and their sums.
  private var after = [Group(), Group()]
  private var weekdays = [Group](repeating: Group(), count: 7)
  private var weekdayLast = ContiguousArray(repeating: Double.nan, count: 7)
  /// Begin as plain means: else the first value would outweigh the later ones for a half-life.
  private var exponential: [Double] = []
  /// The last ``recentDays`` days, the oldest first, NaN where unknown.
  private var recent: ContiguousArray<Double> = []
  /// How values go with the value ``horizon`` days before, and with the 7-day mean then.
  private var persistence = ShrunkenSlope()
  private var weekly = ShrunkenSlope()

  private static let recentDays = 28
  private static let rates = [3, 7, 28].map { 1 - ExponentialMean.decay(halfLife: $0) }
  /// How many made-up days at the own mean (or rate) each weekday begins with.
  private static let weekdayPrior = 4.0

  private struct Group: Equatable, Sendable {
    var count = 0.0
    var sum = 0.0
  }

  init(isBinary: Bool, horizon: Int) {
    self.isBinary = isBinary
    self.horizon = horizon
  }

  /// Whether there is anything to forecast from.
  var knowsAny: Bool { count > 0 }

  /// Takes in the value of the day after the last one taken in, NaN where it is unknown.
  mutating func observe(_ day: Int, _ value: Double) {
    if !value.isNaN {
      if recent.count >= horizon {
        let before = recent[recent.count - horizon]
        if !before.isNaN { persistence.add(before, value) }
        let mean = Self.mean(recent.dropLast(horizon - 1).suffix(7))
        if mean.count > 0 { weekly.add(mean.sum / mean.count, value) }
      }
      take(day, value)
    }
    if recent.count == Self.recentDays { recent.removeFirst() }
    recent.append(value)
  }

  private mutating func take(_ day: Int, _ value: Double) {
    if count > 0 {
      for index in exponential.indices {
        exponential[index] = ExponentialMean.carried(
          exponential[index], days: day - lastDay, value: value,
          rate: max(Self.rates[index], 1 / (count + 1)))
      }
      let group = last > 0 ? 1 : 0
      after[group].count += 1
      after[group].sum += value
    } else {
      exponential = [value, value, value]
    }
    count += 1
    sum += value
    last = value
    lastDay = day
    let weekday = Self.weekday(day)
    weekdayLast[weekday] = value
    weekdays[weekday].count += 1
    weekdays[weekday].sum += value
  }

  /// What a rule says of a day, ``horizon`` days after the last one taken in; some value must be known.
  func forecast(_ rule: NaiveRule, on day: Int) -> Double {
    let mean = isBinary ? (sum + 0.5) / (count + 1) : sum / count
    func drawn(_ group: Group) -> Double {
      isBinary
        ? (group.sum + 2 * mean) / (group.count + 2)
        : group.count > 0 ? group.sum / group.count : mean
    }
    func carried(_ index: Int) -> Double {
      isBinary ? 0.9 * exponential[index] + 0.1 * mean : exponential[index]
    }
    let same = weekdays[Self.weekday(day)]
    switch rule {
    case .mean: return mean
    case .yesterday: return isBinary ? drawn(after[last > 0 ? 1 : 0]) : last
    case .weekday:
      let last = weekdayLast[Self.weekday(day)]
      return isBinary ? drawn(same) : last.isNaN ? mean : last
    case .mean7: return drawn(Self.mean(recent.suffix(7)))
    case .mean28: return drawn(Self.mean(recent[...]))
    case .weekdayMean:
      return (same.sum + Self.weekdayPrior * mean) / (same.count + Self.weekdayPrior)
    case .persistence:
      return mean + kept(persistence, age: day - lastDay) * (last - mean)
    case .shrunkenMean:
      let week = Self.mean(recent.suffix(7))
      return week.count > 0
        ? mean + kept(weekly, age: horizon) * (week.sum / week.count - mean) : mean
    case .exponential3: return carried(0)
    case .exponential7: return carried(1)
    case .exponential28: return carried(2)
    case .weekdayLevel:
      if isBinary {
        return (same.sum + Self.weekdayPrior * mean) / (same.count + Self.weekdayPrior)
      }
      return drawn(Self.mean(recent[...]))
        + (same.sum - same.count * mean) / (same.count + Self.weekdayPrior)
    }
  }

  /// The share of a distance from the mean that is left after `age` days; what turns its sign is not carried on.
  private func kept(_ slope: ShrunkenSlope, age: Int) -> Double {
    // A probability of 0 or 1 would be a claim of certainty.
    let share = min(max(slope.value, isBinary ? 0 : -1), isBinary ? 0.95 : 1)
    guard age > horizon else { return share }
    return share > 0 ? pow(share, Double(age) / Double(horizon)) : 0
  }

  private static func mean(_ values: ArraySlice<Double>) -> Group {
    var group = Group()
    for value in values where !value.isNaN {
      group.sum += value
      group.count += 1
    }
    return group
  }

  private static func weekday(_ day: Int) -> Int { (day % 7 + 7) % 7 }
}

/// The slope of a line through pairs as they come, drawn towards 0 as if ``prior`` more pairs showed none.
struct ShrunkenSlope: Equatable, Sendable {
  /// Of slopes of about 0.3 in size, one seen on this many pairs is as much chance as truth.
  static let prior = 10.0

  private var count = 0.0
  private var meanX = 0.0
  private var meanY = 0.0
  private var squares = 0.0
  private var products = 0.0

  /// Takes in a pair.
  mutating func add(_ x: Double, _ y: Double) {
    count += 1
    let before = x - meanX
    meanX += before / count
    meanY += (y - meanY) / count
    squares += before * (x - meanX)
    products += before * (y - meanY)
  }

  /// The slope; 0 where nothing varied.
  var value: Double {
    let slope = products / squares * (count / (count + Self.prior))
    return slope.isFinite ? slope : 0
  }
}
