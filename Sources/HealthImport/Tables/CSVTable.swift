/// A table of text cells: comma, semicolon or tab between them, LF, CR LF or CR after a row.
///
/// Cells stay as places in the bytes; quotes may hold separators and line breaks, and two quotes in
/// quotes are one. White space around a cell does not count.
struct CSVTable {
  /// The separator: tab, semicolon, comma or bar, whichever most of the first lines have outside quotes.
  let separator: UInt8
  private let bytes: ContiguousArray<UInt8>
  private var cells: ContiguousArray<Cell> = []
  /// The index of each row's first cell, and the end.
  private var rowStarts: ContiguousArray<Int> = [0]
  private var rowLines: ContiguousArray<Int> = []
  /// Where the table begins: behind a line that only names the separator.
  private var firstByte = 0

  /// A cell's place in the bytes, in eight bytes since a table may have nothing but cells.
  private struct Cell {
    private let first: UInt32
    private let last: UInt32

    init(_ start: Int, _ end: Int, hasQuotes: Bool = false) {
      first = UInt32(start)
      last = UInt32(end) << 1 | (hasQuotes ? 1 : 0)
    }

    var start: Int { Int(first) }
    var end: Int { Int(last >> 1) }
    var hasQuotes: Bool { last & 1 == 1 }
  }

  /// More is no diary; its cells and what tells repeats apart take up to ten times as much.
  static let byteLimit = 1 << 26

  /// The rows of `bytes` that are not blank.
  init(_ bytes: ContiguousArray<UInt8>, name: String) throws(ImportError) {
    self.bytes = try TableText.decode(bytes, name: name)
    separator = Self.separator(self.bytes)
    if Self.named(self.bytes) != nil { firstByte = 5 }
    try split(name: name)
  }

  var rowCount: Int { rowLines.count }

  /// The table of some of its rows.
  func section(_ rows: Range<Int>) -> CSVTable {
    var section = self
    section.rowStarts = ContiguousArray(rowStarts[rows.lowerBound...rows.upperBound])
    section.rowLines = ContiguousArray(rowLines[rows])
    return section
  }

  /// The line, from 1, on which a row begins.
  func line(_ row: Int) -> Int { rowLines[row] }

  func cellCount(_ row: Int) -> Int { rowStarts[row + 1] - rowStarts[row] }

  /// Whether a cell is empty or is not there.
  func isEmpty(_ row: Int, _ column: Int) -> Bool {
    guard column < cellCount(row) else { return true }
    let cell = cells[rowStarts[row] + column]
    return cell.start == cell.end
  }

  /// A cell's bytes, quotes in it still doubled; empty where the row is too short.
  func withCell<Result>(
    _ row: Int, _ column: Int, _ body: (Span<UInt8>) -> Result
  ) -> Result {
    guard column < cellCount(row) else { return body(bytes.span.extracting(0..<0)) }
    let cell = cells[rowStarts[row] + column]
    return body(bytes.span.extracting(cell.start..<cell.end))
  }

  /// A cell as text.
  func text(_ row: Int, _ column: Int) -> String {
    guard column < cellCount(row) else { return "" }
    let cell = cells[rowStarts[row] + column]
    let text = String(decoding: bytes[cell.start..<cell.end], as: UTF8.self)
    guard cell.hasQuotes else { return text }
    var result = ""
    var isSecond = false
    for character in text.unicodeScalars {
      if character == "\"", !isSecond {
        isSecond = true
      } else {
        if isSecond, character != "\"" { result.unicodeScalars.append("\"") }
        isSecond = false
        result.unicodeScalars.append(character)
      }
    }
    return isSecond ? result + "\"" : result
  }

  /// The cells of a row as text.
  func row(_ row: Int) -> [String] { (0..<cellCount(row)).map { text(row, $0) } }

  /// Whether two rows hold the same bytes, cell by cell.
  func equal(_ left: Int, _ right: Int) -> Bool {
    guard cellCount(left) == cellCount(right) else { return false }
    return (0..<cellCount(left)).allSatisfy { column in
      withCell(left, column) { a in withCell(right, column) { b in a.equals(b) } }
    }
  }

  /// A hash of a row's cells that is the same in every process.
  func stableHash(_ row: Int) -> UInt64 {
    Reading.hash(self.row(row).joined(separator: "\u{1F}"))
  }

