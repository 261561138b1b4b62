/// A place in the bytes at hand; empty where there is nothing.
struct BytePlace {
  private let first: Int32
  private let last: Int32

  /// From a place to before another, both within the first 2 GB.
  @inline(__always)
  init(_ start: Int, _ end: Int) {
    first = Int32(truncatingIfNeeded: start)
    last = Int32(truncatingIfNeeded: end)
  }

  @inline(__always)
  init() { (first, last) = (0, 0) }

  var start: Int { Int(first) }
  var end: Int { Int(last) }
  var count: Int { Int(last &- first) }
  var isMissing: Bool { first == last }
}

/// The attributes of one tag that an importer cares for.
struct HealthAttributes {
  var type = BytePlace()
  var source = BytePlace()
  var device = BytePlace()
  var unit = BytePlace()
  var value = BytePlace()
  var start = BytePlace()
  var end = BytePlace()
  var key = BytePlace()
  var date = BytePlace()
  var energy = BytePlace()
  var energyUnit = BytePlace()
  var exercise = BytePlace()

  /// Which attribute a name stands for.
  enum Name {
    case type, source, device, unit, value, start, end, key, date, energy, energyUnit, exercise
    /// One of a record that is of no use.
    case passedOver
  }

  /// Keeps the value of an attribute; the last of a repeated one.
  @inline(__always)
  mutating func set(_ name: Name, to place: BytePlace) {
    switch name {
    case .type: type = place
    case .source: source = place
    case .device: device = place
    case .unit: unit = place
    case .value: value = place
    case .start: start = place
    case .end: end = place
    case .key: key = place
    case .date: date = place
    case .energy: energy = place
    case .energyUnit: energyUnit = place
    case .exercise: exercise = place
    case .passedOver: break
    }
  }

  /// The attribute at `at` where it is written as genuine exports write the common ones, `name="`, and
  /// the place of its value; nil for any other.
  @inline(__always)
  static func known(_ bytes: Span<UInt8>, _ at: Int) -> (name: Name, value: Int)? {
    switch bytes[at] {
    case UInt8(ascii: "s"):
      if bytes.matches("startDate=\"", at: at) { return (.start, at + 11) }
      if bytes.matches("sourceName=\"", at: at) { return (.source, at + 12) }
      if bytes.matches("sourceVersion=\"", at: at) { return (.passedOver, at + 15) }
    case UInt8(ascii: "t"): if bytes.matches("type=\"", at: at) { return (.type, at + 6) }
    case UInt8(ascii: "d"): if bytes.matches("device=\"", at: at) { return (.device, at + 8) }
    case UInt8(ascii: "u"): if bytes.matches("unit=\"", at: at) { return (.unit, at + 6) }
    case UInt8(ascii: "c"):
      if bytes.matches("creationDate=\"", at: at) { return (.passedOver, at + 14) }
    case UInt8(ascii: "e"): if bytes.matches("endDate=\"", at: at) { return (.end, at + 9) }
    case UInt8(ascii: "v"): if bytes.matches("value=\"", at: at) { return (.value, at + 7) }
    case UInt8(ascii: "k"): if bytes.matches("key=\"", at: at) { return (.key, at + 5) }
    default: break
    }
    return nil
  }

  /// The attribute of a name, as any generation writes it; nil for one that does not matter.
  static func name(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Name? {
    func has(_ text: StaticString) -> Bool {
      end - start == text.utf8CodeUnitCount && bytes.matches(text, at: start)
    }
    if has("type") { return .type }
    if has("value") { return .value }
    if has("unit") { return .unit }
    if has("key") { return .key }
    if has("device") { return .device }
    if has("source") || has("sourceName") || has("source name") { return .source }
    if has("startDate") || has("start date") { return .start }
    if has("endDate") || has("end date") { return .end }
    if has("dateComponents") { return .date }
    if has("activeEnergyBurned") { return .energy }
    if has("activeEnergyBurnedUnit") { return .energyUnit }
    if has("appleExerciseTime") { return .exercise }
    return nil
  }
}
