// Stands in for Apple's HealthKit where there is none: what DiurnalApple calls, over a made-up health store that keeps
// Apple's rules. No product reaches it. As Apple's, samples and queries are not declared to be `Sendable` unless said so.

public import Foundation

// MARK: - Types

public struct HKQuantityTypeIdentifier: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

public struct HKCategoryTypeIdentifier: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

open class HKObjectType: @unchecked Sendable, Hashable {
  public let identifier: String
  fileprivate init(_ identifier: String) { self.identifier = identifier }

  public static func == (left: HKObjectType, right: HKObjectType) -> Bool {
    left.identifier == right.identifier
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

  public static func stateOfMindType() -> HKStateOfMindType { HKStateOfMindType() }
}

open class HKSampleType: HKObjectType, @unchecked Sendable {}

public final class HKQuantityType: HKSampleType, @unchecked Sendable {
  public init(_ identifier: HKQuantityTypeIdentifier) { super.init(identifier.rawValue) }
}

public final class HKCategoryType: HKSampleType, @unchecked Sendable {
  public init(_ identifier: HKCategoryTypeIdentifier) { super.init(identifier.rawValue) }
}

public final class HKStateOfMindType: HKSampleType, @unchecked Sendable {
  fileprivate init() { super.init("HKDataTypeStateOfMind") }
}

// MARK: - Samples

public final class HKUnit: Sendable {
  public let unitString: String
  public init(from text: String) { unitString = text }
  public static func count() -> HKUnit { HKUnit(from: "count") }
}

/// A unit that does not fit ends the app.
public final class HKQuantity: Sendable {
  private let unit: HKUnit
  private let value: Double

  public init(unit: HKUnit, doubleValue: Double) { (self.unit, value) = (unit, doubleValue) }

  public func doubleValue(for unit: HKUnit) -> Double {
    precondition(unit.unitString == self.unit.unitString, "the unit fits the quantity")
    return value
  }
}

public final class HKSource: Sendable {
  public let name: String
  public init(name: String) { self.name = name }
}

public final class HKSourceRevision: Sendable {
  public let source: HKSource
  public init(source: HKSource) { self.source = source }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public let HKMetadataKeyTimeZone = "HKTimeZone"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let HKMetadataKeyWasUserEntered = "HKWasUserEntered"

open class HKObject: @unchecked Sendable {
  public let uuid = UUID()
  public let metadata: [String: Any]?
  public let sourceRevision: HKSourceRevision
  fileprivate init(_ source: String, _ metadata: [String: Any]?) {
    sourceRevision = HKSourceRevision(source: HKSource(name: source))
    self.metadata = metadata
  }
}

open class HKSample: HKObject, @unchecked Sendable {
  public let sampleType: HKSampleType
  public let startDate: Date
  public let endDate: Date

  fileprivate init(
    _ type: HKSampleType, _ start: Date, _ end: Date, _ source: String, _ metadata: [String: Any]?
  ) {
    (sampleType, startDate, endDate) = (type, start, end)
    super.init(source, metadata)
  }
}

public final class HKQuantitySample: HKSample, @unchecked Sendable {
  public let quantity: HKQuantity

  public init(
    type: HKQuantityType, quantity: HKQuantity, start: Date, end: Date, source: String,
    metadata: [String: Any]? = nil
  ) {
    self.quantity = quantity
    super.init(type, start, end, source, metadata)
  }
}

public final class HKCategorySample: HKSample, @unchecked Sendable {
  public let value: Int

  public init(
    type: HKCategoryType, value: Int, start: Date, end: Date, source: String,
    metadata: [String: Any]? = nil
  ) {
    self.value = value
    super.init(type, start, end, source, metadata)
  }
}

/// From iOS 18: how pleasant, from -1 to 1.
public final class HKStateOfMind: HKSample, @unchecked Sendable {
  public let valence: Double

  public init(date: Date, valence: Double, source: String) {
    self.valence = valence
    super.init(HKObjectType.stateOfMindType(), date, date, source, nil)
  }
}

public final class HKDeletedObject: Sendable {
  public let uuid: UUID
  fileprivate init(_ uuid: UUID) { self.uuid = uuid }
}

// MARK: - Errors

public struct HKError: Error {
  public enum Code: Int, Sendable {
    case errorHealthDataUnavailable = 1
    case errorHealthDataRestricted = 2
    case errorInvalidArgument = 3
    case errorAuthorizationDenied = 4
    case errorAuthorizationNotDetermined = 5
    case errorDatabaseInaccessible = 6
  }

  public let code: Code
  public init(_ code: Code) { self.code = code }
}

// MARK: - Queries

public struct HKQueryOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
}

/// Apple's keeps its place in the health store; this one counts its changes.
public final class HKQueryAnchor: NSObject, NSSecureCoding, Sendable {
  let change: Int
  init(change: Int) { self.change = change }

  public static var supportsSecureCoding: Bool { true }
  public func encode(with coder: NSCoder) { coder.encode(change, forKey: "change") }
  public init?(coder: NSCoder) { change = coder.decodeInteger(forKey: "change") }
}

open class HKQuery {
  /// Of Apple's predicate only the span is kept: samples that overlap it.
  public final class Span: NSPredicate {
    let start: Date
    let end: Date

