internal import DayLog

/// What the tags of a health export come to: samples kept by type, and what was said of the rest.
struct HealthExport {
  /// Samples by index into ``HealthType/all``.
  private(set) var samples: [ContiguousArray<HealthSample>]
  private(set) var sources: [HealthSource] = []
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
  private var sourceNames = ByteInterner(limit: Self.sourceLimit)
  /// For each name the numbers in ``sources`` of what it measured and of what was typed; -1 if unused.
  private var sourceNumbers: [(measured: Int, typed: Int)] = []
  private var devices = ByteInterner(limit: 4096)
  private var units = ByteInterner(limit: 255)
  /// Factors by type and unit; NaN where the unit is not known to the type.
  private var scales: [Double?]
  private var pending: Pending?
  private var zones: [String: (any ZoneOffsets)?] = [:]

  /// More sources than any person has; the rest share one.
  static let sourceLimit = 1023
  private static let elementLimit = 100

  /// A record whose metadata may still come.
  private struct Pending {
    var type: Int
    var source: Int
    var device: Int?
    var start: (seconds: Int64, offset: Int16)
    var end: Int64
    /// In the metric's unit; of a state of mind NaN until its metadata comes.
    var value: Double
    var zone: (any ZoneOffsets)?
    var isTyped = false
    let number: Int
  }

  init(options: ImportOptions) {
    self.options = options
    samples = Array(repeating: [], count: HealthType.all.count)
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
    _ bytes: Span<UInt8>, at tag: Int
  ) {
    switch element {
    case .record:
      record(attributes, bytes)
      if isEmpty { commit() }
    case .metadata: if pending != nil { metadata(attributes, bytes) }
    case .summary: summary(attributes, bytes)
    case .exportDate:
      exportDate = dates.read(bytes, attributes.value).map { Instant(seconds: $0.seconds) }
    case .root, .me, .correlation, .workout: break
    case .other:
      let text = Self.text(bytes, name, limit: 40)
      if unknownElements[text] != nil || unknownElements.count < Self.elementLimit {
        unknownElements[text, default: 0] += 1
      }
    }
  }

  @inline(__always)
  mutating func close(_ element: HealthElement, _ bytes: Span<UInt8>, at tag: Int) {
    if element == .record { commit() }
  }

  private mutating func record(_ attributes: HealthAttributes, _ bytes: Span<UInt8>) {
    pending = nil
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
    guard index >= 0 else { return }
    let type = HealthType.all[index].type
    guard let start = dates.read(bytes, attributes.start),
      let end = attributes.end.isMissing ? start : dates.read(bytes, attributes.end)
    else { return reject("no readable date") }
    guard end.seconds >= start.seconds else { return reject("end before start") }
    guard end.seconds - start.seconds <= Int64(Int32.max) else { return reject("span of decades") }
    guard let value = value(of: type, index, attributes, bytes) else { return }
    if value == 0, type.kind == .measurement, type.isZeroMissing {
      zeros += 1
      return
    }
    pending = Pending(
      type: index, source: sourceName(attributes, bytes),
      device: attributes.device.isMissing
        ? nil : devices.id(bytes.extracting(attributes.device.start..<attributes.device.end)),
      start: start, end: end.seconds, value: value, number: read)
  }

