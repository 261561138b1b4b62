public import Time

/// What a device hands over to be put into the log later: a symptom or a check-in.
public struct Payload: Hashable, Sendable {
  /// The kinds that this version knows.
  public enum Kind: String, Sendable, CaseIterable {
    /// How severe a symptom is.
    case symptom
    /// Ratings of a moment, such as mood and energy.
    case checkIn = "check-in"
  }

  /// Tells it from every other payload, so that a second delivery is recognised.
  public let id: String
  /// What it is: a symptom or a check-in.
  public let kind: Kind
  /// The moment it is of, with the offset that its day goes by.
  public let at: Timestamp
  /// What it says: a symptom's severity, or the ratings of a check-in.
  public let values: [Metric: Double]

  /// A payload that reports how severe a symptom is; nil where the name has no letter.
  public init?(id: String, symptom name: String, severity: Double, at: Timestamp) {
    guard let metric = Metric(symptom: name), severity.isFinite, !id.isEmpty else { return nil }
    (self.id, kind, self.at, values) = (id, .symptom, at, [metric: severity])
  }

  /// A payload with ratings, such as mood and energy; nil where there is none, or one is not finite.
  public init?(id: String, checkIn ratings: [Metric: Double], at: Timestamp) {
    guard !ratings.isEmpty, ratings.values.allSatisfy(\.isFinite), !id.isEmpty else { return nil }
    (self.id, kind, self.at, values) = (id, .checkIn, at, ratings)
  }

  /// Under which name its values stand in the log.
  public static let source = Source(.typed, "queue")

  /// The metrics that it speaks of, in order.
  public var metrics: [Metric] { values.keys.sorted() }

  /// The day that it counts for.
  public func day(dayStart: Int) -> CalendarDay { at.day(dayStart: dayStart) }

  /// What it says as typed entries whose as-of is its own moment: so of two for one day the later wins, in
  /// whatever order they arrive.
  public func entries(source: Source = Payload.source, dayStart: Int) -> [Entry] {
    metrics.compactMap { metric in
      values[metric].map { value in
        Entry(
          key: EntryKey(day: day(dayStart: dayStart), metric: metric, source: source),
          asOf: at.instant, value: value)
      }
    }
  }
}

/// Why bytes are no payload. It names keys, never what stands under them.
public enum PayloadError: Error, Equatable, Sendable {
  /// The bytes stop being a JSON object at this byte, counted from 0.
  case notJSON(offset: Int, reason: String)
  /// A key that the kind needs is not there.
  case missing(key: String)
  /// What stands under a key cannot be.
  case unreadable(key: String)
  /// A kind of a newer version, or none at all.
  case unknownKind
}

extension PayloadError: CustomStringConvertible {
  /// One sentence for the person, without any of the payload.
  public var description: String {
    switch self {
    case .notJSON(let offset, let reason): "not a JSON object at byte \(offset): \(reason)"
    case .missing(let key): "the key \"\(key)\" is missing"
    case .unreadable(let key): "the value of \"\(key)\" cannot be read"
    case .unknownKind: "the kind is not known to this version"
    }
  }
}

extension Payload {
  /// What tells payloads apart, read from any payload, also of a kind that this version does not know.
  public static func identity(
    of bytes: some Collection<UInt8>
  ) throws(PayloadError) -> (id: String, kind: String) {
    let object = try object(bytes)
    return (try text("id", in: object), try text("kind", in: object))
  }

  /// Reads a payload of a known kind. Keys that it does not know are passed over.
  public init(_ bytes: some Collection<UInt8>) throws(PayloadError) {
    let object = try Self.object(bytes)
    let id = try Self.text("id", in: object)
    guard let kind = Kind(rawValue: try Self.text("kind", in: object)) else { throw .unknownKind }
    // The first day there is stands for no date at all where software fills one in, and any day start but
    // midnight would put it on a day that no log has.
    guard let at = Timestamp(try Self.text("at", in: object)),
      CalendarDay.supported.contains(at.day(dayStart: 86_400))
    else { throw .unreadable(key: "at") }
    switch kind {
    case .symptom:
      let name = try Self.text("name", in: object)
      guard let severity = object["severity"] else { throw .missing(key: "severity") }
      guard let number = severity.number else { throw .unreadable(key: "severity") }
      guard let payload = Payload(id: id, symptom: name, severity: number, at: at) else {
        throw .unreadable(key: "name")
      }
      self = payload
    case .checkIn:
      guard case .object(let members) = object else { throw .unknownKind }
      var ratings: [Metric: Double] = [:]
      for (key, value) in members where !["id", "kind", "at"].contains(key) {
        guard let number = value.number else {
          // A text beside the ratings, such as a note of a newer version, is no rating.
          if key == "mood" || key == "energy" { throw .unreadable(key: key) }
          continue
        }
        guard let metric = Metric(key) else { throw .unreadable(key: key) }
        ratings[metric] = number
      }
      guard let payload = Payload(id: id, checkIn: ratings, at: at) else {
        throw .missing(key: "mood")
      }
      self = payload
    }
  }

  private static func object(_ bytes: some Collection<UInt8>) throws(PayloadError) -> JSON {
    do throws(JSON.Failure) {
      let value = try JSON(ArraySlice(bytes))
      guard case .object = value else {
        throw JSON.Failure(offset: 0, reason: "an object begins with {")
      }
      return value
    } catch {
      throw .notJSON(offset: error.offset, reason: error.reason)
    }
  }

  private static func text(_ key: String, in object: JSON) throws(PayloadError) -> String {
    guard let value = object[key] else { throw .missing(key: key) }
    guard let text = value.string, !text.isEmpty else { throw .unreadable(key: key) }
    return text
  }
}
