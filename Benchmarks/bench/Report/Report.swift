internal import Diurnal

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A whole run: suites, tables, verdict.
enum Report {
  /// Exit codes: within budget, beyond it.
  static let within: Int32 = 0
  static let beyond: Int32 = 2

  /// Runs what the options ask for, prints it, and tells the exit code.
  static func make(_ options: Options, arguments: [String], machine: Machine) async throws -> Int32
  {
    print(machine.header)
    print("options: \(arguments.isEmpty ? "none" : arguments.joined(separator: " "))\n")
    // What cannot be written is told before the work, which may take an hour.
    let outputs = try BenchOutputs(options)
    Stopwatch.settle()
    var run = try Run(options)
    defer { run.clean() }
    for suite in options.suites {
      try await suite.run(&run)
      run.clearProgress()
    }
    var record = RunRecord(
      machine: machine, command: arguments, results: run.outcomes, growth: run.growth)
    if options.runsPeers {
      let peers = try Peers(beside: run)
      record.rivals = peers.rivals
      run.report("peers", peers.text(run))
      run.report("goals", GoalTable(Goal.all(options), record, peers.rivals).text)
    }
    if let page = outputs.page {
      let provenance = ["run": Page.provenance(machine, options)]
      try Page.fill(page, run.sections.merging(provenance) { section, _ in section })
    }
    try outputs.record?.write(Array(RunRecord.encoder.encode(record)) + Array("\n".utf8))
    if let path = options.comparisonPath {
      print(try Comparison(of: record, withFile: path).text, "\n")
    }
    return try verdict(on: record, options)
  }

  /// The suites and their workloads, one a line.
  static var list: String {
    var table = Table(["suite", "workload", "what it is"], left: [0, 1, 2])
    for suite in SuiteName.allCases {
      table.add([suite.rawValue, "", suite.summary])
      for (name, summary) in suite.workloads { table.add(["", name, summary]) }
    }
    return table.text
  }

  /// Says whether the retrains stay within what a phone grants and, where asked, within the budgets.
  private static func verdict(on record: RunRecord, _ options: Options) throws -> Int32 {
    var code = within
    let shares = record.results.flatMap { outcome in
      [outcome.shareOfRefresh, outcome.shareOfWindow, outcome.shareOfBattery]
        .compactMap { share in share.map { (outcome.key, $0) } }
    }
    if let worst = shares.max(by: { $0.1 < $1.1 }) {
      let fits = worst.1 <= 1
      if !fits { code = beyond }
      print(
        "\(fits ? "Within" : "BEYOND") budget: the dearest retrain (\(worst.0)) takes "
          + "\(Format.share(worst.1)) of its tightest window.")
    }
    guard options.checksBudgets else { return code }
    let path = ReleaseBuild.checkout.appending(path: "Benchmarks/budgets.json").path
    let (sentences, judged) = try Budgets(contentsOf: path)
      .breaches(by: record, isQuick: options.isQuick)
    for sentence in sentences { print("over budget: \(sentence)") }
    print("\(judged - sentences.count) of \(judged) budgets kept.")
    return sentences.isEmpty ? code : beyond
  }
}
