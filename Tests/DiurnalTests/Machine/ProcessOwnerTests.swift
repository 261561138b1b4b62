import Foundation
import Testing
import Time

@testable import Diurnal
@testable import Scheduling

@Suite struct `The owner of a run` {
  static let now = Instant(milliseconds: 1_714_521_600_000)

  private func run(_ owner: String, began: Instant = now) -> ActiveRun {
    ActiveRun(identifier: "a", number: 1, owner: owner, began: began)
  }

  @Test func `is at work while its process lives, whatever the clock shows`() {
    let owner = RunOwner.process()
    #expect(owner.isAtWork(run(owner.token), Self.now.advanced(by: .days(4000))))
    #expect(owner.isAtWork(run(owner.token), Self.now.advanced(by: .days(-4000))))
    #expect(!owner.isAtWork(run("nonsense"), Self.now))
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat"), "there is no /proc"))
  func `is gone with its process, its boot, or when the number is another's`() throws {
    let owner = RunOwner.process()
    let name = try #require(ProcessName(owner.token))
    func token(boot: String? = nil, process: Int32? = nil, start: String? = nil) -> String {
      "\(boot ?? name.boot)/\(name.namespace)/\(process ?? name.process)/\(start ?? name.start)"
    }
    #expect(owner.isAtWork(run(token()), Self.now))
    #expect(!owner.isAtWork(run(token(boot: "another")), Self.now))
    #expect(!owner.isAtWork(run(token(start: "1")), Self.now))

    let child = Process()
    let input = Pipe()
    child.executableURL = URL(filePath: "/bin/cat")
    child.standardInput = input
    try child.run()
    let stat = try String(contentsOfFile: "/proc/\(child.processIdentifier)/stat", encoding: .utf8)
    let fields = try #require(stat.split(separator: ")").last).split(separator: " ")
    let other = token(process: child.processIdentifier, start: String(fields[19]))
    #expect(owner.isAtWork(run(other), Self.now))
    try input.fileHandleForWriting.close()
    child.waitUntilExit()
    #expect(!owner.isAtWork(run(other), Self.now))
  }

  @Test func `in another container is believed for a day`() throws {
    let owner = RunOwner.process()
    let name = try #require(ProcessName(owner.token))
    let foreign = "\(name.boot)/pid:[1]/\(name.process)/\(name.start)"
    #expect(owner.isAtWork(run(foreign), Self.now.advanced(by: .hours(23))))
    #expect(!owner.isAtWork(run(foreign), Self.now.advanced(by: .hours(24))))
    #expect(!owner.isAtWork(run(foreign), Self.now.advanced(by: .hours(-1))))
  }
}
