#if canImport(HealthKit)
  internal import DayLog
  internal import Foundation
  public import HealthKit

  /// A type of HealthKit that becomes a metric of the journal.
  public struct HealthKitType: Hashable, Sendable {
    enum Kind: Hashable {
      /// A total of the day, which HealthKit sums over devices that overlap.
      case total
      /// Samples with a value in this unit.
      case measured(unit: String)
      case sleep
      /// A symptom, by its severity.
      case symptom
      case stateOfMind
    }

    let kind: Kind
    /// What the journal calls it.
    let metric: Metric
    /// What an export of the health app calls it.
    let exportName: String

    private init(_ kind: Kind, _ exportName: String, _ metric: Metric) {
      (self.kind, self.exportName, self.metric) = (kind, exportName, metric)
    }

    /// Steps, as HealthKit sums them over phone and watch.
    public static let steps = HealthKitType(.total, "HKQuantityTypeIdentifierStepCount", .steps)
    /// Nights and their stages.
    public static let sleep = HealthKitType(
      .sleep, "HKCategoryTypeIdentifierSleepAnalysis", .sleepHours)
    /// The resting heart rate.
    public static let restingHeartRate = HealthKitType(
      .measured(unit: "count/min"), "HKQuantityTypeIdentifierRestingHeartRate", .restingHeartRate)
    /// Heart-rate variability, as SDNN.
    public static let heartRateVariability = HealthKitType(
      .measured(unit: "ms"), "HKQuantityTypeIdentifierHeartRateVariabilitySDNN", .hrv)
    /// How pleasant the person found a moment or a day, -1 to 1.
    public static let stateOfMind = HealthKitType(
      .stateOfMind, "HKCategoryTypeIdentifierStateOfMind", Self.metric("mood_valence"))

    /// The symptoms that HealthKit grades by severity.
    public static let symptoms: [HealthKitType] = [
      ("AbdominalCramps", "abdominal_cramps"), ("Bloating", "bloating"), ("Coughing", "coughing"),
      ("Dizziness", "dizziness"), ("Fatigue", "fatigue"), ("Headache", "headache"),
      ("Heartburn", "heartburn"), ("LowerBackPain", "lower_back_pain"), ("Nausea", "nausea"),
      ("ShortnessOfBreath", "shortness_of_breath"), ("SoreThroat", "sore_throat"),
    ].map { type, name in
      HealthKitType(
        .symptom, "HKCategoryTypeIdentifier" + type, Self.metric("symptom." + name))
    }

    /// All of them.
    public static let all =
      [steps, sleep, restingHeartRate, heartRateVariability, stateOfMind] + symptoms

    private static func metric(_ name: String) -> Metric {
      guard let metric = Metric(name) else { preconditionFailure("a metric's name") }
      return metric
    }

    /// The type as HealthKit knows it.
    public var sampleType: HKSampleType {
      switch kind {
      case .total, .measured: HKQuantityType(HKQuantityTypeIdentifier(rawValue: exportName))
      case .sleep, .symptom: HKCategoryType(HKCategoryTypeIdentifier(rawValue: exportName))
      case .stateOfMind: HKObjectType.stateOfMindType()
      }
    }
  }

  extension HealthKitType {
    /// The value of a sample as an export of the health app writes it; nil for one of another type, or whose value has
    /// no name.
    func exportText(of sample: HKSample) -> String? {
      switch (kind, sample) {
      case (.measured(let unit), let sample as HKQuantitySample):
        return "\(sample.quantity.doubleValue(for: HKUnit(from: unit)))"
      case (.sleep, let sample as HKCategorySample):
        let stages = [
          "InBed", "AsleepUnspecified", "Awake", "AsleepCore", "AsleepDeep", "AsleepREM",
        ]
        return stages.indices.contains(sample.value)
          ? "HKCategoryValueSleepAnalysis" + stages[sample.value] : nil
      case (.symptom, let sample as HKCategorySample):
        let grades = ["Unspecified", "NotPresent", "Mild", "Moderate", "Severe"]
        return grades.indices.contains(sample.value)
          ? "HKCategoryValueSeverity" + grades[sample.value] : nil
      case (.stateOfMind, let sample as HKStateOfMind):
        return "\(sample.valence)"
      default:
        return nil
      }
    }

    /// The unit as an export writes it.
    var exportUnit: String? {
      if case .measured(let unit) = kind { unit } else { nil }
    }
  }
#endif
