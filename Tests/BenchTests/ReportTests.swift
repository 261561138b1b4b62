import Foundation
import Testing

@testable import bench

@Suite struct OptionsTests {
  @Test func `options are read with a value after them or after a sign`() throws {
    let options = try Options(["--suite", "core", "--json=out.json", "--window", "300", "--quick"])
    #expect(options.suites == [.core])
    #expect(options.jsonPath == "out.json")
    #expect(options.processingWindow == 300)
    #expect(options.isQuick)
  }

  @Test(arguments: [
    ["--suite", "cores"], ["--window", "-1"], ["--window"], ["--frobnicate"], ["--quick", "--all"],
  ])
  func `wrong usage is told in a sentence`(arguments: [String]) {
    #expect(throws: Options.Wrong.self) { try Options(arguments) }
  }

  @Test func `suites run in their own order whatever was named first`() throws {
    let options = try Options(["--suite", "store", "--suite", "core"])
    #expect(options.suites == [.core, .store])
  }
}

@Suite struct StatisticsTests {
  @Test func `a quantile lies between its neighbours by proportion`() {
    #expect(Samples.quantile(0.5, of: [4, 1, 3, 2]) == 2.5)
    #expect(Samples.quantile(0, of: [4, 1, 3]) == 1)
    #expect(Samples.quantile(1, of: [4, 1, 3]) == 4)
    #expect(Samples.quantile(0.5, of: []).isNaN)
  }

  @Test func `the exponent of a power law is found`() {
    let sizes = [10.0, 100, 1000]
    #expect(abs(Growth.slope(sizes, sizes.map { 3 * $0 * $0 }) - 2) < 1e-12)
    #expect(abs(Growth.slope(sizes, [7, 7, 7])) < 1e-12)
    #expect(Growth.slope([1], [1]).isNaN)
  }

  @Test func `race keeps a sample of each contender per round`() throws {
    let contender = Contender { () throws -> Sample in Sample(wall: 1e-6, cpu: 2e-6) }
    let samples = try Stopwatch.race([contender, contender], seconds: 0, least: 7)
    #expect(samples.map(\.count) == [7, 7])
    #expect(samples[0].cpu(0.5) == 2e-6)
  }

  @Test(arguments: [
    (1234.5, 0, "1235"), (0.05, 2, "0.05"), (-0.004, 2, "0.00"), (2.5, 1, "2.5"),
    (-1.26, 1, "-1.3"),
  ])
  func `numbers keep their digits`(value: Double, digits: Int, text: String) {
    #expect(Format.fixed(value, digits) == text)
  }

  @Test func `times and small numbers are in the unit that suits them`() {
    #expect(Format.time(seconds: 0.0034) == "3.40 ms")
    #expect(Format.time(seconds: 31e-6) == "31.0 µs")
    #expect(Format.tiny(1.26e-13) == "1.3e-13")
    #expect(Format.share(0.00001) == "<0.01 %")
  }
}

@Suite struct VerdictTests {
  let machine = Machine(
    system: "s", processor: "p", cores: 2, memoryBytes: 1, build: "release", blas: "b", kernel: "k",
    kernelFits: true, blasThreads: 1)

  func record(median: Double, samples: ClosedRange<Double>, ratio: Double = 1, calls: Double = 0)
    -> RunRecord
  {
    var outcome = Outcome(suite: .core, workload: "W3", shape: "M")
    outcome.medianUs = median
    outcome.minUs = samples.lowerBound
    outcome.p90Us = samples.upperBound
    outcome.ratioToLimit = ratio
    outcome.allocations = calls
    let curve = Growth(name: "update against days", sizes: [1, 10], costs: [1, 10])
    return RunRecord(machine: machine, command: [], results: [outcome], growth: [curve])
  }

  let budgets = Budgets(
    ratioToLimit: ["core W3 M": 1.5], allocations: ["core W3 M": 0], addedBytes: [:],
    growth: ["update against days": 0.1], error: [:],
    people: ["insights noise white 84 days": 0.15],
    share: 1)