  /// The record's value in the metric's unit; nil after saying what is wrong with it.
  private mutating func value(
    of type: HealthType, _ index: Int, _ attributes: HealthAttributes, _ bytes: Span<UInt8>
  ) -> Double? {
    switch type.kind {
    case .count, .measurement:
      guard !attributes.value.isMissing else { return none("no value") }
      let text = bytes.extracting(attributes.value.start..<attributes.value.end)
      guard let number = DecimalText.number(text) else { return none("value is no number") }
      guard let scale = scale(index, attributes.unit, bytes) else { return none("unknown unit") }
      var value = number * scale
      if case .percent = type.units, value <= 1 { value *= 100 }
      guard type.range.contains(value) else { return none("value out of range") }
      return value
    case .sleep:
      let prefix: StaticString = "HKCategoryValueSleepAnalysis"
      var place = attributes.value
      if bytes.matches(prefix, at: place.start) { place.start += prefix.utf8CodeUnitCount }
      guard place.end > place.start, let stage = SleepStage(Self.text(bytes, place, limit: 40))
      else {
        return none("unknown stage of sleep")
      }
      return Double(stage.rawValue)
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
    switch key.end - key.start {
    case 10 where bytes.matches("HKTimeZone", at: key.start):
      let name = Self.text(bytes, attributes.value, limit: 80)
      if zones[name] == nil, zones.count < 1000 { zones[name] = .some(options.zoneNamed(name)) }
      if let zone = zones[name] ?? nil {
        pending?.zone = zone
      } else if unknownZones[name] != nil || unknownZones.count < Self.elementLimit {
        unknownZones[name, default: 0] += 1
      }
    case 16 where bytes.matches("HKWasUserEntered", at: key.start):
      pending?.isTyped = bytes.matches("1", at: attributes.value.start)
    case 31 where bytes.matches("HKMetadataKeyStateOfMindValence", at: key.start):
      guard let held = pending, HealthType.all[held.type].type.kind == .stateOfMind else { return }
      let text = bytes.extracting(attributes.value.start..<attributes.value.end)
      pending?.value = DecimalText.number(text) ?? .nan
    default: break
    }
  }

  private mutating func commit() {
    guard let record = pending else { return }
    pending = nil
    let type = HealthType.all[record.type].type
    var value = record.value
    if type.kind == .stateOfMind {
      guard !value.isNaN else { return reject("no valence") }
      guard type.range.contains(value) else { return reject("value out of range") }
    }
    let duration = record.end - record.start.seconds
    if type.kind == .duration { value = Double(duration) / 60 }
    var offset = record.start.offset
    if let zone = record.zone ?? options.zone {
      offset = Int16(clamping: zone.offset(at: Instant(seconds: record.start.seconds)) / 60)
    } else {
      if let only = writtenOffset.only {
        if only != offset { writtenOffset.isSeveral = true }
      } else {
        writtenOffset.only = offset
      }
      writtenOffset.first = min(writtenOffset.first, record.start.seconds)
      writtenOffset.last = max(writtenOffset.last, record.start.seconds)
    }
    let source = number(ofSource: record.source, isTyped: record.isTyped, device: record.device)
    samples[record.type].append(
      HealthSample(
        start: record.start.seconds, value: value, duration: Int32(duration), offset: offset,
        source: UInt16(source)))
  }

  private mutating func summary(_ attributes: HealthAttributes, _ bytes: Span<UInt8>) {
    read += 1
    guard let day = LocalTime(bytes.extracting(attributes.date.start..<attributes.date.end))?.day,
      day.number > 0
    else { return reject("no readable date") }
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

  @inline(__always)
  private mutating func sourceName(_ attributes: HealthAttributes, _ bytes: Span<UInt8>) -> Int {
    sourceNames.id(bytes.extracting(attributes.source.start..<attributes.source.end))
  }

  /// The number of a source; its first device description tells what a name leaves open.
  private mutating func number(ofSource id: Int, isTyped: Bool, device: Int?) -> Int {
    while sourceNumbers.count <= id { sourceNumbers.append((-1, -1)) }
    var number = isTyped ? sourceNumbers[id].typed : sourceNumbers[id].measured
    if number < 0 {
      let raw = id < Self.sourceLimit ? String(decoding: sourceNames[id], as: UTF8.self) : "others"
      let name = Self.normalised(raw)
      if let same = sources.firstIndex(where: { $0.name == name && $0.isTyped == isTyped }) {
        number = same
      } else {
        number = sources.count
        sources.append(
          HealthSource(name: name, device: HealthSource.device(name), isTyped: isTyped))
      }
      if isTyped { sourceNumbers[id].typed = number } else { sourceNumbers[id].measured = number }
    }
    if sources[number].device == .other, let device, device < 4096 {
      sources[number].device = deviceKind(device)
    }
    return number
  }

  private var deviceKinds: [Int: HealthSource.Device] = [:]

  private mutating func deviceKind(_ id: Int) -> HealthSource.Device {
    if let known = deviceKinds[id] { return known }
    let kind = HealthSource.device(String(decoding: devices[id], as: UTF8.self))
    deviceKinds[id] = kind
    return kind
  }

  /// A name with its entities resolved, curly apostrophes straight and no-break spaces plain: one
  /// device writes its name in several ways.
  private static func normalised(_ name: String) -> String {
    var text = name
    for (from, to) in [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&"),
      ("\u{2019}", "'"),
      ("\u{2018}", "'"), ("\u{A0}", " "),
    ] { text = text.replacing(from, with: to) }
    return text
  }

  private mutating func reject(_ reason: String) {
    pending = nil
    let count = rejectionCounts[reason, default: 0]
    rejectionCounts[reason] = count + 1
    if count < ImportSummary.placeLimit { rejections.append((reason, read)) }
  }

  private mutating func none(_ reason: String) -> Double? {
    reject(reason)
    return nil
  }

  private static func text(_ bytes: Span<UInt8>, _ place: BytePlace, limit: Int) -> String {
    var copy: [UInt8] = []
    for index in place.start..<min(place.end, place.start + limit) { copy.append(bytes[index]) }
    return String(decoding: copy, as: UTF8.self)
  }

  /// Gives up the samples of a type, so that they are held once.
  mutating func take(_ type: Int) -> ContiguousArray<HealthSample> {
    defer { samples[type] = [] }
    return samples[type]
  }
}
