/// The checksum that a row carries of all its other columns, so that a byte that changed on the disk is found
/// whatever it says.
///
/// It is 32 bits of a running 64-bit mix (multiplication by an odd constant and a shifted exclusive or, as in
/// SplitMix64): one changed column always changes the 64 bits, and goes unseen in the 32 once in 2³².
struct Seal {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Takes in a column: its type and then its content.
  mutating func add(_ value: Int64) { mix(1, UInt64(bitPattern: value)) }

  /// SQLite does not tell the two zeros apart, so neither does this.
  mutating func add(_ value: Double) { mix(2, value == 0 ? 0 : value.bitPattern) }

  mutating func addNull() { mix(3, 0) }

  mutating func add(text bytes: [UInt8]) { add(4, bytes) }

  mutating func add(blob bytes: [UInt8]) { add(5, bytes) }

  /// What is stored in the row.
  var value: Int64 { Int64(Int32(truncatingIfNeeded: state ^ state >> 32)) }

  private mutating func add(_ type: UInt64, _ bytes: [UInt8]) {
    mix(type, UInt64(bytes.count))
    var word: UInt64 = 0
    for (place, byte) in bytes.enumerated() {
      word = word << 8 | UInt64(byte)
      if place & 7 == 7 {
        mix(type, word)
        word = 0
      }
    }
    mix(type, word)
  }

  private mutating func mix(_ type: UInt64, _ word: UInt64) {
    state = (state ^ word) &* 0xBF58_476D_1CE4_E5B9
    state ^= state >> 29
    state = (state &+ type) &* 0x94D0_49BB_1331_11EB
    state ^= state >> 32
  }
}

extension Schema {
  /// The tables whose rows are sealed, and the columns that their seal covers, in its order. Records are not: who
  /// puts them there reads them, and begins anew where they cannot be read, so that no loop ends for good.
  static let sealed: [(table: String, columns: String)] = [
    ("metric", "id, name"),
    ("source", "id, origin, name"),
    ("imported_file", "id, hash, name, imported_at, day_start, reading, byte_count"),
    ("entry", "day, metric, source, as_of, value, file"),
    ("part", "metric, source, day, file, bytes"),
    ("forgotten", "day, metric, as_of"),
    ("payload", "id, kind, bytes"),
    ("setting", "name, value"),
    ("model", "target, schema, fingerprint, change, made_at, bytes, training"),
    ("training_progress", "target, training, bytes"),
    ("wanted_target", "name, metric, asked, retraining"),
    ("nudge", "id, day, sent_at, text"),
  ]
}