  @Test func `a broken budget is a sentence, a quick run judges no timing`() {
    let record = record(median: 1, samples: 1...1, ratio: 2, calls: 1)
    let all = budgets.breaches(by: record, isQuick: false)
    #expect(all.judged == 3)
    #expect(all.sentences.count == 3)
    let quick = budgets.breaches(by: record, isQuick: true)
    #expect(quick.judged == 2)
    #expect(quick.sentences.count == 2)
  }

  @Test func `more people than a budget allows are a breach, but for two standard errors of luck`()
  {
    var outcome = Outcome(suite: .insights, workload: "noise white", shape: "84 days")
    outcome.samples = 100
    for (share, breaches) in [(0.10, 0), (0.22, 0), (0.23, 1)] {
      outcome.shareOfPeople = share
      let record = RunRecord(machine: machine, command: [], results: [outcome], growth: [])
      #expect(budgets.breaches(by: record, isQuick: true).sentences.count == breaches)
    }
  }

  @Test func `a share beyond its window is a breach`() {
    var record = record(median: 1, samples: 1...1)
    record.results[0].shareOfRefresh = 1.2
    record.results[0].shareOfWindow = 0.2
    #expect(budgets.breaches(by: record, isQuick: true).sentences.count == 2)
  }

  @Test func `a change within the noise of both runs is none`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    var earlier = record(median: 10, samples: 9...12)
    earlier.results[0].limitUs = 1
    try RunRecord.encoder.encode(earlier).write(to: file)
    func verdict(_ later: RunRecord) throws -> [String] {
      try Comparison(of: later, withFile: file.path).changes.map(\.verdict)
    }
    #expect(try verdict(record(median: 11.5, samples: 11...13)) == ["within noise"])
    #expect(try verdict(record(median: 20, samples: 19...21)) == ["slower"])
    #expect(try verdict(record(median: 5, samples: 4...6)) == ["faster"])
    // On a machine that does raw work at half its speed, twice the time says nothing.
    var slow = record(median: 20, samples: 19...21)
    slow.results[0].limitUs = 2
    #expect(try verdict(slow) == ["within noise"])
  }

  @Test func `results come back from their JSON as they were`() throws {
    let record = record(median: 10, samples: 9...12)
    let data = try RunRecord.encoder.encode(record)
    #expect(try RunRecord.decoder.decode(RunRecord.self, from: data) == record)
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.contains("\"ratio_to_limit\"") && text.contains("\"median_us\""))
  }

  @Test func `the budgets in the repository can be read`() throws {
    let path = ReleaseBuild.checkout.appending(path: "Benchmarks/budgets.json").path
    #expect(try Budgets(contentsOf: path).share == 1)
  }

  @Test func `CLI_4: a debug build knows that it is one and where its release build goes`() {
    #if DEBUG
      #expect(!ReleaseBuild.isThis)
    #endif
    #expect(ReleaseBuild.buildFolder(of: "/a/.build/debug/bench") == "/a/.build")
    #expect(
      ReleaseBuild.buildFolder(of: "/a/.build/x86_64-unknown-linux-gnu/debug/bench") == "/a/.build")
  }

  @Test func `columns of a table are as wide as their widest cell`() {
    var table = Table(["name", "n"])
    table.add(["a", "100"])
    table.add(["longer", "1"])
    #expect(table.text == "name      n\n------  ---\na       100\nlonger    1")
  }
}

@Suite struct `A month of log` {
  @Test func `is enough for a model, and each change of it for another`() throws {
    let log = SyntheticLog(days: 30, metrics: 12)
    for target in log.targets {
      let cases = try RetrainCases(log, target)
      let notes = try RetrainSuite.Change.allCases.map { try cases.train($0) }
      #expect(notes[0] == "full, 30 rows changed")
      #expect(notes[1] == "incremental, 1 row changed")
      #expect(notes[2].hasPrefix("incremental"))
      #expect(notes[3] == "full, 29 rows changed")
    }
  }
}
