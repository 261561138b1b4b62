internal import DayLog
import Time

/// What the tags of a health export come to: samples kept by type and source, and what was said of the
/// rest.
struct HealthExport: HealthTags {
  /// Samples by type and source.
  private(set) var series = HealthSeriesTable()
  private(set) var sources = HealthSources()
  private(set) var exportDate: Instant?
  private(set) var read = 0
  /// Records rejected, with the record's number.
  private(set) var rejections: [(reason: String, record: Int)] = []
  private(set) var rejectionCounts: [String: Int] = [:]
  /// Daily totals that the phone worked out itself.
  private(set) var summaries: [(day: CalendarDay, metric: Metric, value: Double)] = []
  private(set) var unknownElements: [String: Int] = [:]
  private(set) var unknownUnits: [String: Int] = [:]
  private(set) var unknownZones: [String: Int] = [:]
  private(set) var zeros = 0
  /// Records of something that was there and of which the severity is not said.
  private(set) var unspecified = 0
  /// Whether samples were placed by the written offset alone, which offsets, and when.
  private(set) var writtenOffset = WrittenOffset()

  struct WrittenOffset {
    var only: Int16?
    var isSeveral = false
    var first = Int64.max
    var last = Int64.min
  }

  private let options: ImportOptions
  private var dates = HealthDates()
  private var types = ByteInterner(limit: 4096)
  /// For each type of the file its index in ``HealthType/all`` or -1, and how often it came.
  private var typeIndices: [Int] = []
  private var typeCounts: [Int] = []
  private var units = ByteInterner(limit: 255)
  /// Factors by type and unit; NaN where the unit is not known to the type.
  private var scales: [Double?]
  /// The record whose metadata may still come, if there is one, and the zone that they named.
  private var pending = Pending()
  private var hasPending = false
  private var pendingZone: Zone?
  private var zones: [String: Zone?] = [:]
  /// ``HealthType/all`` without names, which cost counting at every use.
  private let rules = HealthType.all.map { Rule($0.type) }
  private let hasZone: Bool
  /// Local seconds since 1970 at which the first day of the person's log begins, and its last day ends.
  private let firstSecond: Int64
  private static let lastSecond = Int64(CalendarDay.supported.upperBound.number + 1) * 86_400

  private static let elementLimit = 100
  /// Elements within records and workouts that say no more of a day than those.
  private static let parts: Set = [
    "WorkoutEvent", "WorkoutStatistics", "WorkoutRoute", "FileReference",
    "HeartRateVariabilityMetadataList", "InstantaneousBeatsPerMinute",
  ]

  private struct Pending {
    var type = 0
    var source = 0
    /// Of a source whose name does not tell what device it is.
    var device = -1
    var start: (seconds: Int64, offset: Int16) = (0, 0)
    var end: Int64 = 0
    /// In the metric's unit; of a state of mind NaN until its metadata comes.
    var value = 0.0
    var isTyped = false
  }

  /// What of a type counts at every record.
  private struct Rule {
    let kind: HealthType.Kind
    let low: Double
    let high: Double
    let isZeroMissing: Bool
    let isFraction: Bool
    /// Seconds from start to end that a record may last: a sum is often of a month, no one sleeps a week.
    let longest: Int64

    init(_ type: HealthType) {
      kind = type.kind
      longest =
        switch type.kind {
        case .sleep: 7 * 86_400
        case .duration: 86_400
        case .count, .measurement, .stateOfMind, .severity: Int64(Int32.max)
        }
      (low, high) = (type.range.lowerBound, type.range.upperBound)
      isZeroMissing = type.kind == .measurement && type.isZeroMissing
      isFraction = type.units == .percent
    }
  }

  init(options: ImportOptions) {
    self.options = options
    hasZone = options.zone != nil
    firstSecond =
      Int64(CalendarDay.supported.lowerBound.number) * 86_400 + Int64(options.dayStart)
    scales = Array(repeating: nil, count: HealthType.all.count * 256)
  }

  /// How often each type came that becomes no metric.
  var unknownTypes: [(name: String, count: Int)] {
    (0..<types.count).filter { typeIndices[$0] < 0 && typeCounts[$0] > 0 }
      .map { (String(decoding: types[$0].prefix(80), as: UTF8.self), typeCounts[$0]) }
  }

