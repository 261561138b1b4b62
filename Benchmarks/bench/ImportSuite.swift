/// An Apple Health export, beside a scanner of its bytes.
enum ImportSuite {
  static let workloads: [(name: String, summary: String)] = [
    ("W10", "an Apple Health export.xml into daily metrics")
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
    guard Raw.writeExport(path, bytes: bytes(run.options), seed: 10) else { return }
    let raw = Contender { _ = Raw.scanExport(path) }
    let samples = try Stopwatch.race([raw], seconds: 0.5, least: 3)
    var outcome = Outcome(suite: .import, workload: "W10", shape: shape)
    outcome.take(samples[0])
    run.add(outcome)
    run.clearProgress()
    print(CoreSuite.table([outcome]), "\n")
  }
}
