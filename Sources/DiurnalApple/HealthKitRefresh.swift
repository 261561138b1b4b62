#if canImport(HealthKit)
  internal import DayLog
  internal import Diurnal
  internal import Foundation
  internal import HealthImport
  public import HealthKit
  internal import Storage
  internal import Synchronization
  public import Time

  /// Keeps a journal up to date with HealthKit: wakes with the phone's own deliveries, reads the days that changed, and
  /// merges them as an import of the same samples would.
  ///
  /// Reading happens on delivery, while the phone is unlocked; training reads the journal and works on a locked phone.
  /// The app has HealthKit's capability with background delivery, and says in Info.plist why it reads
  /// (`NSHealthShareUsageDescription`): without that the system ends it.
  ///
  /// Source: Apple's *Executing Observer Queries* and the reference of `HKAnchoredObjectQueryDescriptor`.
  public final class HealthKitRefresh: Sendable {
    /// What came of reading one type.
    public enum Outcome: Hashable, Sendable {
      /// So many days were read again; none where nothing had changed.
      case read(days: Int)
      /// There has never been a sample. The person may have refused to let them be read: the system tells no app which.
      case nothingOrRefused
      /// The phone is locked and its health store closed: the next delivery brings what is missed now.
      case locked
      /// Reading failed for another reason, which holds no value.
      case failed(reason: String)
    }

    /// How far back days are read at first.
    public static let history = 730
    /// A deletion does not tell when the sample was: so many days are read again.
    public static let deletionReach = 35

    private let host: JournalHost
    private let types: [HealthKitType]
    private let zone: Zone
    private let now: @Sendable () -> Instant
    private let health: HKHealthStore
    private let told: @Sendable (HealthKitType, Outcome) -> Void

    private static let space = "healthkit"

    /// A refresh of these types.
    ///
    /// - Parameters:
    ///   - zone: where samples that do not name their zone were taken.
    ///   - told: what came of each reading that a delivery began.
    public init(
      _ host: JournalHost, types: [HealthKitType] = HealthKitType.all, zone: Zone,
      now: @escaping @Sendable () -> Instant, health: HKHealthStore = HKHealthStore(),
      told: @escaping @Sendable (HealthKitType, Outcome) -> Void = { _, _ in }
    ) {
      self.host = host
      self.types = types
      self.zone = zone
      self.now = now
      self.health = health
      self.told = told
    }

    /// Asks the person, once, to let the types be read. The answer stays with the system.
    ///
    /// - Throws: what the system throws.
    public func requestPermission() async throws {
      try await health.requestAuthorization(toShare: [], read: Set(types.map(\.sampleType)))
    }

    /// Begins to observe every type: call it while the app launches, also when the system launched it, or deliveries end.
    ///
    /// - Throws: what the system throws where the entitlement for background delivery is missing; what could be observed
    ///   is.
    public func start() async throws {
      for type in types {
        health.execute(
          HKObserverQuery(sampleType: type.sampleType, predicate: nil) {
            [weak self] _, answer, error in
            let answer = Answer(give: answer)
            guard let self, error == nil else { return answer.give() }
            Task {
              self.told(type, await self.refresh(type))
              // On every way out: after three answers missed the system delivers no more.
              answer.give()
            }
          })
      }
      for type in types {
        // Steps are delivered at most hourly.
        try await health.enableBackgroundDelivery(for: type.sampleType, frequency: .hourly)
      }
    }

    /// Reads what changed of every type since it was read last.
    public func refresh() async -> [HealthKitType: Outcome] {
      var outcomes: [HealthKitType: Outcome] = [:]
      for type in types { outcomes[type] = await refresh(type) }
      return outcomes
    }

    /// Reads what changed of one type. A reading that fails changes nothing and is made up for by the next.
    public func refresh(_ type: HealthKitType) async -> Outcome {
      do {
        return try await host.whileOpen { try await self.read(type, into: $0) }
      } catch let error as HKError where error.code == .errorDatabaseInaccessible {
        return .locked
      } catch let error as HKError {
        return .failed(reason: "HealthKit's error \(error.code.rawValue)")
      } catch {
        return .failed(reason: "\(error)")
      }
    }

    private func read(_ type: HealthKitType, into journal: Journal) async throws -> Outcome {
      let now = now()
      let held = try await journal.store.records(in: Self.space)[type.exportName]
      let anchor = try held.flatMap {
        try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: Data($0))
      }
      let beginning = Date(milliseconds: now.milliseconds)
        .addingTimeInterval(-86_400 * Double(Self.history))
      let changes = try await HKAnchoredObjectQueryDescriptor(
        predicates: [
          .sample(
            type: type.sampleType,
            predicate: HKQuery.predicateForSamples(withStart: beginning, end: nil))
        ], anchor: anchor
      ).result(for: health)
      // Without an anchor the next reading begins at the beginning: leave may be given by then.
      if held == nil, changes.addedSamples.isEmpty { return .nothingOrRefused }
      let newAnchor = try NSKeyedArchiver.archivedData(
        withRootObject: changes.newAnchor, requiringSecureCoding: true)

      var days = 0
      if let span = span(of: changes, now) {
        let dayStart = try await journal.store.value(of: .dayStart)
        let read = try await entries(type, in: span, dayStart: dayStart, now)
        let gone =
          changes.deletedObjects.isEmpty
          ? [] : try await removals(type, in: span, but: read, journal, now)
        _ = try await journal.store.merge(read + gone)
        days = Set((read + gone).map(\.key.day)).count
      }
      // After the days: a process that ends in between reads them again.
      try await journal.store.updateRecords(in: Self.space) {
        $0[type.exportName] = [UInt8](newAnchor)
      }
      return .read(days: days)
    }

    /// The days that changes touch, and one on either side; nil for no change.
    private func span(
      of changes: HKAnchoredObjectQueryDescriptor<HKSample>.Result, _ now: Instant
    ) -> ClosedRange<CalendarDay>? {
      var days = changes.addedSamples.flatMap {
        [zone.day(of: Instant($0.startDate)), zone.day(of: Instant($0.endDate))]
      }
      if !changes.deletedObjects.isEmpty {
        let today = zone.day(of: now)
        days += [today, CalendarDay(number: today.number - Self.deletionReach)]
      }
      guard let first = days.min(), let last = days.max() else { return nil }
      return CalendarDay(number: first.number - 1)...CalendarDay(number: last.number + 1)
    }

    /// What HealthKit says now of these days.
    private func entries(
      _ type: HealthKitType, in span: ClosedRange<CalendarDay>, dayStart: Int, _ now: Instant
    ) async throws -> [Entry] {
      let entries =
        type.kind == .total
        ? try await totals(type, in: span, dayStart: dayStart, now)
        : try await samples(type, in: span, dayStart: dayStart, now)
      return entries.filter { span.contains($0.key.day) }
    }

    /// The samples of the days and of two on either side, whole nights and all, folded as a file of them is.
    private func samples(
      _ type: HealthKitType, in span: ClosedRange<CalendarDay>, dayStart: Int, _ now: Instant
    ) async throws -> [Entry] {
      let samples = try await HKSampleQueryDescriptor<HKSample>(
        predicates: [.sample(type: type.sampleType, predicate: predicate(around: span))],
        sortDescriptors: []
      ).result(for: health)
      var export = HealthKitExport(of: type, at: now, in: zone)
      for sample in samples { export.add(sample) }
      guard export.count > 0 else { return [] }
      let options = ImportOptions(
        now: now, format: "apple-health", zoneNamed: SystemZones.offsets(named:), localZone: zone,
        dayStart: dayStart)
      return try Importer.read(bytes: export.bytes, name: "HealthKit", options: options).entries
    }

    /// The totals of days, as HealthKit sums them over devices.
    private func totals(
      _ type: HealthKitType, in span: ClosedRange<CalendarDay>, dayStart: Int, _ now: Instant
    ) async throws -> [Entry] {
      guard let quantity = type.sampleType as? HKQuantityType else { return [] }
      // The beginning of the first day by the clock on the wall, from which the system counts calendar days.
      let first = Int64(span.lowerBound.number) * 86_400 + Int64(dayStart)
      let offset = zone.utcOffset(at: Instant(seconds: first))
      let anchor = Date(timeIntervalSince1970: Double(first - Int64(offset)))
      let statistics = try await HKStatisticsCollectionQueryDescriptor(
        predicate: .quantitySample(type: quantity, predicate: predicate(around: span)),
        options: .cumulativeSum, anchorDate: anchor, intervalComponents: DateComponents(day: 1)
      ).result(for: health)
      return statistics.statistics().compactMap { day in
        guard let sum = day.sumQuantity() else { return nil }
        return Entry(
          key: EntryKey(
            day: zone.day(of: Instant(day.startDate), dayStart: dayStart), metric: type.metric,
            source: Source(.imported, "apple-health")),
          asOf: now, value: sum.doubleValue(for: .count()))
      }
    }

    private func predicate(around span: ClosedRange<CalendarDay>) -> NSPredicate {
      HKQuery.predicateForSamples(
        withStart: Date(timeIntervalSince1970: Double(span.lowerBound.number - 2) * 86_400),
        end: Date(timeIntervalSince1970: Double(span.upperBound.number + 3) * 86_400))
    }

    /// What the journal holds of these days from the health app and HealthKit has no more.
    private func removals(
      _ type: HealthKitType, in span: ClosedRange<CalendarDay>, but read: [Entry],
      _ journal: Journal, _ now: Instant
    ) async throws -> [Entry] {
      let kept = Set(read.map(\.key))
      return try await journal.store.entries(from: span.lowerBound, to: span.upperBound).filter {
        $0.key.metric == type.metric && $0.value != nil && !kept.contains($0.key)
          && $0.key.source.origin == .imported && $0.key.source.name.hasPrefix("apple-health")
      }.map { Entry(key: $0.key, asOf: now, value: nil) }
    }
  }

  /// The completion handler of an observer, which may be called on any thread although its type does not say so.
  private struct Answer: @unchecked Sendable {
    let give: () -> Void
  }
#endif
