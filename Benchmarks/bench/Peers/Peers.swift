#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The rivals on the same data, in the same run.
///
/// Python ones run in a process of their own, once with one thread and once with two; C ones are compiled on the
/// spot. A rival that is not there is named as missing.
struct Peers {
  /// What `peers.py` prints.
  struct Answer: Codable {
    var imports: [String: Double]
    var missing: [String]
    var results: [Rival]
  }

  /// One rival on one workload.
  struct Rival: Codable, Equatable {
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
    /// How far from ours they may be, relative to the largest.
    var within: Double?

    /// Processor time, or elapsed time where there is no other.
    var takenUs: Double { cpuUs ?? medianUs }
  }

  private(set) var rivals: [Rival] = []
  private(set) var missing: [String] = []
  private var imports: [String: Double] = [:]

  /// Runs all rivals of a run's suites.
  init(beside run: Run) throws {
    let data = try PeerData.write(for: run)
    for threads in [1, 2] {
      run.show("rivals, \(Self.count(threads))")
      guard let answer = try Self.python(run, threads: threads) else {
        missing.append(
          "all in Python with \(Self.count(threads)) (peers.py did not run; see --python)")
        break
      }
      take(answer)
    }
    if !data.shapes.isEmpty {
      run.show("glmnet")
      if let answer = GLMNet.run(data, run) {
        take(answer)
      } else {
        missing.append("glmnet (Rscript with its package did not run)")
      }
    }
    if let mine = run.outcomes.first(where: { $0.workload == "W11" }) {
      run.show("pandas and scikit-learn, W11")
      if let rival = Self.wholeProcess(run, shape: mine.shape) {
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
    if data.shapes.contains(where: { $0.name == "L" }) && !data.everything {
      missing.append(PeerData.leftOut)
    }
  }

  private static func count(_ threads: Int) -> String {
    threads == 1 ? "1 thread" : "\(threads) threads"
  }

  private mutating func take(_ answer: Answer) {
    rivals += answer.results
    missing += answer.missing.filter { !missing.contains($0) }
    imports.merge(answer.imports) { first, _ in first }
  }

  /// What keeps a kernel that this process chose for itself from the rivals, whose BLAS chooses its own.
  static func untouchedEnvironment(_ options: Options) -> [String] {
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
      }, within: 1e-4)
  }

  /// Ours beside theirs.
  func text(_ run: Run) -> String {
    var table = Table(
      [
        "rival", "workload", "shape", "ours", "1 thread", "ratio", "2 threads", "ratio",
        "distance <= allowed", "remark",
      ], left: [0, 1, 2, 9])
    let ours = Dictionary(run.outcomes.map { ("\($0.workload) \($0.shape)", $0) }) { first, _ in
      first
    }
    for rival in rivals where rival.threads == 1 {
      let key = "\(rival.workload) \(rival.shape)"
      let mine = ours[key]
      let two = rivals.first {
        $0.threads == 2 && $0.rival == rival.rival && $0.workload == rival.workload
          && $0.shape == rival.shape
      }
      func ratio(_ microseconds: Double?, _ mine: Double?) -> String {
        guard let mine, let microseconds else { return "-" }
        return Format.short(microseconds / mine) + "x"
      }
      func time(_ microseconds: Double?) -> String {
        microseconds.map { Format.time(seconds: $0 * 1e-6) } ?? "-"
      }
      table.add([
        rival.rival, rival.workload, rival.shape, time(mine?.medianUs), time(rival.takenUs),
        ratio(rival.takenUs, mine?.medianUs), time(two?.medianUs),
        ratio(two?.medianUs, mine?.wallUs),
        Self.agreement(rival, run.answers[key]), rival.note ?? "",
      ])
    }
    let loading = imports.filter { $0.value > 1e-3 }.sorted { $0.value > $1.value }
      .map { "\($0.key) \(Format.time(seconds: $0.value))" }.joined(separator: ", ")
    var parts = [
      table.text, "",
      """
      Medians: with one thread of processor time, with two of elapsed time; a ratio is how many times as long as ours
      the rival takes, which has one thread. The distance of the answers is relative to the largest entry.
      """,
    ]
    if !loading.isEmpty {
      parts.append("Import times, not counted above, less what another had loaded: \(loading).")
    }
    if !missing.isEmpty { parts.append("Missing: \(missing.joined(separator: "; ")).") }
    return parts.joined(separator: "\n")
  }

  /// How far the rival's answer is from ours, relative to the largest entry, and how far it may be.
  private static func agreement(_ rival: Rival, _ ours: ContiguousArray<Double>?) -> String {
    guard let found = rival.found, let ours, let within = rival.within else { return "-" }
    guard found.count <= ours.count else { return "ANOTHER SHAPE" }
    let distance = Departure.relative(found, from: ours.suffix(found.count))
    let isSame = distance <= within
    return "\(Format.tiny(distance)) \(isSame ? "<=" : "DIFFERS:") \(Format.tiny(within))"
  }
}
