import DayLog
import FoundationEssentials
import HealthImport
import TestSupport
import Testing
import Time

@Suite struct `A file of any format` {
  /// The seeds of the fuzzer that a reader of ours reads, as `format/file`.
  private static let seeds: [String] = (Importer.formats + ["zip"]).flatMap { format in
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fuzz/Corpus/\(format)").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().map { "\(folder)/\($0)" }
  }

  @Test func `has a seed for the fuzzer`() {
    for format in Importer.formats {
      #expect(Self.seeds.contains { $0.contains("/Corpus/\(format)/") }, "\(format)")
    }
  }

  @Test(arguments: seeds)
  func `that was broken anywhere is read or refused, and never kills`(path: String) throws {
    let whole = try #require(FileManager.default.contents(atPath: path))
    var random = SplitMix64(seed: UInt64(whole.count))
    for _ in 0..<24 {
      let bytes = Self.mutated(ContiguousArray(whole), using: &random)
      do {
        let batch = try read(bytes, isZip: path.contains("/Corpus/zip/"))
        #expect(batch.entries.allSatisfy { $0.value?.isFinite == true })
        #expect(batch.entries.allSatisfy { CalendarDay.supported.contains($0.key.day) })
      } catch let error as ImportError {
        #expect(!error.description.isEmpty)
      }
    }
  }

  private func read(_ bytes: ContiguousArray<UInt8>, isZip: Bool) throws -> ImportBatch {
    func set(_ options: inout ImportOptions) {
      options.partial = true
      options.localZone = Zone.centralEurope
      options.zoneNamed = { _ in Zone.centralEurope }
    }
    guard isZip else { return try importBytes(bytes, set) }
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).zip")
    try Data(bytes).write(to: file)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
    return try importFile(file.path, set)
  }

  /// One to eight bytes changed, taken out or put in, or a stretch copied to another place.
  private static func mutated(
    _ whole: ContiguousArray<UInt8>, using random: inout SplitMix64
  ) -> ContiguousArray<UInt8> {
    var bytes = whole
    for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
      let at = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: at)
      case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: at)
      case 3: bytes.removeLast(Int.random(in: 0...min(40, bytes.count), using: &random))
      default:
        let end = Int.random(in: at...min(bytes.count, at + 60), using: &random)
        let stretch = bytes[at..<end]
        bytes.insert(contentsOf: stretch, at: Int.random(in: 0...bytes.count, using: &random))
      }
    }
    return bytes
  }
}
