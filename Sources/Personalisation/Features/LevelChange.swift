/// Takes the jumps out of a metric whose definition or source changed, so that a model of something
/// else is not thrown off by a new device.
///
/// Looks at the past alone. A value far outside the trailing baseline may be the first of a new level, and is
/// taken as such until a value comes back; when ``run`` values in a row lie out there on one side, the level
/// has changed for good. What is far depends on the move. Where all values are positive and the move is by
/// a factor of ``evidentFactor`` or more, as another unit, definition or sensor makes it, further than
/// ever before is enough; a smaller move is more often the person's own, such as an illness that the
/// forecast should know of, and must be ``far`` widths.
///
/// Values of a new level are brought to the old one, as estimated from the values since the change (at most
/// ``settling`` of them) and the baseline before it: where all of those are positive by a factor, since
/// another unit, definition or sensor changes the spread along with the level; else by an offset. An outlier
/// alone therefore counts as a usual value; its like that come after ``calm`` ordinary ones are taken at
/// their word.
struct LevelChange {
  /// How many widths a value must be away, a width being the baseline's standard deviation or, where that is
  /// larger, its scaled median absolute deviation.
  static let far = 5.0
  /// The factor from which a move is rather the instrument's than the person's.
  static let evidentFactor = 1.5
  /// How many widths at least a value must be away that is moved by such a factor, and further than any
  /// ordinary value before it.
  static let evident = 2.5
  /// The share of those widths that the values after the first must be away: readings of a new level
  /// scatter too, and with a factor so does their distance.
  static let later = (usual: 2.0 / 3, evident: 0.5)
  /// How many ordinary values in a row show that those before them were no new level.
  static let calm = 3
  /// How many values in a row make a change of level.
  static let run = 4
  /// How many values the baseline holds.
  static let baseline = 56
  /// How many values it needs before anything is judged.
  static let least = 28
  /// The largest factor that a unit, a definition or a sensor is taken to make.
  static let largestFactor = 100.0
  /// How many values after a change refine the offset.
  static let settling = 28

  private var recent = TrailingMedian(count: baseline)
  /// Readings as they came: those that may be of a new level, and those since the last change.
  private var suspects: ContiguousArray<Double> = []
  private var since: ContiguousArray<Double> = []
  /// The most widths that an ordinary value was away, and that those were which may be of a new level.
  private var record = 0.0
  private var farthest = 0.0
  /// How many ordinary values there were in a row.
  private var ordinary = 0
  private var oldLevel = 0.0
  /// How often the level has changed for good.
  private var changeCount = 0
  /// A reading times `factor`, less `offset`, is at the old level.
  private var factor = 1.0
  private var offset = 0.0

  /// The column with changes of level taken out; NaN stays NaN.
  static func removed(from column: some Sequence<Double>) -> ContiguousArray<Double> {
    var state = LevelChange()
    return ContiguousArray(column.map { $0.isFinite ? state.next($0) : .nan })
  }

  /// The positions in a column at which the level changed for good: of the first value of each new level.
  static func places(in column: some Sequence<Double>) -> [Int] {
    var state = LevelChange()
    var recent: [Int] = []
    var places: [Int] = []
    for (position, value) in column.enumerated() where value.isFinite {
      recent.append(position)
      let before = state.changeCount
      _ = state.next(value)
      if state.changeCount > before { places.append(recent[recent.count - Self.run]) }
      if recent.count > Self.run { recent.removeFirst() }
    }
    return places
  }

  private mutating func next(_ value: Double) -> Double {
    let levelled = levelled(value)
    guard recent.count >= Self.least else {
      keep(value, levelled)
      return levelled
    }
    let centre = recent.middle
    if let last = suspects.last, (self.levelled(last) > centre) != (levelled > centre) {
      suspects.removeAll(keepingCapacity: true)
    }
    guard isFar(levelled, from: centre) else {
      suspects.removeAll(keepingCapacity: true)
      acquit()
      keep(value, levelled)
      return self.levelled(value)
    }
    suspects.append(value)
    guard suspects.count >= Self.run else {
      var supposed = self
      supposed.oldLevel = centre
      supposed.since = suspects
      supposed.settle()
      return supposed.levelled(value)
    }
    oldLevel = centre
    since = suspects
    suspects.removeAll(keepingCapacity: true)
    farthest = 0
    changeCount += 1
    settle()
    return self.levelled(value)
  }

  /// Another value is ordinary: after ``calm`` in a row those before them were no new level, and what lies as
  /// far out is ordinary from now on. One or two may be low readings of a new level.
  private mutating func acquit() {
    ordinary += 1
    guard ordinary >= Self.calm else { return }
    record = max(record, farthest)
    farthest = 0
  }

