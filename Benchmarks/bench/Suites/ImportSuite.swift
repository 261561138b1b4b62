internal import DayLog
internal import HealthImport
import Time

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An Apple Health export, beside a scanner of its bytes.
enum ImportSuite {
  static let workloads: [(name: String, summary: String)] = [
    ("W10", "an Apple Health export.xml into daily metrics"),
    ("W10 sums", "the same export into sums by type and day, no rule applied"),
    ("W10 again", "the same export once more, recognised by its content"),
  ]

  /// Bytes of the export.
  static func bytes(_ options: Options) -> Int {
    options.isEverything ? 1_000_000_000 : options.isQuick ? 10_000_000 : 100_000_000
  }

  static func shape(_ options: Options) -> String { "\(bytes(options) / 1_000_000) MB" }

  static func exportPath(_ run: Run) -> String { "\(run.folder)/export.xml" }

  static func run(_ run: inout Run) throws {
    let shape = shape(run.options)
    guard run.wants("W10 \(shape)") else { return }
    run.show("W10 \(shape)")
    let path = exportPath(run)
    let size = bytes(run.options)
    guard try hasRoom(for: size, run), Raw.writeExport(path, bytes: size, seed: 10) else {
      Run.remark("The suite `import` is left out: there is no room for \(shape) in \(run.folder).")
      return
    }
    let options = ImportOptions(now: Instant(seconds: 1_767_254_400))
    Raw.resetPeak()
    let resident = Raw.residentBytes
    let batch = try Self.batch(path, options)
    var outcome = Outcome(suite: .import, workload: "W10", shape: shape)
    outcome.peakBytes = Raw.peakBytes
    outcome.addedBytes = Raw.peakBytes - resident
    let samples = try Stopwatch.race(
      [
        Contender { _ = try Self.batch(path, options) },
        Contender { _ = Raw.scanExport(path) },
      ], seconds: 0.5, least: 5)
    outcome.take(samples[0], limit: samples[1])
    let rate = Double(bytes(run.options)) / samples[0].cpu(0.5)
    outcome.note = "\(Format.memory(bytes: rate)) a CPU-second, \(batch.summary.read) records"
    let sums = try Self.sums(path, shape)
    var again = Outcome(suite: .import, workload: "W10 again", shape: shape)
    let known: Set = [batch.hash]
    let repeated = try Stopwatch.race(
      [Contender { _ = try Importer.read(path: path, options: options, known: known) }],
      seconds: 0.3, least: 5)
    again.take(repeated[0])
    again.note = "the same file, recognised by its content"
    run.add(outcome)
    run.add([sums])
    run.add(again)
    var table = Table(
      [
        "import", "shape", "CPU", "wall", "byte scanner", "ratio", "peak memory", "of it added",
        "remark",
      ],
      left: [0, 1, 8])
    for outcome in [outcome, sums.outcome, again] {
      table.add([
        outcome.workload, outcome.shape, Format.time(seconds: (outcome.medianUs ?? .nan) * 1e-6),
        Format.time(seconds: (outcome.wallUs ?? .nan) * 1e-6),
        outcome.limitUs.map { Format.time(seconds: $0 * 1e-6) } ?? "-",
        outcome.ratioToLimit.map { Format.fixed($0, 2) } ?? "-",
        outcome.peakBytes.map { Format.memory(bytes: $0) } ?? "-",
        outcome.addedBytes.map { Format.memory(bytes: $0) } ?? "-", outcome.note ?? "",
      ])
    }
    run.report("import", table.text)
  }

  /// The scanner alone: what programs over an XML library do too.
  private static func sums(_ path: String, _ shape: String) throws -> Measured {
    let sums = try HealthSums(path: path)
    var measured = Measured(
      outcome: Outcome(suite: .import, workload: "W10 sums", shape: shape))
    let samples = try Stopwatch.race(
      [
        Contender { _ = try HealthSums(path: path) },
        Contender { _ = Raw.scanExport(path) },
      ], seconds: 0.5, least: 5)
    measured.outcome.take(samples[0], limit: samples[1])
    measured.outcome.note = "sums by type and day, as programs over an XML library work them out"
    measured.answer = [Double(sums.recordCount), sums.total]
    return measured
  }

  /// Whether the disk has room for an export, and for what a rival makes of it.
  private static func hasRoom(for bytes: Int, _ run: Run) throws -> Bool {
    let system = try FileManager.default.attributesOfFileSystem(forPath: run.folder)
    guard let free = system[.systemFreeSize] as? any BinaryInteger else { return true }
    return Double(free) > Double(run.options.runsPeers ? 3 * bytes : bytes) + 5e8
  }

  /// The days of an export.
  static func batch(_ path: String, _ options: ImportOptions) throws -> ImportBatch {
    switch try Importer.read(path: path, options: options) {
    case .read(let batch): return batch
    case .known: throw Unexpected()
    }
  }

  struct Unexpected: Error, CustomStringConvertible {
    var description: String { "a file was taken for one imported before" }
  }
}
