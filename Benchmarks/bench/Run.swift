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

/// A run in progress: what was asked for, what has come out.
struct Run {
  let options: Options
  private(set) var outcomes: [Outcome] = []
  private(set) var growth: [Growth] = []
  /// What ours found, by workload and shape, for the rivals to be checked against.
  private(set) var answers: [String: ContiguousArray<Double>] = [:]
  /// What has been printed, by the name that the page has for it.
  private(set) var sections: [String: String] = [:]
  /// A folder for what a suite writes, empty at first and removed at the end.
  let folder: String
  private let start = Raw.wallSeconds

  init(_ options: Options) throws {
    self.options = options
    let place = FileManager.default.temporaryDirectory
      .appending(path: "diurnal-bench-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    folder = place.path
  }

  /// Whether a scenario of this name was asked for.
  func wants(_ name: String) -> Bool {
    guard let filter = options.scenario else { return true }
    return name.lowercased().contains(filter.lowercased())
  }

  /// Shows on a terminal what is being measured.
  func show(_ name: String) {
    guard isatty(2) == 1 else { return }
    let seconds = Format.fixed(Raw.wallSeconds - start, 0)
    Self.remark("\r\u{1B}[K\(seconds) s  \(name)", terminator: "")
  }

  /// Clears the line of progress.
  func clearProgress() {
    if isatty(2) == 1 { Self.remark("\r\u{1B}[K", terminator: "") }
  }

  mutating func add(_ outcome: Outcome) { outcomes.append(outcome) }
  mutating func add(_ measured: [Measured]) {
    for one in measured {
      outcomes.append(one.outcome)
      answers["\(one.outcome.workload) \(one.outcome.shape)"] = one.answer
    }
  }
  mutating func add(_ curve: Growth) { growth.append(curve) }

  /// Prints a table, and keeps it for the page.
  mutating func report(_ section: String, _ text: String) {
    clearProgress()
    print(text + "\n")
    sections[section] = text
  }

  /// Removes what the suites wrote.
  func clean() {
    do { try FileManager.default.removeItem(atPath: folder) } catch {
      Self.remark("The folder \(folder) could not be removed.")
    }
  }

  /// A line to standard error.
  static func remark(_ text: String, terminator: String = "\n") {
    Raw.write(text + terminator, to: 2)
  }
}
