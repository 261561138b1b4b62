import DayLog
import Time

@testable import HealthImport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension FuzzTarget {
  /// The readers: each format by its name, whatever the bytes look like; `import`, which recognises;
  /// `zip`, which reads from a file.
  static var importTargets: [FuzzTarget] {
    Importer.formats.map { format in
      FuzzTarget(name: format) { bytes in
        read(bytes, format: format)
        if format == "apple-health" { readInPieces(bytes) }
      }
    } + [
      FuzzTarget(name: "import") { read($0, format: nil) },
      FuzzTarget(name: "zip") { readFile($0) },
    ]
  }

  private static func options(format: String?, partial: Bool) -> ImportOptions {
    ImportOptions(
      now: Instant(seconds: 1_714_635_000), format: format,
      zoneNamed: { $0.hasPrefix("Europe/") ? Zone(name: $0, utcOffset: 7200) : nil },
      localZone: Zone.utc, dayStart: 14_400, partial: partial)
  }

  private static func read(_ bytes: ContiguousArray<UInt8>, format: String?) {
    for partial in [false, true] {
      do throws(ImportError) {
        check(
          try Importer.read(
            bytes: bytes, name: "input", options: options(format: format, partial: partial)))
      } catch {
        precondition(!error.description.isEmpty, "an error has words")
      }
    }
  }

  private static func check(_ batch: ImportBatch) {
    for entry in batch.entries {
      precondition(entry.value?.isFinite == true, "imported values are finite")
      precondition(CalendarDay.supported.contains(entry.key.day), "days are in the calendar")
    }
    precondition(
      zip(batch.entries, batch.entries.dropFirst()).allSatisfy { $0.key < $1.key },
      "entries ascend by key")
  }

  /// The same bytes through a buffer that divides them elsewhere say the same.
  private static func readInPieces(_ bytes: ContiguousArray<UInt8>) {
    func outcome(_ byteCount: Int) -> Result<Said, ImportError> {
      Result { () throws(ImportError) in
        let options = options(format: nil, partial: true)
        var stream = try ByteStream(memory: bytes, name: "input", progress: { _, _ in true })
        var days = DayCollector(asOf: options.now)
        try AppleHealthReader(bufferByteCount: byteCount).read(
          &stream, options: options, into: &days)
        return Said(entries: days.entries(), summary: days.summary)
      }
    }
    let whole = outcome(1 << 18)
    precondition(outcome(8 + bytes.count % 61) == whole, "the division of the bytes is seen")
  }

  private struct Said: Equatable {
    let entries: [Entry]
    let summary: ImportSummary
  }

  private static func readFile(_ bytes: ContiguousArray<UInt8>) {
    let path = "/tmp/diurnal-fuzz-\(getpid())"
    guard let file = fopen(path, "w") else { exit(74) }
    let written = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
    guard written == bytes.count, fclose(file) == 0 else { exit(74) }
    do throws(ImportError) {
      if case .read(let batch) = try Importer.read(
        path: path, options: options(format: nil, partial: true))
      {
        check(batch)
      }
    } catch {
      precondition(!error.description.isEmpty, "an error has words")
    }
  }
}