  @inline(__always)
  mutating func open(
    _ element: HealthElement, _ name: BytePlace, _ attributes: HealthAttributes, isEmpty: Bool,
    _ bytes: Span<UInt8>
  ) {
    switch element {
    case .record:
      hasPending = record(attributes, isEmpty: isEmpty, bytes)
      if isEmpty { commit() }
    case .metadata: if hasPending { metadata(attributes, bytes) }
    case .summary: summary(attributes, bytes)
    case .exportDate:
      exportDate = dates.read(bytes, attributes.value).map { Instant(seconds: $0.seconds) }
    case .workout: unknownElements["Workout", default: 0] += 1
    case .root, .me, .correlation: break
    case .other:
      let text = Self.text(bytes, name, limit: 40)
      guard !Self.parts.contains(text) else { return }
      if unknownElements[text] != nil || unknownElements.count < Self.elementLimit {
        unknownElements[text, default: 0] += 1
      }
    }
  }

  @inline(__always)
  mutating func close(_ element: HealthElement) {
    if element == .record { commit() }
  }

  /// Reads a record's own attributes into ``pending``; whether it counts so far.
  @inline(__always)
  private mutating func record(
    _ attributes: HealthAttributes, isEmpty: Bool, _ bytes: Span<UInt8>
  ) -> Bool {
    read += 1
    let id = types.id(bytes.extracting(attributes.type.start..<attributes.type.end))
    guard id < 4096 else { return reject("too many types") }
    if id == typeIndices.count {
      let name = Self.text(bytes, attributes.type, limit: 200)
      typeIndices.append(HealthType.index(name) ?? -1)
      typeCounts.append(0)
    }
    typeCounts[id] += 1
    let index = typeIndices[id]
    guard index >= 0 else { return false }
    guard let start = dates.read(bytes, attributes.start),
      let end = attributes.end.isMissing ? start : dates.read(bytes, attributes.end)
    else { return reject("no readable date") }
    guard end.seconds >= start.seconds else { return reject("end before start") }
    guard end.seconds - start.seconds <= rules[index].longest else {
      return reject("span too long")
    }
    guard let value = value(of: index, attributes, bytes) else { return false }
    if value == 0, rules[index].isZeroMissing {
      zeros += 1
      return false
    }
    let source = sources.id(
      bytes.extracting(attributes.source.start..<attributes.source.end))
    var device = -1
    if !attributes.device.isMissing, sources.isDeviceOpen(source, isEmpty: isEmpty) {
      device = sources.deviceID(
        bytes.extracting(attributes.device.start..<attributes.device.end))
    }
    pending = Pending(
      type: index, source: source, device: device, start: start, end: end.seconds, value: value)
    return true
  }

  /// The record's value in the metric's unit; nil after saying what is wrong with it.
  @inline(__always)
  private mutating func value(
    of index: Int, _ attributes: HealthAttributes, _ bytes: Span<UInt8>
  ) -> Double? {
    let rule = rules[index]
    switch rule.kind {
    case .count, .measurement:
      guard !attributes.value.isMissing else { return none("no value") }
      let text = bytes.extracting(attributes.value.start..<attributes.value.end)
      guard let number = DecimalText.number(text) else { return none("value is no number") }
      guard let scale = scale(index, attributes.unit, bytes) else { return none("unknown unit") }
      var value = number * scale
      if rule.isFraction, value <= 1 { value *= 100 }
      guard value >= rule.low, value <= rule.high else { return none("value out of range") }
      return value
    case .sleep:
      let prefix: StaticString = "HKCategoryValueSleepAnalysis"
      var place = attributes.value
      if bytes.matches(prefix, at: place.start) {
        place = BytePlace(place.start + prefix.utf8CodeUnitCount, place.end)
      }
      guard place.end > place.start, let stage = SleepStage(Self.text(bytes, place, limit: 40))
      else {
        return none("unknown stage of sleep")
      }
      return Double(stage.rawValue)
    case .severity:
      let text = Self.text(bytes, attributes.value, limit: 80)
      guard let severity = HealthSeverity(text) else { return none("unknown severity") }
      if severity == .unspecified { unspecified += 1 }
      return severity.value
    case .duration: return 0
    case .stateOfMind: return .nan
    }
  }

  private mutating func scale(
    _ type: Int, _ place: BytePlace, _ bytes: Span<UInt8>
  ) -> Double? {
    let unit = units.id(bytes.extracting(place.start..<place.end))
    let slot = type * 256 + unit
    let scale =
      scales[slot]
      ?? HealthType.all[type].type.units.scale(Self.text(bytes, place, limit: 40)) ?? .nan
    if unit < 255 { scales[slot] = scale }
    if scale.isNaN {
      let name = Self.text(bytes, place, limit: 40)
      if unknownUnits[name] != nil || unknownUnits.count < Self.elementLimit {
        unknownUnits[name, default: 0] += 1
      }
      return nil
    }
    return scale
  }

