/// The name of something measured once a day, such as `steps`, `mood` or `symptom.headache`.
///
/// A name is 1 to 64 bytes of lower-case ASCII letters, digits, `_` and `.`, beginning with a letter:
/// it stands unquoted in a CSV header, a command line and a JSON key.
public struct Metric: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The name, such as `steps`, by the rule above.
  public let name: String

  /// The metric with this name, or nil where the name breaks the rule above.
  public init?(_ name: some StringProtocol) {
    guard (1...64).contains(name.utf8.count), let first = name.utf8.first,
      Self.isLetter(first),
      name.utf8.allSatisfy({ Self.isLetter($0) || (48...57).contains($0) || $0 == 95 || $0 == 46 })
    else { return nil }
    self.name = String(name)
  }

  /// The metric that a foreign column name stands for: lower-cased, every run of other characters
  /// made one `_`; nil where nothing is left.
  public init?(columnName: some StringProtocol) {
    var bytes: [UInt8] = []
    for byte in columnName.utf8 {
      switch byte {
      case 65...90: bytes.append(byte + 32)
      case 97...122, 48...57, 46: bytes.append(byte)
      default: if let last = bytes.last, last != 95 { bytes.append(95) }
      }
    }
    while bytes.last == 95 { bytes.removeLast() }
    let start = bytes.firstIndex(where: Self.isLetter) ?? bytes.endIndex
    self.init(String(decoding: bytes[start...].prefix(64), as: UTF8.self))
  }

  /// The severity of a symptom: `symptom.` and its name.
  public init?(symptom name: some StringProtocol) {
    guard let metric = Metric(columnName: name) else { return nil }
    self.init("symptom." + metric.name)
  }

  /// Whether this is the severity of a symptom.
  public var isSymptom: Bool { name.hasPrefix("symptom.") }

  /// The name.
  public var description: String { name }

  /// By the bytes of the name.
  public static func < (left: Self, right: Self) -> Bool {
    left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
  }

  private init(known name: String) { self.name = name }

  private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte) }
}

extension Metric {
  /// Heart-rate variability as SDNN, in milliseconds.
  public static let hrv = Metric(known: "hrv")
  /// Heart-rate variability as RMSSD, in milliseconds: another quantity than ``hrv``.
  public static let hrvRMSSD = Metric(known: "hrv_rmssd")
  /// Resting heart rate, in beats per minute.
  public static let restingHeartRate = Metric(known: "resting_heart_rate")
  /// Steps, a count.
  public static let steps = Metric(known: "steps")
  /// Time asleep, in hours.
  public static let sleepHours = Metric(known: "sleep_hours")
  /// Active energy, in kilocalories.
  public static let activeEnergy = Metric(known: "active_energy")
  /// Exercise, in minutes.
  public static let exerciseMinutes = Metric(known: "exercise_minutes")
  /// Body mass, in kilograms.
  public static let bodyMass = Metric(known: "body_mass")
  /// Breaths per minute.
  public static let respiratoryRate = Metric(known: "respiratory_rate")
  /// A person's own rating of their mood.
  public static let mood = Metric(known: "mood")
  /// A person's own rating of their energy.
  public static let energy = Metric(known: "energy")
}