  /// A hash of a row's cells.
  func hash(_ row: Int) -> Int {
    var hasher = Hasher()
    for column in 0..<cellCount(row) {
      let cell = cells[rowStarts[row] + column]
      bytes.hash(cell.start..<cell.end, into: &hasher)
    }
    return hasher.finalize()
  }

  private mutating func split(name: String) throws(ImportError) {
    let quote = UInt8(ascii: "\"")
    var at = firstByte
    var line = 1
    var rowLine = 1
    while at < bytes.count {
      // One cell.
      while at < bytes.count, isBlank(bytes[at]) { at += 1 }
      var start = at
      var end: Int
      var hasQuotes = false
      if at < bytes.count, bytes[at] == quote {
        let opened = line
        at += 1
        start = at
        while true {
          guard at < bytes.count else {
            throw ImportError(file: name, place: .line(opened), .unclosedQuote)
          }
          if bytes[at] == quote {
            if at + 1 < bytes.count, bytes[at + 1] == quote {
              hasQuotes = true
              at += 2
              continue
            }
            break
          }
          if bytes[at] == 10 || (bytes[at] == 13 && !(at + 1 < bytes.count && bytes[at + 1] == 10))
          {
            line += 1
          }
          at += 1
        }
        end = at
        at += 1
        while at < bytes.count, !isEnd(bytes[at]) {
          guard isBlank(bytes[at]) else {
            throw ImportError(
              file: name, place: .line(line), .malformed("text follows a closed quote"))
          }
          at += 1
        }
      } else {
        while at < bytes.count, !isEnd(bytes[at]) { at += 1 }
        end = at
        while end > start, isBlank(bytes[end - 1]) { end -= 1 }
      }
      cells.append(Cell(start, end, hasQuotes: hasQuotes))
      guard at < bytes.count else { break }
      if bytes[at] == separator {
        at += 1
        // A separator as the last byte of all still ends a cell and begins an empty one.
        if at == bytes.count { cells.append(Cell(at, at)) }
        continue
      }
      at += bytes[at] == 13 && at + 1 < bytes.count && bytes[at + 1] == 10 ? 2 : 1
      endRow(rowLine)
      line += 1
      rowLine = line
    }
    endRow(rowLine)
  }

  /// Closes the row of the cells since the last one, unless it is blank.
  private mutating func endRow(_ line: Int) {
    let start = rowStarts[rowStarts.count - 1]
    if cells[start...].allSatisfy({ $0.start == $0.end }) {
      cells.removeLast(cells.count - start)
    } else {
      rowStarts.append(cells.count)
      rowLines.append(line)
    }
  }

  private func isBlank(_ byte: UInt8) -> Bool { byte == 32 || (byte == 9 && separator != 9) }

  private func isEnd(_ byte: UInt8) -> Bool { byte == separator || byte == 10 || byte == 13 }

  /// What may stand between cells, the likeliest first where several do equally often.
  static let separators = [UInt8(9), UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: "|")]

  /// The separator that most of the first lines have outside quotes; a first line `sep=;` names it.
  private static func separator(_ bytes: ContiguousArray<UInt8>) -> UInt8 {
    if let named = named(bytes) { return named }
    var lines = [Int](repeating: 0, count: separators.count)
    var seen = [Bool](repeating: false, count: separators.count)
    var isQuoted = false
    var count = 0
    for byte in bytes {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == 10 || byte == 13 {
        for index in seen.indices where seen[index] {
          lines[index] += 1
          seen[index] = false
        }
        count += 1
        if count == 40 { break }
      } else if let index = separators.firstIndex(of: byte) {
        seen[index] = true
      }
    }
    for index in seen.indices where seen[index] { lines[index] += 1 }
    let most = lines.max() ?? 0
    return most == 0 ? UInt8(ascii: ",") : separators[lines.firstIndex(of: most) ?? 2]
  }

  /// The separator that spreadsheets are told by a first line of its own.
  private static func named(_ bytes: ContiguousArray<UInt8>) -> UInt8? {
    let line = bytes.prefix(8)
    guard line.starts(with: Array("sep=".utf8)), line.count > 4, separators.contains(line[4])
    else { return nil }
    return line[4]
  }
}

extension ContiguousArray<UInt8> {
  /// Feeds a range of bytes and its length to a hasher.
  fileprivate func hash(_ range: Range<Int>, into hasher: inout Hasher) {
    hasher.combine(range.count)
    for index in range { hasher.combine(self[index]) }
  }
}
