/// The sources of a health export, by the names under which its records have them.
struct HealthSources {
  private(set) var all: [HealthSource] = []
  private var names = ByteInterner(limit: Self.limit)
  /// For each name the numbers in ``all`` of what it measured and of what was typed; -1 if unused.
  private var numbers: [(measured: Int, typed: Int)] = []
  private var devices = ByteInterner(limit: 4096)
  private var deviceKinds: [Int: HealthSource.Device] = [:]

  /// More sources than any person has; the rest share one.
  static let limit = 1023

  subscript(number: Int) -> HealthSource { all[number] }

  /// The number of a name.
  @inline(__always)
  mutating func id(_ name: Span<UInt8>) -> Int {
    let id = names.id(name)
    if id == numbers.count { numbers.append((-1, -1)) }
    return id
  }

  @inline(__always)
  mutating func deviceID(_ description: Span<UInt8>) -> Int { devices.id(description) }

  /// Whether it is still open what device a source is, of a record that without metadata is measured.
  @inline(__always)
  func isDeviceOpen(_ name: Int, isEmpty: Bool) -> Bool {
    func isOpen(_ number: Int) -> Bool { number < 0 || all[number].device == .other }
    let (measured, typed) = numbers[name]
    return isOpen(measured) || !isEmpty && isOpen(typed)
  }

  /// The number of a source; the first device description that tells counts where its name does not.
  @inline(__always)
  mutating func number(of name: Int, isTyped: Bool, device: Int) -> Int {
    let known = isTyped ? numbers[name].typed : numbers[name].measured
    let number = known >= 0 ? known : add(name, isTyped: isTyped)
    if device >= 0, device < 4096, all[number].device == .other {
      all[number].device = deviceKind(device)
    }
    return number
  }

  private mutating func add(_ id: Int, isTyped: Bool) -> Int {
    let raw = id < Self.limit ? String(decoding: names[id], as: UTF8.self) : "others"
    let name = Self.normalised(raw)
    let number: Int
    if let same = all.firstIndex(where: { $0.name == name && $0.isTyped == isTyped }) {
      number = same
    } else {
      number = all.count
      all.append(HealthSource(name: name, device: HealthSource.device(name), isTyped: isTyped))
    }
    if isTyped { numbers[id].typed = number } else { numbers[id].measured = number }
    return number
  }

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
      ("\u{2019}", "'"), ("\u{2018}", "'"), ("\u{A0}", " "),
    ] { text = text.replacing(from, with: to) }
    return text
  }
}

/// Where a record comes from.
struct HealthSource {
  /// Its name, with straight apostrophes and plain spaces.
  let name: String
  var device: Device
  let isTyped: Bool

  /// The order in which sources that overlap are believed.
  enum Device: Int {
    case watch, phone, other
  }

  /// What a name or a device description tells of the device.
  static func device(_ text: String) -> Device {
    let text = text.lowercased()
    if text.contains("watch") { return .watch }
    return text.contains("phone") ? .phone : .other
  }
}
