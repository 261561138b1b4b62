/// The edits of rows under way, to be taken back in the opposite order. Keeps its memory.
struct EditJournal: Sendable {
  enum Kind: Sendable {
    case emptied
    case filled
    /// Filled, and made for it.
    case filledNew
  }

  struct Edit: Sendable {
    let slot: Int
    let key: Int
    let kind: Kind
    let label: Double
    let weight: Double
  }

  private var edits: [Edit] = []
  private var rows = ContiguousArray<Double>()

  var last: Edit? { edits.last }

  /// Makes room for the edit of a row: the old one out and the new one in.
  mutating func reserveCapacity(rowLength: Int) {
    edits.reserveCapacity(2)
    rows.reserveCapacity(2 * rowLength)
  }

  mutating func clear() {
    edits.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
  }

  mutating func note(
    slot: Int, key: Int, kind: Kind, row: ContiguousArray<Double>, label: Double, weight: Double
  ) {
    edits.append(Edit(slot: slot, key: key, kind: kind, label: label, weight: weight))
    rows.append(contentsOf: row)
  }

  func copyLastRow(to row: inout ContiguousArray<Double>) {
    let start = rows.count - row.count
    for j in row.indices { row[j] = rows[start + j] }
  }

  mutating func dropLast(rowLength: Int) {
    edits.removeLast()
    rows.removeLast(rowLength)
  }
}
