#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The rivals on the same data, in the same run.
///
/// Python ones run in a process of their own, once with one thread and once with two; C ones are compiled on the
/// spot. A rival that is not there is named as missing.
enum Peers {
  /// What `peers.py` prints.
  struct Answer: Codable {
    var imports: [String: Double]
    var missing: [String]
    var results: [Rival]
  }

  /// One rival on one workload.
  struct Rival: Codable {
    var workload: String
    var shape: String
    var rival: String
    var threads: Int
    var medianUs: Double
    var minUs: Double
    var cpuUs: Double?
    var samples: Int
    var note: String?
    /// Coefficients, losses or sums, to compare with ours.
    var found: [Double]?
  }

  /// Runs all rivals of the run's suites and tells what is to be printed.
  static func race(_ run: Run) throws -> String {
    let data = try PeerData.write(for: run)
    var rivals: [Rival] = []
    var missing: [String] = []
    var imports: [String: Double] = [:]
    for threads in [1, 2] {
      run.show("rivals, \(threads) thread\(threads == 1 ? "" : "s")")
      guard let answer = try python(run, threads: threads) else {
        missing.append("everything in Python (\(run.options.python) did not run peers.py)")
        break
      }
      rivals += answer.results
      missing += answer.missing.filter { !missing.contains($0) }
      imports.merge(answer.imports) { first, _ in first }
    }
    if !data.shapes.isEmpty {
      run.show("glmnet")
      if let answer = GLMNet.run(data, run) {
        rivals += answer.results
        imports.merge(answer.imports) { first, _ in first }
      } else {
        missing.append("glmnet (Rscript with its package did not run)")
      }
    }
    if let mine = run.outcomes.first(where: { $0.workload == "W11" }) {
      run.show("pandas and scikit-learn, W11")
      if let rival = wholeProcess(run, shape: mine.shape) {
        rivals.append(rival)
      } else {
        missing.append("pandas + scikit-learn as a process (whole_process.py did not run)")
      }
    }
    if let export = data.export {
      for program in XMLProgram.all {
        run.show(program.name)
        guard let rival = program.run(export, folder: run.folder) else {
          missing.append("\(program.name) (its C program did not build or run)")
          continue
        }
        rivals.append(rival)
      }
    }
    run.clearProgress()
    return text(run, rivals, imports: imports, missing: missing)
  }

  /// What keeps a kernel that this process chose for itself from the rivals, whose BLAS chooses its own.
  fileprivate static func untouchedEnvironment(_ options: Options) -> [String] {
    options.kernelIsAsked ? ["env"] : ["env", "-u", "OPENBLAS_CORETYPE"]
  }

  private static func python(_ run: Run, threads: Int) throws -> Answer? {
    let script = ReleaseBuild.checkout.appending(path: "Benchmarks/peers/peers.py").path
    let output = "\(run.folder)/peers-\(threads).json"
    let child = Raw.run(
      untouchedEnvironment(run.options) + [
        run.options.python, script, run.folder, "--threads", "\(threads)",
      ],
      output: output)
    guard child?.exitCode == 0 else { return nil }
    return try RunRecord.decoder.decode(Answer.self, from: Data(contentsOf: URL(filePath: output)))
  }

  /// W11 in pandas and scikit-learn: a process of its own, whose imports count as they do for anybody.
  private static func wholeProcess(_ run: Run, shape: String) -> Rival? {
    let script = ReleaseBuild.checkout.appending(path: "Benchmarks/peers/whole_process.py").path
    var samples = Samples()
    var peak = 0.0
    for _ in 0..<3 {
      let child = Raw.run(
        untouchedEnvironment(run.options) + [
          run.options.python, script, ProcessSuite.storePath(run.folder),
          "\(run.folder)/model.pickle",
        ], output: "\(run.folder)/w11-rival.txt")
      guard let child, child.exitCode == 0 else { return nil }
      samples.add(child.time)
      peak = max(peak, child.peakBytes)
    }
    return Rival(
      workload: "W11", shape: shape, rival: "pandas + scikit-learn", threads: 1,
      medianUs: samples.wall(0.5) * 1e6, minUs: samples.wall(0) * 1e6,
      cpuUs: samples.cpu(0.5) * 1e6, samples: samples.count,
      note: "a process of its own, imports included, \(Format.memory(bytes: peak))",
      found: OptionalText.read("\(run.folder)/w11-rival.txt").map {
        Array(WholeProcess.predictions($0))
      })
  }

