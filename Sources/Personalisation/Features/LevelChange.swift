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

  private var recent: ContiguousArray<Double> = []
  /// The same values in ascending order, so that a median costs a look.
  private var ordered: ContiguousArray<Double> = []
  private var suspects: ContiguousArray<Double> = []
  private var since: ContiguousArray<Double> = []
  private var oldLevel = 0.0
  private var settled = 0.0
  private var offset: Double { since.isEmpty ? settled : Self.median(since) - oldLevel }

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
    let centre = Self.middle(of: ordered)
    guard isFar(levelled, from: centre) else {
      suspects.removeAll(keepingCapacity: true)
      keep(value, levelled)
      return value - offset
    }
    if let last = suspects.last, (last > centre) != (levelled > centre) {
      suspects.removeAll(keepingCapacity: true)
    }
    suspects.append(levelled)
    guard suspects.count >= Self.run else { return .nan }
    let before = offset
    oldLevel = centre
    since = ContiguousArray(suspects.map { $0 + before })
    suspects.removeAll(keepingCapacity: true)
    return value - offset
  }

  /// Takes a value of the present level into the baseline, and into the offset while that settles.
  private mutating func keep(_ value: Double, _ levelled: Double) {
    if !since.isEmpty {
      since.append(value)
      settled = Self.median(since) - oldLevel
      if since.count >= Self.settling { since.removeAll(keepingCapacity: true) }
    }
    recent.append(levelled)
    ordered.insert(levelled, at: place(of: levelled))
    if recent.count > Self.baseline { ordered.remove(at: place(of: recent.removeFirst())) }
  }

  /// Whether a value lies beyond ``threshold`` widths, the width being the larger of the baseline's standard
  /// deviation and its median absolute deviation. The second takes a sort and is seldom needed.
  private func isFar(_ value: Double, from centre: Double) -> Bool {
    let distance = abs(value - centre)
    let deviation = Self.deviation(recent)
    guard deviation > 0, distance > Self.threshold * deviation else { return false }
    let absolute = Self.median(ContiguousArray(recent.map { abs($0 - centre) }))
    return distance > Self.threshold * (1.4826 * absolute)
  }

  /// The first place in ``ordered`` whose value is not below this one.
  private func place(of value: Double) -> Int {
    var low = 0
    var high = ordered.count
    while low < high {
      let middle = (low + high) / 2
      if ordered[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func median(_ values: ContiguousArray<Double>) -> Double {
    middle(of: ContiguousArray(values.sorted()))
  }

  private static func middle(of sorted: ContiguousArray<Double>) -> Double {
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  private static func deviation(_ values: ContiguousArray<Double>) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(values.count - 1)).squareRoot()
  }
}
