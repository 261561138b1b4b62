#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Joules of work: from a counter where one moves, else from a model that states its watts.
enum Energy: Equatable {
  /// A counter of the whole processor package, from which the idle watts are taken off.
  case counter(name: String, idleWatts: Double)
  /// Processor seconds times these watts.
  case model(watts: Double)

  /// Looks for a counter that moves over a busy moment; one that stands still is none.
  static func find(modelWatts: Double) -> Energy {
    for name in ["perf power/energy-pkg", "powercap"] {
      guard let before = reading(name) else { continue }
      let start = Raw.wallSeconds
      while Raw.wallSeconds - start < 0.05 {}
      guard let after = reading(name), after > before else { continue }
      let idleStart = Raw.wallSeconds
      usleep(200_000)
      guard let rested = reading(name), rested >= after else { continue }
      return .counter(name: name, idleWatts: (rested - after) / (Raw.wallSeconds - idleStart))
    }
    return .model(watts: modelWatts)
  }

  /// The counter's joules now; nil where nothing is measured.
  var joulesNow: Double? {
    if case .counter(let name, _) = self { Self.reading(name) } else { nil }
  }

  /// What work cost, from the counter before and after it or from its times.
  func joules(_ time: Sample, before: Double?, after: Double?) -> Double {
    switch self {
    case .counter(_, let idleWatts):
      max(0, (after ?? 0) - (before ?? 0) - idleWatts * time.wall)
    case .model(let watts): watts * time.cpu
    }
  }

  /// What a table says of its column of joules.
  var caption: String {
    switch self {
    case .counter(let name, let watts):
      "energy: measured by \(name), idle \(Format.short(watts)) W taken off"
    case .model(let watts):
      "energy: a model, not measured (no counter moves here): processor seconds x \(Format.short(watts)) W"
    }
  }

  private static func reading(_ name: String) -> Double? {
    guard name == "powercap" else { return Raw.joules }
    guard let text = OptionalText.read("/sys/class/powercap/intel-rapl:0/energy_uj") else {
      return nil
    }
    return Double(text.filter { !$0.isWhitespace }).map { $0 * 1e-6 }
  }
}
