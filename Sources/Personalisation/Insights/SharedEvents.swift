/// Finds stretches of days on which many metrics were off together: a trip, an illness, a new device, a holiday.
///
/// Two metrics that were both off then seem to go together, though neither moves the other. All metrics are scanned
/// at once, since what is too small to see in one shows in many: *Detecting simultaneous changepoints in multiple
/// sequences*, Zhang, Siegmund, Ji and Li, Biometrika 97 (2010).
enum SharedEvents {
  /// The lengths of the stretches looked at, in days.
  static let lengths = [3, 5, 7, 10, 14, 21]
  /// How far a metric has to be off to count, in standard errors.
  static let off = 2.0
  /// How far the mean square has to be above that of chance, in its own standard deviations: so far that a
  /// year of a dozen metrics seldom has such a stretch by chance.
  static let leastExcess = 6.0
  /// The fewest kinds of metrics that have to be off together.
  static let leastKinds = 3

  /// The stretch on which most is off; nil where no stretch is beyond chance.
  ///
  /// - Parameters:
  ///   - scans: one for each metric.
  ///   - kinds: what each is a measure of; those with the same number count once.
  ///   - days: the day numbers to look at.
  static func furthest(_ scans: [WindowScan], kinds: [Int], days: Range<Int>) -> Range<Int>? {
    let kindCount = (kinds.max() ?? -1) + 1
    guard kindCount >= leastKinds, let firstDay = days.first else { return nil }
    // The first row at each day or after it.
    let rows = scans.map { scan in
      var row = 0
      return days.map { day in
        while row < scan.days.count, scan.days[row] < day { row += 1 }
        return row
      } + [scan.days.count]
    }
    var best: (excess: Double, days: Range<Int>)?
    var squares = [Double](repeating: 0, count: kindCount)
    for length in lengths where length < days.count {
      for start in 0...(days.count - length) {
        for kind in squares.indices { squares[kind] = -1 }
        for (index, scan) in scans.enumerated() {
          let window = rows[index][start]..<rows[index][start + length]
          guard 2 * window.count > length else { continue }
          let departure = scan.departure(of: window)
          squares[kinds[index]] = max(squares[kinds[index]], departure * departure)
        }
        let known = squares.filter { $0 >= 0 }
        let far = known.count { $0 >= off * off }
        guard far >= leastKinds, 3 * far >= known.count else { continue }
        // Of n squares of normal scores the mean is 1 and its deviation √(2/n).
        let mean = known.reduce(0, +) / Double(known.count)
        let excess = (mean - 1) / (2 / Double(known.count)).squareRoot()
        if excess > max(leastExcess, best?.excess ?? 0) {
          best = (excess, (firstDay + start)..<(firstDay + start + length))
        }
      }
    }
    return best?.days
  }
}
