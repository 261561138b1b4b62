/// Takes the jumps out of a metric whose definition or source changed, so that a model of something
/// else is not thrown off by a new device.
///
/// Looks at the past alone. A value far outside the trailing baseline is held back as missing; when
/// ``run`` values in a row lie there on one side, the level has changed: from then on values are
/// brought to the old level by an offset, estimated from the values since the change (at most
/// ``settling`` of them) and the baseline before it. Smaller moves are the person's own and stay.
struct LevelChange {
  /// How many baseline standard deviations a value must be away.
  static let threshold = 4.0
  /// How many values in a row make a change of level.
  static let run = 4
  /// How many values the baseline holds.
  static let baseline = 56
  /// How many values it needs before anything is judged.
  static let least = 28
  /// How many values after a change refine the offset.
  static let settling = 28

  private var recent = TrailingMedian(count: baseline)
  private var suspects: ContiguousArray<Double> = []
  private var since: ContiguousArray<Double> = []
  private var oldLevel = 0.0
  private var offset = 0.0

  /// The column with changes of level taken out; NaN stays NaN and is also what is held back.
  static func removed(from column: some Sequence<Double>) -> ContiguousArray<Double> {
    var state = LevelChange()
    return ContiguousArray(column.map { $0.isFinite ? state.next($0) : .nan })
  }

  private mutating func next(_ value: Double) -> Double {
    let levelled = value - offset
    guard recent.count >= Self.least else {
      keep(value, levelled)
      return levelled
    }
    let centre = recent.median
    let width = max(1.4826 * recent.medianDeviation, recent.standardDeviation)
    guard width > 0, abs(levelled - centre) > Self.threshold * width else {
      suspects.removeAll(keepingCapacity: true)
      keep(value, levelled)
      return value - offset
    }
    if let last = suspects.last, (last > centre) != (levelled > centre) {
      suspects.removeAll(keepingCapacity: true)
    }
    suspects.append(levelled)
    guard suspects.count >= Self.run else { return .nan }
    oldLevel = centre
    since = ContiguousArray(suspects.map { $0 + offset })
    offset = TrailingMedian.median(since) - oldLevel
    suspects.removeAll(keepingCapacity: true)
    return value - offset
  }

  /// Takes a value of the present level into the baseline, and into the offset while that settles.
  private mutating func keep(_ value: Double, _ levelled: Double) {
    if !since.isEmpty {
      since.append(value)
      offset = TrailingMedian.median(since) - oldLevel
      if since.count >= Self.settling { since.removeAll(keepingCapacity: true) }
    }
    recent.append(levelled)
  }
}

/// The last values of a series in order of size, so that their median costs nothing.
struct TrailingMedian {
  /// How many values are held at most.
  let capacity: Int
  private var values: ContiguousArray<Double> = []
  private var sorted: ContiguousArray<Double> = []
  /// Where in `values` the oldest stands once all places are taken.
  private var oldest = 0

  init(count: Int) {
    capacity = count
    values.reserveCapacity(count)
    sorted.reserveCapacity(count)
  }

  var count: Int { sorted.count }

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
