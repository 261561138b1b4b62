import Foundation
import Testing

#if os(Linux)
  @Suite struct `Installing the timer` {
    private func tool() throws -> Tool {
      let tool = try Tool()
      tool.environment["XDG_CONFIG_HOME"] = tool.folder.appending(path: "config").path
      return tool
    }

    @Test func `printing writes nothing, and the files name this program and this log`() throws {
      let tool = try tool()
      let printed = try tool.run("tasks", "install", "--print")
      #expect(printed.status == 0)
      #expect(printed.output.contains("/diurnal\" \"--store\" \"\(tool.store)\" \"tasks\" \"run\""))
      #expect(printed.output.contains("systemctl --user enable --now diurnal.timer"))
      let zoned = try tool.run("tasks", "install", "--print", "--zone", "Europe/Lisbon")
      #expect(
        zoned.output.contains(
          "\"--store\" \"\(tool.store)\" \"--zone\" \"Europe/Lisbon\" \"tasks\" \"run\""))
      let config = tool.folder.appending(path: "config").path
      #expect(!FileManager.default.fileExists(atPath: config))
    }

    @Test func `files that differ are kept unless forced, and equal ones are no obstacle`() throws {
      let tool = try tool()
      #expect(try tool.run("tasks", "install").status == 0)
      #expect(try tool.run("tasks", "install").status == 0)
      let timer = tool.folder.appending(path: "config/systemd/user/diurnal.timer")
      let service = tool.folder.appending(path: "config/systemd/user/diurnal.service")
      let ours = try String(contentsOf: timer, encoding: .utf8)
      #expect(ours.contains("[Timer]"))
      try Data("mine".utf8).write(to: timer)
      try FileManager.default.removeItem(at: service)
      let refused = try tool.run("tasks", "install")
      #expect(refused.status == 1)
      #expect(refused.remarks.contains("\(timer.path) is there and is not this unit"))
      #expect(try String(contentsOf: timer, encoding: .utf8) == "mine")
      #expect(!FileManager.default.fileExists(atPath: service.path))
      #expect(try tool.run("tasks", "install", "--force").status == 0)
      #expect(try String(contentsOf: timer, encoding: .utf8) == ours)
    }

    @Test func `a machine without a service manager is told what does the same`() throws {
      let tool = try tool()
      tool.environment["PATH"] = tool.folder.path
      let outcome = try tool.run("tasks", "install")
      #expect(outcome.status == 0)
      #expect(outcome.remarks.contains("diurnal tasks watch"))
      for program in ["systemctl", "notify-send"] {
        let file = try tool.file(program, "#!/bin/sh\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
      }
      #expect(try tool.run("tasks", "install").remarks == "")
    }

    @Test func `a folder in the way of a file is named, and nothing is written`() throws {
      let tool = try tool()
      let folder = tool.folder.appending(path: "config/systemd/user")
      try FileManager.default.createDirectory(
        at: folder.appending(path: "diurnal.service"), withIntermediateDirectories: true)
      let outcome = try tool.run("tasks", "install")
      #expect(outcome.status == 74)
      #expect(outcome.remarks.contains("diurnal.service cannot be written: it is no file"))
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(names == ["diurnal.service"])
      #expect(try tool.run("tasks", "install", "--force").status == 74)
    }
  }
#endif
