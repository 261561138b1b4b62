import DayLog
package import Time

/// The sums of an export's records by type and day, as they are written: repeats and overlaps count
/// again, sleep is not joined, no hash is taken.
///
/// It is what reading comes to when every rule is left out, and so the measure of the scanner beside
/// other XML readers that sum. What an import stores comes from ``HealthDays``.
package struct HealthSums: HealthTags {
  /// Values of one type on one day.
  package struct Cell: Sendable, Equatable {
    package var sum = 0.0
    package var count = 0
  }

  /// All records, of whatever type.
  package private(set) var recordCount = 0
  private var types = ByteInterner(limit: 4096)
  private var cells: [[CalendarDay: Cell]] = []
  private var dayText: (UInt64, UInt64) = (0, 0)
  private var day: CalendarDay?
  /// The cell that is being added to.
  private var open = (type: -1, day: CalendarDay(number: 0))
  private var cell = Cell()

  /// Reads the file.
  ///
  /// - Throws: `ImportError`, as an import of it would.
  /// - Complexity: O(*bytes*) time, and the memory of the days.
  package init(path: String) throws(ImportError) {
    var stream = try ByteStream(path: path, name: path, progress: { _, _ in true }, isHashed: false)
    var xml = HealthXML()
    let end = try AppleHealthReader(isCensusTaken: false).scan(&stream, &xml, &self)
    guard xml.isClosed else { throw ImportError(file: path, place: .line(end.line), .cutOff) }
    close()
  }

  /// The sums of one type, such as `HKQuantityTypeIdentifierStepCount`.
  package subscript(type: String) -> [CalendarDay: Cell] {
    let wanted = ContiguousArray(type.utf8)
    return (0..<types.count).first { types[$0] == wanted }.map { cells[$0] } ?? [:]
  }

  /// The sum of everything.
  package var total: Double { cells.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.sum } } }

  @inline(__always)
  mutating func open(
    _ element: HealthElement, _ name: BytePlace, _ attributes: HealthAttributes, isEmpty: Bool,
    _ bytes: Span<UInt8>
  ) {
    guard element == .record else { return }
    recordCount += 1
    let type = types.id(bytes.extracting(attributes.type.start..<attributes.type.end))
    guard let day = day(bytes, attributes.start), type < 4096 else { return }
    if type != open.type || day != open.day {
      close()
      open = (type, day)
    }
    let value = bytes.extracting(attributes.value.start..<attributes.value.end)
    cell.sum += DecimalText.number(value) ?? 0
    cell.count += 1
  }

  mutating func close(_ element: HealthElement) {}

  private mutating func close() {
    guard open.type >= 0 else { return }
    while cells.count <= open.type { cells.append([:]) }
    cells[open.type][open.day, default: Cell()].sum += cell.sum
    cells[open.type][open.day, default: Cell()].count += cell.count
    cell = Cell()
  }

  /// The day that is written; the one that came last is not read again.
  @inline(__always)
  private mutating func day(_ bytes: Span<UInt8>, _ place: BytePlace) -> CalendarDay? {
    guard place.count >= 10, place.start + 16 <= bytes.count else { return nil }
    let text = (bytes.word(at: place.start), bytes.word(at: place.start + 8) & 0xFFFF)
    if text != dayText {
      dayText = text
      day = CalendarDay(bytes, at: place.start)
    }
    return day
  }
}