    init(_ start: Date?, _ end: Date?) {
      (self.start, self.end) = (start ?? .distantPast, end ?? .distantFuture)
      super.init { _, _ in true }
    }

    required init?(coder: NSCoder) { nil }

    func takes(_ sample: HKSample) -> Bool { sample.startDate < end && sample.endDate >= start }
  }

  public static func predicateForSamples(
    withStart start: Date?, end: Date?, options: HKQueryOptions = []
  ) -> NSPredicate {
    Span(start, end)
  }
}

public typealias HKObserverQueryCompletionHandler = () -> Void

public final class HKObserverQuery: HKQuery, @unchecked Sendable {
  let type: HKSampleType
  let handler: (HKObserverQuery, @escaping HKObserverQueryCompletionHandler, (any Error)?) -> Void

  public init(
    sampleType: HKSampleType, predicate: NSPredicate?,
    updateHandler:
      @escaping (
        HKObserverQuery, @escaping HKObserverQueryCompletionHandler, (any Error)?
      ) -> Void
  ) {
    (type, handler) = (sampleType, updateHandler)
  }
}

public struct HKSamplePredicate<Sample> {
  let type: HKSampleType
  let span: HKQuery.Span?
}

extension HKSamplePredicate where Sample == HKSample {
  public static func sample(type: HKSampleType, predicate: NSPredicate? = nil) -> Self {
    Self(type: type, span: predicate as? HKQuery.Span)
  }
}

extension HKSamplePredicate where Sample == HKQuantitySample {
  public static func quantitySample(type: HKQuantityType, predicate: NSPredicate? = nil) -> Self {
    Self(type: type, span: predicate as? HKQuery.Span)
  }
}

public struct HKAnchoredObjectQueryDescriptor<Sample: HKSample> {
  public struct Result {
    public let addedSamples: [Sample]
    public let deletedObjects: [HKDeletedObject]
    public let newAnchor: HKQueryAnchor
  }

  let predicates: [HKSamplePredicate<Sample>]
  let anchor: HKQueryAnchor?

  public init(
    predicates: [HKSamplePredicate<Sample>], anchor: HKQueryAnchor?, limit: Int? = nil
  ) {
    (self.predicates, self.anchor) = (predicates, anchor)
  }

  public func result(for store: HKHealthStore) async throws -> Result {
    let (added, deleted, change) = try store.changes(
      of: predicates[0].type, predicates[0].span, since: anchor?.change ?? 0)
    return Result(
      addedSamples: added.compactMap { $0 as? Sample },
      deletedObjects: deleted.map(HKDeletedObject.init),
      newAnchor: HKQueryAnchor(change: change))
  }
}

public struct HKSampleQueryDescriptor<Sample: HKSample> {
  let predicates: [HKSamplePredicate<Sample>]

  public init(
    predicates: [HKSamplePredicate<Sample>], sortDescriptors: [SortDescriptor<Sample>],
    limit: Int? = nil
  ) {
    self.predicates = predicates
  }

  public func result(for store: HKHealthStore) async throws -> [Sample] {
    try store.samples(of: predicates[0].type, predicates[0].span).compactMap { $0 as? Sample }
  }
}

public struct HKStatisticsOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let cumulativeSum = HKStatisticsOptions(rawValue: 16)
}

public final class HKStatistics: Sendable {
  public let startDate: Date
  private let sum: HKQuantity?

  fileprivate init(_ start: Date, _ sum: HKQuantity?) { (startDate, self.sum) = (start, sum) }
  public func sumQuantity() -> HKQuantity? { sum }
}

public final class HKStatisticsCollection: Sendable {
  private let all: [HKStatistics]
  fileprivate init(_ all: [HKStatistics]) { self.all = all }
  public func statistics() -> [HKStatistics] { all }
}

/// Sums over days from an anchor on; sources that overlap count once, here the first to come.
public struct HKStatisticsCollectionQueryDescriptor {
  let predicate: HKSamplePredicate<HKQuantitySample>
  let anchorDate: Date

  public init(
    predicate: HKSamplePredicate<HKQuantitySample>, options: HKStatisticsOptions, anchorDate: Date,
    intervalComponents: DateComponents
  ) {
    precondition(intervalComponents.day == 1, "the stand-in sums over days")
    (self.predicate, self.anchorDate) = (predicate, anchorDate)
  }

  public func result(for store: HKHealthStore) async throws -> HKStatisticsCollection {
    var sums: [Int: Double] = [:]
    var taken: [HKSample] = []
    for sample in try store.samples(of: predicate.type, predicate.span) {
      guard let quantity = sample as? HKQuantitySample,
        !taken.contains(where: { $0.startDate < sample.endDate && sample.startDate < $0.endDate })
      else { continue }
      taken.append(sample)
      let day = Int((sample.startDate.timeIntervalSince(anchorDate) / 86_400).rounded(.down))
      sums[day, default: 0] += quantity.quantity.doubleValue(for: .count())
    }
    return HKStatisticsCollection(
      sums.sorted { $0.key < $1.key }.map {
        HKStatistics(
          anchorDate.addingTimeInterval(Double($0.key) * 86_400),
          HKQuantity(unit: .count(), doubleValue: $0.value))
      })
  }
}
