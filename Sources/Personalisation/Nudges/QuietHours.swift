/// The hours in which nothing is shown, by the clock on the wall; they may reach across midnight.
public struct QuietHours: Hashable, Sendable {
  /// When they begin, in seconds after midnight, below 86,400.
  public let start: Int
  /// When they end, in seconds after midnight, below 86,400; this second is not quiet any more.
  public let end: Int

  /// From ten in the evening to seven in the morning.
  public static let standard = QuietHours(start: 22 * 3600, end: 7 * 3600)
  /// No quiet hours.
  public static let none = QuietHours(start: 0, end: 0)

  private init(start: Int, end: Int) { (self.start, self.end) = (start, end) }

  /// The hours written `22:00-07:00`, or `none`; nil for any other text. Where both times are the same there are
  /// no quiet hours.
  public init?(_ text: some StringProtocol) {
    if text == "none" {
      self = .none
      return
    }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let start = Self.second(parts[0]), let end = Self.second(parts[1])
    else { return nil }
    self.init(start: start, end: end)
  }

  /// Whether a second of the day, 0 to 86,399, is quiet.
  public func contains(_ secondOfDay: Int) -> Bool {
    start <= end
      ? start <= secondOfDay && secondOfDay < end : secondOfDay >= start || secondOfDay < end
  }

  private static func second(_ text: some StringProtocol) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }),
      parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
      let hours = Int(parts[0]), let minutes = Int(parts[1]), hours < 24, minutes < 60
    else { return nil }
    return hours * 3600 + minutes * 60
  }
}

extension QuietHours: CustomStringConvertible {
  /// The hours as they are written.
  public var description: String {
    func written(_ second: Int) -> String {
      let (hours, minutes) = (second / 3600, second / 60 % 60)
      return "\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)"
    }
    return start == end ? "none" : "\(written(start))-\(written(end))"
  }
}
