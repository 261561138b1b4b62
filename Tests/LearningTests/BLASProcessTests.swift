import Foundation
import TestSupport
import Testing

@testable import Learning
@testable import LinearAlgebra

/// What can be seen of the BLAS library only in a process that has just begun: `Tests/BLASProbe`.
@Suite struct `A process that prepares the BLAS library` {
  struct Probe {
    let status: Int32
    /// The first value of each word.
    let facts: [String: String]
    /// The intercept and the coefficients of its model.
    let values: ContiguousArray<Double>

    /// Runs the program beside the tests with these variables, and waits for its end.
    init(_ environment: [String: String] = [:], _ words: String...) throws {
      let process = Process()
      process.executableURL = URL(filePath: CommandLine.arguments[0])
        .resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "blasprobe")
      process.arguments = words
      // What a sanitizer was told holds for the program too; nothing else of the surroundings does.
      process.environment = ProcessInfo.processInfo.environment
        .filter { $0.key.hasSuffix("SAN_OPTIONS") }.merging(environment) { $1 }
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      status = process.terminationStatus
      let lines = output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
      facts = Dictionary(lines.map { ($0[0], $0.last ?? "") }) { first, _ in first }
      values = ContiguousArray(
        lines.filter { $0[0] == "value" }.compactMap { UInt64($0[1]) }.map(Double.init(bitPattern:))
      )
    }
  }

  @Test func `BLS_1: has one BLAS thread, whatever the environment asks for`() throws {
    let one = try Probe(["OPENBLAS_NUM_THREADS": "1"])
    for environment in [["OPENBLAS_NUM_THREADS": "8"], ["OMP_NUM_THREADS": "8"], [:]] {
      let probe = try Probe(environment)
      #expect(probe.status == 0)
      #expect(probe.facts["threads"] == "1")
      #expect(probe.facts["again"] == "true")
      #expect(probe.facts["one-thread"] == "true")
      #if os(Linux)
        // The library's own worker, which would spin between calls, is gone; the thread sanitizer has a
        // thread of its own once there was a second one.
        let isWatched = ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil
        #expect(["1", isWatched ? "2" : "1"].contains(probe.facts["tasks"]))
      #endif
      #expect(probe.values.count == 61)
      #expect(probe.values == one.values)
    }
  }

  @Test func `BLS_2: may be started after a BLAS call, and ends`() throws {
    let rows = try RandomRows(seed: 2, rowCount: 300, featureCount: 80)
    _ = try RidgeRegression().fit(rows.features, target: rows.target)
    #expect(try Probe().status == 0)
    // A child that has only been forked would inherit locks whose holders it has not.
    for folder in ["Sources", "Benchmarks"] {
      let root = SharedData.checkout.appending(path: folder)
      for name in try FileManager.default.subpathsOfDirectory(atPath: root.path)
      where name.hasSuffix(".swift") || name.hasSuffix(".c") || name.hasSuffix(".h") {
        let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
        #expect(!text.contains("fork()"), "\(folder)/\(name)")
      }
    }
  }

  @Test func `BLS_3: gives the same weights with every kernel, to rounding`() throws {
    let fitting = try Probe()
    let level = BLASLibrary.vectorLevel
    for (kernel, needs) in [
      ("Prescott", 0), ("Nehalem", 0), ("Sandybridge", 1), ("Haswell", 2), ("SkylakeX", 3),
    ]
    where needs <= level {
      let probe = try Probe(["OPENBLAS_CORETYPE": kernel])
      #expect(probe.status == 0)
      // Somebody who names a kernel gets it.
      #expect(probe.facts["kernel"] == probe.facts["detected"])
      // κ of these equations is below 1e3.
      #expect(agree(probe.values, fitting.values, within: 64 * .ulpOfOne * 1e3))
    }
  }

  @Test func `leaves a kernel that was detected wrongly, and computes the same with the right one`()
    throws
  {
    let fitting = try Probe()
    #expect(fitting.facts["solver"] == "cholesky")
    let changed = try Probe(["OPENBLAS_CORETYPE": "Prescott"], "--forget-choice")
    #expect(changed.status == 0)
    let better = try #require(changed.facts["better"])
    // A library with one kernel only has nothing to change to.
    guard changed.facts["detected"] == "Prescott", better != "-" else { return }
    #expect(changed.facts["kernel"] == better)
    #expect(agree(changed.values, fitting.values, within: 64 * .ulpOfOne * 1e3))
    let named = try Probe(["OPENBLAS_CORETYPE": better])
    #expect(changed.values == named.values)
  }
}
