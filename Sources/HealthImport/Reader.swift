/// One format: how it is known, and how its bytes become days.
///
/// A format is one folder of ours and its lines in ``Readers``. A reader says what is written and when; ``DayCollector``
/// puts it on days and ``PartFolding`` makes values. A vendor's tables need no code: a ``VendorTable`` says which titles it
/// is known by, which columns say when, and what each other one means; a database's are ``DatabaseTable``s.
protocol Reader: Sendable {
  /// What the person calls it, such as `fitbit`: also the name of its entries' source.
  var format: String { get }
  /// Whether a file that begins like this is of the format.
  func recognises(_ head: FileHead) -> Bool
  /// Reads the stream and adds what it says to `days`.
  ///
  /// - Throws: where the file cannot be used; what was added is then to be thrown away.
  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError)
}

/// Every format, in the order in which a file is offered to them: the plainest come last.
enum Readers {
  static let all: [any Reader] = [
    AppleHealthReader(),
    FitbitReader(),
    FitbitTakeoutReader(),
    VendorTableReader(format: "fitbit", tables: FitbitTables.all),
    OuraReader(),
    OuraDocumentsReader(),
    OuraTableReader(),
    GarminReader(),
    WithingsReader(),
    VendorTableReader(format: "withings", tables: WithingsTables.all),
    GoogleFitReader(),
    VendorTableReader(
      format: "samsung-health", tables: SamsungTables.all, beginning: "com.samsung."),
    VendorTableReader(format: "whoop", tables: WhoopTables.all),
    LoopReader(),
    LoopDatabase.reader,
    HealthConnectDatabase.reader,
    GadgetbridgeDatabase.reader,
    HealthAutoExportReader(),
    VendorTableReader(format: "myfitnesspal", tables: MyFitnessPalTables.all),
    VendorTableReader(format: "dexcom-clarity", tables: GlucoseTables.dexcom),
    VendorTableReader(format: "libreview", tables: GlucoseTables.libre),
    BearableReader(),
    VendorTableReader(format: "sleep-cycle", tables: SleepCycleTables.all),
    VendorTableReader(format: "autosleep", tables: AutoSleepTables.all),
    PolarReader(),
    DaylioReader(),
    DaylioBackupReader(),
    SleepAsAndroidReader(),
    PleesTrackerReader(),
    ExistReader(),
    CSVReader(),
  ]

  /// The one asked for by name; else the first that recognises the file, those that refuse it by name
  /// before all others, since some would pass for plain tables.
  static func reader(for head: FileHead, format: String?) -> (any Reader)? {
    if let format, let named = all.filter({ $0.format == format }).nonEmpty {
      return named.first { $0.recognises(head) } ?? named.first
    }
    return RefusedExport.all.first { $0.recognises(head) } ?? all.first { $0.recognises(head) }
  }
}

extension Array {
  fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}

/// The first bytes of a file: what a format is recognised by.
struct FileHead: Sendable {
  let bytes: ContiguousArray<UInt8>
  /// The file's name: only for what its content leaves open.
  let name: String

  /// Whether these ASCII characters stand anywhere in the first `limit` bytes.
  func contains(_ text: StaticString, within limit: Int = ByteStream.headByteCount) -> Bool {
    let span = bytes.span.extracting(0..<min(limit, bytes.count))
    guard text.utf8CodeUnitCount > 0, let first = text.description.utf8.first else { return true }
    var at = 0
    while let found = span.index(of: first, from: at) {
      if span.matches(text, at: found) { return true }
      at = found + 1
    }
    return false
  }

  /// Whether the file begins with these bytes.
  func begins(with prefix: [UInt8]) -> Bool { bytes.starts(with: prefix) }

  /// The first byte that is neither a byte order mark nor white space.
  var firstCharacter: UInt8? {
    let start = begins(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    return bytes[start...].first { $0 != 0x20 && !(0x09...0x0D).contains($0) }
  }

  var isZip: Bool { begins(with: [0x50, 0x4B, 3, 4]) || begins(with: [0x50, 0x4B, 5, 6]) }

  /// Whether other files are packed in it, or one that is shorter so.
  var isArchive: Bool {
    isZip || begins(with: [0x1F, 0x8B]) || bytes.dropFirst(257).starts(with: "ustar".utf8)
  }

  /// The first line in lower case, without a byte order mark and quotes.
  var headerLine: String {
    let start = begins(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let line = bytes[start...].prefix { $0 != 10 && $0 != 13 }.filter { $0 != UInt8(ascii: "\"") }
    return String(decoding: line, as: UTF8.self).lowercased()
  }

  /// Whether it opens as a JSON object or array.
  var isJSON: Bool { firstCharacter == UInt8(ascii: "{") || firstCharacter == UInt8(ascii: "[") }
}
