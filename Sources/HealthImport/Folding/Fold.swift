/// How several readings of one source, metric and day become the day's value.
public enum Fold: String, Sendable, CaseIterable {
  /// What they add up to: counts, amounts, durations. A moment that several spans cover counts once.
  case sum
  /// Their mean: levels and ratings.
  case mean
  /// The latest: body mass.
  case last
  /// The largest.
  case max
  /// The smallest.
  case min

  /// The number that stands for it in a kept part.
  var code: UInt8 {
    switch self {
    case .sum: 0
    case .mean: 1
    case .last: 2
    case .max: 3
    case .min: 4
    }
  }

  init?(code: UInt8) {
    guard let fold = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = fold
  }
}