  private mutating func metadata(_ attributes: HealthAttributes, _ bytes: Span<UInt8>) {
    let key = attributes.key
    switch key.count {
    case 10 where bytes.matches("HKTimeZone", at: key.start):
      let name = Self.text(bytes, attributes.value, limit: 80)
      if zones[name] == nil, zones.count < 1000 { zones[name] = .some(options.zoneNamed(name)) }
      if let zone = zones[name] ?? nil {
        pendingZone = zone
      } else if unknownZones[name] != nil || unknownZones.count < Self.elementLimit {
        unknownZones[name, default: 0] += 1
      }
    case 16 where bytes.matches("HKWasUserEntered", at: key.start):
      pending.isTyped = bytes.matches("1", at: attributes.value.start)
    case 31 where bytes.matches("HKMetadataKeyStateOfMindValence", at: key.start):
      guard rules[pending.type].kind == .stateOfMind else { return }
      let text = bytes.extracting(attributes.value.start..<attributes.value.end)
      pending.value = DecimalText.number(text) ?? .nan
    default: break
    }
  }

  @inline(__always)
  private mutating func commit() {
    guard hasPending else { return }
    hasPending = false
    let record = pending
    let rule = rules[record.type]
    var value = record.value
    if rule.kind == .stateOfMind {
      pendingZone = nil
      guard !value.isNaN else {
        _ = reject("no valence")
        return
      }
      guard value >= rule.low, value <= rule.high else {
        _ = reject("value out of range")
        return
      }
    }
    let duration = record.end - record.start.seconds
    if rule.kind == .duration { value = Double(duration) / 60 }
    let offset = offset(at: record.start)
    let local = record.start.seconds + Int64(offset) * 60
    guard local >= firstSecond, local + duration <= Self.lastSecond else {
      _ = reject(DayCollector.outsideCalendar)
      return
    }
    let source = sources.number(
      of: record.source, isTyped: record.isTyped, device: record.device)
    series.append(
      Sample(
        start: record.start.seconds, value: value, duration: Int32(duration), offset: offset,
        source: UInt16(source)),
      type: record.type)
  }

  /// Minutes ahead of UTC by the zone that decides: the record's own, the one asked for, the written.
  @inline(__always)
  private mutating func offset(at start: (seconds: Int64, offset: Int16)) -> Int16 {
    if hasZone || pendingZone != nil, let zone = pendingZone ?? options.zone {
      pendingZone = nil
      return Int16(clamping: zone.utcOffset(at: Instant(seconds: start.seconds)) / 60)
    }
    if let only = writtenOffset.only {
      if only != start.offset { writtenOffset.isSeveral = true }
    } else {
      writtenOffset.only = start.offset
    }
    writtenOffset.first = min(writtenOffset.first, start.seconds)
    writtenOffset.last = max(writtenOffset.last, start.seconds)
    return start.offset
  }

  private mutating func summary(_ attributes: HealthAttributes, _ bytes: Span<UInt8>) {
    read += 1
    guard let day = LocalTime(bytes.extracting(attributes.date.start..<attributes.date.end))?.day,
      day.number > 0
    else {
      _ = reject("no readable date")
      return
    }
    func number(_ place: BytePlace) -> Double? {
      DecimalText.number(bytes.extracting(place.start..<place.end))
    }
    let unit = Self.text(bytes, attributes.energyUnit, limit: 40)
    if let energy = number(attributes.energy), energy > 0, energy <= 100_000,
      let scale = HealthType.Units.energy.scale(unit.isEmpty ? "kcal" : unit)
    {
      summaries.append((day, .activeEnergy, energy * scale))
    }
    if let exercise = number(attributes.exercise), (0...1440).contains(exercise) {
      summaries.append((day, .exerciseMinutes, exercise))
    }
  }

  /// Counts a record that is wrong; false, as it does not count.
  private mutating func reject(_ reason: String) -> Bool {
    let count = rejectionCounts[reason, default: 0]
    rejectionCounts[reason] = count + 1
    if count < ImportSummary.placeLimit { rejections.append((reason, read)) }
    return false
  }

  private mutating func none(_ reason: String) -> Double? {
    _ = reject(reason)
    return nil
  }

  private static func text(_ bytes: Span<UInt8>, _ place: BytePlace, limit: Int) -> String {
    var copy: [UInt8] = []
    for index in place.start..<min(place.end, place.start + limit) { copy.append(bytes[index]) }
    return String(decoding: copy, as: UTF8.self)
  }

  /// Gives up the samples of a type, so that they are held once.
  mutating func take(_ type: Int) -> [HealthSeries] { series.take(type) }
}