  /// Whether a value lies too far outside the baseline to be taken at its word; one that does not may be the
  /// new record.
  private mutating func isFar(_ value: Double, from centre: Double) -> Bool {
    let distance = abs(value - centre)
    let deviation = recent.standardDeviation
    // The median deviation takes longer: most values are settled without it.
    let least = Self.evident * (suspects.isEmpty ? 1 : Self.later.evident)
    guard deviation > 0, distance > min(least, record) * deviation else { return false }
    let widths = distance / max(deviation, 1.4826 * recent.medianDeviation)
    let level = suspects.isEmpty ? value : levelled(TrailingMedian.median(suspects))
    var threshold = Self.far
    var part = Self.later.usual
    if recent.isPositive, value > 0,
      level > Self.evidentFactor * centre || Self.evidentFactor * level < centre
    {
      threshold = min(max(Self.evident, record), Self.far)
      part = Self.later.evident
    }
    if widths > threshold * (suspects.isEmpty ? 1 : part) {
      farthest = max(farthest, widths)
      ordinary = 0
      return true
    }
    record = max(record, widths)
    return false
  }

  private func levelled(_ value: Double) -> Double { value * factor - offset }

  /// Brings the level of the readings since the change to the old one.
  private mutating func settle() {
    let level = TrailingMedian.middle(since)
    let ratio = oldLevel / level
    if recent.isPositive, since.allSatisfy({ $0 > 0 }),
      (1 / Self.largestFactor...Self.largestFactor).contains(ratio)
    {
      (factor, offset) = (ratio, 0)
    } else {
      offset = level * factor - oldLevel
    }
  }

  /// Takes a value of the present level into the baseline, and into the offset while that settles.
  private mutating func keep(_ value: Double, _ levelled: Double) {
    if !since.isEmpty {
      since.append(value)
      settle()
      if since.count >= Self.settling { since.removeAll(keepingCapacity: true) }
    }
    recent.append(levelled)
  }
}

/// The last values of a series in order of size, so that their median costs nothing.
struct TrailingMedian: Equatable, Sendable {
  /// How many values are held at most.
  let capacity: Int
  private var values: ContiguousArray<Double> = []
  private var sorted: ContiguousArray<Double> = []
  /// Where in `values` the oldest stands once all places are taken.
  private var oldest = 0

  /// Whether there are values and all are above 0.
  var isPositive: Bool { sorted.first.map { $0 > 0 } ?? false }

  init(count: Int) {
    capacity = count
    values.reserveCapacity(count)
    sorted.reserveCapacity(count)
  }

  var count: Int { sorted.count }

  /// The values, the oldest first: taken in so by another, they make the same.
  var inOrder: ContiguousArray<Double> {
    ContiguousArray(values[oldest...] + values[..<oldest])
  }

  /// Takes in a value, in place of the oldest where all places are taken.
  mutating func append(_ value: Double) {
    if values.count < capacity {
      values.append(value)
    } else {
      sorted.remove(at: place(of: values[oldest]))
      values[oldest] = value
      oldest = (oldest + 1) % capacity
    }
    sorted.insert(value, at: place(of: value))
  }

  /// The middle value, or the mean of the two; there must be one.
  var median: Double {
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// The value below which this share of values lies, between two of them in proportion, beyond the last by its
  /// distance from the middle one; `other` where there are fewer than five.
  func quantile(_ share: Double, else other: Double) -> Double {
    guard sorted.count >= 5 else { return other }
    let (last, rank) = (sorted.count, share * Double(sorted.count + 1))
    func beyond(_ value: Double, _ ranks: Double) -> Double {
      value + (value - sorted[last / 2]) * (2 * ranks / Double(last + 1))
    }
    if rank >= Double(last) { return beyond(sorted[last - 1], rank - Double(last)) }
    guard rank > 1 else { return beyond(sorted[0], 1 - rank) }
    let below = Int(rank)
    return sorted[below - 1] + (rank - Double(below)) * (sorted[below] - sorted[below - 1])
  }

  /// The mean of the middle two thirds, of all where there are fewer than five: nearly as sure as the mean of
  /// ordinary values, and moved by no outlier; there must be one.
  var middle: Double {
    let cut = sorted.count < 5 ? 0 : max(1, sorted.count / 6)
    let kept = sorted[cut..<(sorted.count - cut)]
    return kept.reduce(0) { $0 + $1 / Double(kept.count) }
  }

  /// The median distance from the median.
  var medianDeviation: Double {
    let centre = median
    // Distances grow from the middle to both ends: the two halves are merged up to the middle one.
    var (left, right) = (sorted.count / 2 - 1, sorted.count / 2)
    var (last, before) = (0.0, 0.0)
    for _ in 0...(sorted.count / 2) {
      before = last
      if right == sorted.count || (left >= 0 && centre - sorted[left] <= sorted[right] - centre) {
        last = centre - sorted[left]
        left -= 1
      } else {
        last = sorted[right] - centre
        right += 1
      }
    }
    return sorted.count % 2 == 1 ? last : (before + last) / 2
  }

  /// The standard deviation (n - 1).
  var standardDeviation: Double {
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(values.count - 1)).squareRoot()
  }

  /// The median of values in any order; there must be one.
  static func median(_ values: ContiguousArray<Double>) -> Double {
    var held = TrailingMedian(count: values.count)
    held.sorted = ContiguousArray(values.sorted())
    return held.median
  }

  /// The ``middle`` of values in any order; there must be one.
  static func middle(_ values: ContiguousArray<Double>) -> Double {
    var held = TrailingMedian(count: values.count)
    held.sorted = ContiguousArray(values.sorted())
    return held.middle
  }

  /// The first position whose value is not below `value`.
  private func place(of value: Double) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