  private static func text(
    _ run: Run, _ rivals: [Rival], imports: [String: Double], missing: [String]
  ) -> String {
    var table = Table(
      [
        "rival", "workload", "shape", "ours", "1 thread", "ratio", "2 threads", "ratio",
        "same answer to", "remark",
      ], left: [0, 1, 2, 9])
    let ours = Dictionary(run.outcomes.map { ("\($0.workload) \($0.shape)", $0) }) { first, _ in
      first
    }
    for rival in rivals where rival.threads == 1 {
      let key = "\(rival.workload) \(rival.shape)"
      let mine = ours[key].flatMap(\.wallUs)
      let two = rivals.first {
        $0.threads == 2 && $0.rival == rival.rival && $0.workload == rival.workload
          && $0.shape == rival.shape
      }
      func ratio(_ microseconds: Double?) -> String {
        guard let mine, let microseconds else { return "-" }
        return Format.short(microseconds / mine) + "x"
      }
      func time(_ microseconds: Double?) -> String {
        microseconds.map { Format.time(seconds: $0 * 1e-6) } ?? "-"
      }
      table.add([
        rival.rival, rival.workload, rival.shape, time(mine), time(rival.medianUs),
        ratio(rival.medianUs), time(two?.medianUs), ratio(two?.medianUs),
        agreement(rival, run.answers[key]), rival.note ?? "",
      ])
    }
    let loading = imports.sorted { $0.value > $1.value }
      .map { "\($0.key) \(Format.time(seconds: $0.value))" }.joined(separator: ", ")
    var parts = [
      table.text, "",
      "Times are medians of elapsed time; a rival's ratio says how many times ours it takes.",
    ]
    if !loading.isEmpty { parts.append("Import times, not counted above: \(loading).") }
    if !missing.isEmpty { parts.append("Missing: \(missing.joined(separator: "; ")).") }
    return parts.joined(separator: "\n") + "\n"
  }

  /// How far the rival's answer is from ours, relative to the largest entry.
  private static func agreement(_ rival: Rival, _ ours: ContiguousArray<Double>?) -> String {
    guard let found = rival.found, let ours else { return "-" }
    guard found.count <= ours.count else { return "another shape" }
    return Format.tiny(Departure.relative(found, from: ours.suffix(found.count)))
  }
}

/// The package glmnet of R, which runs with one thread.
private enum GLMNet {
  static func run(_ data: PeerData, _ run: Run) -> Peers.Answer? {
    let script = ReleaseBuild.checkout.appending(path: "Benchmarks/peers/glmnet.R").path
    let output = "\(run.folder)/glmnet.txt"
    let shapes = data.shapes.filter { $0.name != "L" || run.options.isEverything }
      .map { "\($0.name):\($0.rows):\($0.columns)" }
    let child = Raw.run(
      Peers.untouchedEnvironment(run.options) + ["Rscript", script, run.folder] + shapes,
      output: output)
    guard child?.exitCode == 0,
      let text = OptionalText.read(output)
    else { return nil }
    var answer = Peers.Answer(imports: [:], missing: [], results: [])
    for line in text.split(separator: "\n") {
      let words = line.split(separator: "\t", omittingEmptySubsequences: false)
        .map(String.init)
      if words.count == 1, let seconds = line.split(separator: " ").last.flatMap({ Double($0) }) {
        answer.imports["glmnet"] = seconds
      }
      guard words.count == 9, data.measured.contains("\(words[0]) \(words[1])"),
        let median = Double(words[3]), let least = Double(words[4]), let cpu = Double(words[5]),
        let count = Int(words[6])
      else { continue }
      answer.results.append(
        Peers.Rival(
          workload: words[0], shape: words[1], rival: words[2], threads: 1, medianUs: median * 1e6,
          minUs: least * 1e6, cpuUs: cpu * 1e6, samples: count,
          note: words[7] == "-" ? nil : words[7],
          found: words[8].isEmpty ? nil : words[8].split(separator: " ").compactMap { Double($0) }))
    }
    return answer
  }
}

/// A C program over an XML library that sums records by type and day.
private struct XMLProgram {
  let name: String
  let source: String
  let flags: String

  static let all = [
    XMLProgram(
      name: "libxml2 SAX (C)", source: "libxml2.c",
      flags: "$(pkg-config --cflags --libs libxml-2.0)"),
    XMLProgram(name: "expat (C)", source: "expat.c", flags: "-lexpat"),
  ]

  /// Builds and runs it three times; nil where that does not work.
  func run(_ export: PeerData.Export, folder: String) -> Peers.Rival? {
    let path = ReleaseBuild.checkout.appending(path: "Benchmarks/peers/\(source)").path
    let program = "\(folder)/\(source).out"
    let build = Raw.run(["sh", "-c", "cc -O2 '\(path)' \(flags) -o '\(program)' 2>/dev/null"])
    guard build?.exitCode == 0 else { return nil }
    var samples = Samples()
    for _ in 0..<3 {
      guard let child = Raw.run([program, export.path], output: "\(program).txt"),
        child.exitCode == 0
      else { return nil }
      samples.add(child.time)
    }
    guard let text = OptionalText.read("\(program).txt") else { return nil }
    let found = text.split(separator: " ").compactMap { Double($0.filter { !$0.isWhitespace }) }
    return Peers.Rival(
      workload: "W10 sums", shape: export.shape, rival: name, threads: 1,
      medianUs: samples.wall(0.5) * 1e6,
      minUs: samples.wall(0) * 1e6, cpuUs: samples.cpu(0.5) * 1e6, samples: samples.count,
      note: "a process of its own", found: found)
  }
}
