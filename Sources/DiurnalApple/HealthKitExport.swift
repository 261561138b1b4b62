#if canImport(HealthKit)
  internal import DayLog
  internal import Foundation
  internal import HealthKit
  internal import Time

  /// Samples of HealthKit as the export of the health app writes them: so they are folded into days by the one reader
  /// that there is, and a day comes out the same whether a file or the phone brought it.
  struct HealthKitExport {
    private let type: HealthKitType
    private let zone: Zone
    private var text: String
    /// How many samples it holds.
    private(set) var count = 0

    /// An export of samples of one type, made at a moment; samples that name no zone stand at the offset of `zone`.
    init(of type: HealthKitType, at now: Instant, in zone: Zone) {
      self.type = type
      self.zone = zone
      text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<HealthData locale=\"en\">\n"
      text += "<ExportDate value=\"\(Self.date(Date(milliseconds: now.milliseconds), zone))\"/>\n"
    }

    /// Adds a sample; one whose value has no name is left out.
    mutating func add(_ sample: HKSample) {
      guard let value = type.exportText(of: sample) else { return }
      count += 1
      var metadata: [(String, String)] = []
      if let zone = sample.metadata?[HKMetadataKeyTimeZone] as? String {
        metadata.append((HKMetadataKeyTimeZone, zone))
      }
      if sample.metadata?[HKMetadataKeyWasUserEntered] as? Bool == true {
        metadata.append((HKMetadataKeyWasUserEntered, "1"))
      }
      text += "<Record type=\"\(type.exportName)\""
      text += " sourceName=\"\(Harmless.markup(sample.sourceRevision.source.name))\""
      if let unit = type.exportUnit { text += " unit=\"\(unit)\"" }
      text += " startDate=\"\(Self.date(sample.startDate, zone))\""
      text += " endDate=\"\(Self.date(sample.endDate, zone))\""
      if type.kind == .stateOfMind {
        metadata.append(("HKMetadataKeyStateOfMindValence", value))
      } else {
        text += " value=\"\(value)\""
      }
      text += ">"
      for (key, value) in metadata {
        text += "<MetadataEntry key=\"\(key)\" value=\"\(Harmless.markup(value))\"/>"
      }
      text += "</Record>\n"
    }

    /// The whole export.
    var bytes: ContiguousArray<UInt8> { ContiguousArray((text + "</HealthData>\n").utf8) }

    /// `2024-05-01 09:00:00 +0200`, to the second.
    private static func date(_ date: Date, _ zone: Zone) -> String {
      let instant = Instant(date)
      let offset = zone.utcOffset(at: instant)
      let local = Int(instant.seconds) + offset
      let day = CalendarDay(number: Int((Double(local) / 86_400).rounded(.down)))
      let second = local - day.number * 86_400
      func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      let minutes = abs(offset) / 60
      return "\(day) \(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60)) "
        + (offset < 0 ? "-" : "+") + two(minutes / 60) + two(minutes % 60)
    }
  }

  extension Date {
    init(milliseconds: Int64) {
      self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
  }

  extension Instant {
    init(_ date: Date) {
      self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded(.down)))
    }
  }
#endif
