internal import DayLog

/// Reads the tables of one vendor.
struct VendorTableReader: Reader {
  let format: String
  let tables: [VendorTable]
  /// What every table of the vendor begins with, where there is such a thing: then one that is not known is no
  /// table of anybody else.
  var beginning: String?

  func recognises(_ head: FileHead) -> Bool {
    guard !head.isJSON, !head.bytes.prefix(4096).contains(0) else { return false }
    if let beginning, head.firstLines(1).first?.hasPrefix(beginning) == true { return true }
    return head.firstLines(6).contains { line in
      let keys = Set(
        line.split(whereSeparator: { ",;\t".contains($0) }).compactMap {
          ColumnName(String($0)).key
        })
      return tables.contains { $0.fits(keys, path: head.name) }
    }
  }

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    let table = try CSVTable(try stream.readAll(limit: CSVTable.byteLimit), name: stream.name)
    for row in 0..<min(6, table.rowCount) {
      let keys = table.row(row).map { ColumnName($0).key ?? "" }
      guard let vendorTable = tables.first(where: { $0.fits(Set(keys), path: stream.path) }) else {
        continue
      }
      try VendorTableReading(
        table, keys: keys, headerRow: row, vendorTable, source: Source(.imported, format),
        options: options, file: stream.name
      ).add(to: &days)
      return
    }
    throw ImportError(
      file: stream.name,
      .unsupported(
        "a table of \(format) of a kind that is not read",
        needed: "import the tables of what you log beside it, or this one with --format csv"))
  }
}

extension FileHead {
  /// The first lines without quotes and a byte order mark.
  func firstLines(_ count: Int) -> [String] {
    let start = begins(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    return bytes[start...].split(maxSplits: count + 1, omittingEmptySubsequences: true) {
      $0 == 10 || $0 == 13
    }.prefix(count).map { line in
      String(decoding: line.prefix(8192).filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }
  }
}
