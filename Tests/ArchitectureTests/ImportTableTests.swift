import FoundationEssentials
import TestSupport
import Testing

/// The table of `ARCHITECTURE.md`: which modules the files of a room may import.
private let mayImport: [String: Set<String>] = {
  let essentials: Set = ["FoundationEssentials", "Foundation"]
  let cLibrary: Set = ["Glibc", "Musl", "Darwin", "Synchronization"]
  let ours: Set = [
    "LinearAlgebra", "Learning", "DayLog", "HealthImport", "Personalisation", "Storage",
    "Scheduling", "Time",
  ]
  return [
    "LinearAlgebra": cLibrary.union(["CNumerics"]),
    "Learning": cLibrary.union(["LinearAlgebra"]),
    "Time": cLibrary.union(essentials),
    "DayLog": cLibrary.union(essentials).union(["Time"]),
    "HealthImport": cLibrary.union(essentials).union(["Time", "DayLog", "CArchive", "CSQLite"]),
    "Personalisation": cLibrary.union(essentials).union([
      "Time", "DayLog", "Learning", "LinearAlgebra",
    ]),
    "Storage": cLibrary.union(essentials).union(["Time", "DayLog", "CSQLite"]),
    "Scheduling": cLibrary.union(essentials).union(["Time", "Dispatch"]),
    "Diurnal": cLibrary.union(essentials).union(ours).union(["Dispatch", "IOKit.ps"]),
    "LoopSimulation": cLibrary.union(essentials).union(ours).union(["Diurnal"]),
    "DiurnalApple": [
      "DayLog", "Diurnal", "HealthImport", "Personalisation", "Scheduling", "Storage", "Time",
      "Foundation", "Dispatch", "Synchronization", "BackgroundTasks", "CloudKit", "HealthKit",
      "UserNotifications", "WatchConnectivity",
    ],
    "Charts": cLibrary,
    "DiurnalReport": ["Charts", "Diurnal", "Time", "DayLog", "Personalisation"],
    "DiurnalCLI": cLibrary.union(essentials).union(ours).union([
      "Diurnal", "DiurnalReport", "LoopSimulation", "Dispatch",
    ]),
  ]
}()

@Suite struct `The rooms of the house` {
  private struct ImportLine {
    let file: String
    let module: String
    let isInsideElse: Bool
  }

  private static func importLines(of room: String) throws -> [ImportLine] {
    let folder = SharedData.checkout.appending(path: "Sources/\(room)")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    var lines: [ImportLine] = []
    for name in names.sorted() where name.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      var insideElse = false
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ").map(String.init)
        switch words.first {
        case "#if", "#endif": insideElse = false
        case "#else": insideElse = true
        default: break
        }
        let head = words.prefix { $0 != "import" }
        guard head.count < words.count - 1,
          head.allSatisfy({
            $0 == "public" || $0 == "internal" || $0 == "package" || $0.hasPrefix("@")
          })
        else { continue }
        lines.append(
          ImportLine(
            file: "\(room)/\(name)", module: words[words.count - 1], isInsideElse: insideElse))
      }
    }
    return lines
  }

  private static func rooms() throws -> [String] {
    try FileManager.default
      .contentsOfDirectory(atPath: SharedData.checkout.appending(path: "Sources").path)
      .filter { !$0.hasPrefix(".") }.sorted()
  }

  @Test func `are those that the table names, and the C libraries`() throws {
    let cLibraries: Set = ["COpenBLAS", "CNumerics", "CSQLite", "CArchive"]
    #expect(Set(try Self.rooms()).subtracting(cLibraries) == Set(mayImport.keys))
  }

  @Test(arguments: mayImport.keys.sorted())
  func `import only what the table allows`(room: String) throws {
    let lines = try Self.importLines(of: room)
    let allowed = try #require(mayImport[room])
    #expect(!lines.isEmpty || room == "Time" || room == "DayLog" || room == "Learning")
    for line in lines {
      #expect(allowed.contains(line.module), "\(line.file) imports \(line.module)")
    }
  }

  /// Apple's systems have no smaller part of it, and the adapter of their frameworks runs nowhere else.
  @Test(arguments: mayImport.keys.sorted().filter { $0 != "DiurnalApple" })
  func `take Foundation whole only where there is no smaller part of it`(room: String) throws {
    for line in try Self.importLines(of: room) where line.module == "Foundation" {
      #expect(line.isInsideElse, "\(line.file) imports Foundation outside an #else branch")
    }
  }

  @Test func `BLS_6: keep matrices column-major, so no row-major call is anywhere`() throws {
    for room in try Self.rooms() where room != "COpenBLAS" {
      let folder = SharedData.checkout.appending(path: "Sources/\(room)")
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      where name.hasSuffix(".swift") || name.hasSuffix(".c") || name.hasSuffix(".h") {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        #expect(!text.contains("LAPACK_ROW_MAJOR"), "\(room)/\(name)")
        #expect(!text.contains("CblasRowMajor"), "\(room)/\(name)")
      }
    }
  }

  @Test func `keep unsafe code to one file a room and library of the system`() throws {
    for room in mayImport.keys.sorted() {
      let folder = SharedData.checkout.appending(path: "Sources/\(room)")
      var files: [String] = []
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      where name.hasSuffix(".swift") {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        let code = text.split(separator: "\n").filter {
          !$0.drop(while: { $0 == " " }).hasPrefix("//")
        }
        let words = code.flatMap { $0.split { !($0.isLetter || $0.isNumber || $0 == "_") } }
        if words.contains("unsafe") { files.append(name) }
      }
      // Of Diurnal one file starts a process, one writes files, and one asks the system of files and processes; importing
      // calls two libraries.
      let limit = ["Diurnal": 3, "HealthImport": 2][room] ?? 1
      #expect(files.count <= limit, "\(room) has unsafe code in \(files.sorted())")
    }
  }
}
