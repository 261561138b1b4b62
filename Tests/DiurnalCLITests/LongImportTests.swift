import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct `A long import` {
  @Test func `IMP_4: takes the memory of a short one, and 24 bytes for each sample kept`() throws {
    let tool = try Tool()
    // 14 and 138 MB where time allows.
    let (short, long) = Self.isLong ? (14, 138) : (2, 20)
    func peak(_ megabytes: Int, type: String) throws -> (bytes: Double, records: Double) {
      let file = try Self.export(megabytes, type: type, in: tool)
      defer {
        #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: file.path) }
      }
      return (try Self.peakBytes(tool, ["import", file.path]), Double(file.records))
    }
    let base = try peak(short, type: "HKQuantityTypeIdentifierAppleWalkingSteadiness")
    let skipped = try peak(long, type: "HKQuantityTypeIdentifierAppleWalkingSteadiness")
    #expect(skipped.bytes <= 1.1 * base.bytes)
    let kept = try peak(long, type: "HKQuantityTypeIdentifierStepCount")
    #expect(kept.bytes <= 1.1 * base.bytes + 24 * kept.records)
  }

  @Test func `that is interrupted leaves the log as it was`() throws {
    let tool = try Tool()
    let table = try tool.file("mood.csv", "date,mood\n2024-05-01,4\n2024-05-02,3\n")
    try tool.run("import", table)
    let before = try tool.run("show", "--json").output
    let file = try Self.export(20, type: "HKQuantityTypeIdentifierStepCount", in: tool)
    let process = try tool.start(["import", file.path], output: FileHandle.nullDevice)
    try Self.waitUntilRead(file.path, by: process)
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == SIGINT)
    #expect(try tool.run("show", "--json").output == before)
    #expect(try tool.run("doctor").status == 0)
    // The same import, left alone, brings its steps.
    try tool.run("import", file.path)
    #expect(try tool.run("show", "--json").output.contains("steps"))
  }

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"),
      "no terminal can be made without script(1)"))
  func `shows how far it is, its rate and what is left where a person watches`() throws {
    let tool = try Tool()
    let file = try Self.export(20, type: "HKQuantityTypeIdentifierStepCount", in: tool)
    let shown = try tool.runOnTerminal(["import", file.path])
    #expect(shown.contains(/\[#+-*\] \d+ % \d+ MB\/s, \d+ s left/))
    // Without a terminal nothing is drawn.
    #expect(try tool.run("import", file.path).remarks == "")
  }

  /// Waits until a process has the file open: then it is in the middle of its import.
  private static func waitUntilRead(_ path: String, by process: Process) throws {
    let folder = "/proc/\(process.processIdentifier)/fd"
    guard FileManager.default.fileExists(atPath: folder) else {
      usleep(200_000)
      return
    }
    let file = URL(filePath: path).resolvingSymlinksInPath().path
    let deadline = Date.now.addingTimeInterval(60)
    while Date.now < deadline {
      // A file may be closed between the two looks.
      let open = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let isOpen = open.contains { number in
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(number)")) == file
      }
      if isOpen { return }
      usleep(1000)
    }
    Issue.record("the file was never opened")
  }

  private static var isLong: Bool {
    ProcessInfo.processInfo.environment["DIURNAL_LONG_TESTS"] == "1"
  }

  /// Writes an export of one type, so many megabytes of the same hour of records.
  private static func export(
    _ megabytes: Int, type: String, in tool: Tool
  ) throws -> (path: String, records: Int) {
    let device =
      "&lt;&lt;HKDevice: 0x0&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch&gt;"
    let hour = (0..<60).map { minute in
      let stamp = "2024-05-01 10:\(minute < 10 ? "0" : "")\(minute):00 +0200"
      return
        " <Record type=\"\(type)\" sourceName=\"Watch\" device=\"\(device)\" unit=\"count\" startDate=\"\(stamp)\" endDate=\"\(stamp)\" value=\"\(minute)\"/>\n"
    }.joined()
    let hours = megabytes * 1_000_000 / hour.utf8.count
    // A file of which nothing can be read is refused, so that there is one that counts in each.
    let known = hour.prefix { $0 != "\n" }.replacing(
      type, with: "HKQuantityTypeIdentifierStepCount")
    let path = try tool.file(
      "export-\(type)-\(megabytes).xml", "<HealthData locale=\"en_GB\">\n\(known)\n")
    let output = try FileHandle(forWritingTo: URL(filePath: path))
    try output.seekToEnd()
    let block = Data(String(repeating: hour, count: 50).utf8)
    for _ in 0..<hours / 50 { try output.write(contentsOf: block) }
    try output.write(contentsOf: Data("</HealthData>\n".utf8))
    try output.close()
    return (path, hours / 50 * 50 * 60)
  }

  /// The largest resident size of a run of the tool.
  ///
  /// Linux counts what the process that started it held as well, which other tests make large; there the
  /// size is looked up while it runs.
  private static func peakBytes(_ tool: Tool, _ words: [String]) throws -> Double {
    let child = try tool.spawn(words)
    var status: Int32 = 0
    var usage = rusage()
    var seen = 0.0
    var found: pid_t = 0
    while found == 0 {
      seen = max(seen, peakBytes(of: child) ?? 0)
      usleep(1000)
      found = unsafe wait4(child, &status, WNOHANG, &usage)
    }
    try #require(found == child && status == 0)
    #if os(Linux)
      return seen
    #else
      return Double(usage.ru_maxrss)
    #endif
  }

  /// What a running process has held at most, where the system tells.
  private static func peakBytes(of process: pid_t) -> Double? {
    guard let file = FileHandle(forReadingAtPath: "/proc/\(process)/status"),
      let text = (try? file.readToEnd()).map({ String(decoding: $0, as: UTF8.self) }),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kilobytes = line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first
    else { return nil }
    return Double(kilobytes).map { $0 * 1024 }
  }
}
