import FoundationEssentials
import Testing

@testable import Diurnal

@Suite struct `What the system tells` {
  @Test func `a Mac's power source without end is external, and any battery is not`() {
    #expect(PowerSupply.mac(remaining: -2).isExternal == true)
    #expect(PowerSupply.mac(remaining: -1).isExternal == false)
    #expect(PowerSupply.mac(remaining: 7200).isExternal == false)
  }

  @Test func `a file is looked at through its links, and what is not there is nothing`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: UUID().uuidString, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { do { try FileManager.default.removeItem(at: folder) } catch {} }
    let file = folder.appending(path: "file").path
    try Data(repeating: 0, count: 5).write(to: URL(filePath: file))
    let link = folder.appending(path: "link").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    #expect(FileFacts(path: link)?.byteCount == 5)
    #expect(FileFacts(path: link)?.isFolder == false)
    #expect(FileFacts(path: folder.path)?.isFolder == true)
    #expect(FileFacts(path: folder.appending(path: "none").path) == nil)
  }

  @Test func `files are read from the smallest to the largest`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: UUID().uuidString, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { do { try FileManager.default.removeItem(at: folder) } catch {} }
    var paths: [String] = []
    for (name, count) in [("a", 300), ("b", 20), ("c", 1000), ("d", 20)] {
      let file = folder.appending(path: name)
      try Data(repeating: 0, count: count).write(to: file)
      paths.append(file.path)
    }
    #expect(ExportFolder.bySize(paths).map { $0.suffix(1) } == ["b", "d", "a", "c"])
  }

  @Test func `the zone counts as chosen where TZ is set`() {
    #expect(SystemZones.isChosen(environment: ["TZ": "Europe/Amsterdam"]))
  }
}
