/// A setting: its name, what holds where it was never set, and how its value is written.
///
/// Absent means the standard value; a stored value is what it is, so a stored false stays false.
public struct Setting<Value: Sendable & Equatable>: Sendable {
  /// Under which it is stored, such as `day.start`.
  public let name: String
  /// What holds where it was never set.
  public let standard: Value
  let read: @Sendable (String) -> Value?
  let write: @Sendable (Value) -> String

  /// A setting of this name; `read` gives nil for a text that is no value of it.
  public init(
    _ name: String, standard: Value, read: @escaping @Sendable (String) -> Value?,
    write: @escaping @Sendable (Value) -> String
  ) {
    self.name = name
    self.standard = standard
    self.read = read
    self.write = write
  }

  /// The value that a text stands for; nil where it is no value of this setting.
  public func value(of text: String) -> Value? { read(text) }

  /// A value as it is written.
  public func text(of value: Value) -> String { write(value) }
}

extension Setting where Value == Bool {
  /// A switch, written `true` or `false`; `on`, `off`, `yes` and `no` are read too.
  public init(_ name: String, standard: Bool) {
    self.init(
      name, standard: standard,
      read: { text in
        switch text {
        case "true", "on", "yes": true
        case "false", "off", "no": false
        default: nil
        }
      }, write: { $0 ? "true" : "false" })
  }

  /// Whether nudges and insights may be shown: they may, unless the person switched them off.
  public static var notifications: Setting { Setting("notifications", standard: true) }
}

extension Setting where Value == Int {
  /// How long after midnight the person's day starts, in seconds, below one day; written `04:00`.
  public static var dayStart: Setting {
    Setting(
      "day.start", standard: 0,
      read: { text in
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
          parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
          let hours = Int(parts[0]), let minutes = Int(parts[1]), hours < 24, minutes < 60
        else { return nil }
        return hours * 3600 + minutes * 60
      },
      write: { seconds in
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return "\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)"
      })
  }
}

extension Setting where Value == [String] {
  /// Texts divided by commas, without blanks around them; an empty text is an empty list.
  public init(_ name: String, standard: [String]) {
    self.init(
      name, standard: standard,
      read: { $0.split(separator: ",").map(Self.trimmed).filter { !$0.isEmpty } },
      write: { $0.joined(separator: ",") })
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0 == " " }
    return String(
      start[..<(start.lastIndex { $0 != " " }.map(start.index(after:)) ?? start.startIndex)])
  }

  /// The beginnings of the names of imported sources, most trusted first.
  public static var sourceOrder: Setting {
    Setting("sources.order", standard: [])
  }
}
