/// Well-formed UTF-8, as table 3-7 of the Unicode Standard has it.
enum UTF8Check {
  /// The place of the first byte that no well-formed sequence holds; nil where all is well.
  static func firstFault(_ bytes: Span<UInt8>) -> Int? {
    var at = 0
    while at < bytes.count {
      if at + 8 <= bytes.count, bytes.word(at: at) & 0x8080_8080_8080_8080 == 0 {
        at += 8
        continue
      }
      let length = sequence(bytes, at)
      if length == 0 { return at }
      at += length
    }
    return nil
  }

  /// The length of the well-formed sequence at `at`, 1 to 4; 0 where there is none.
  static func sequence(_ bytes: Span<UInt8>, _ at: Int) -> Int {
    let lead = bytes[at]
    if lead < 0x80 { return 1 }
    func next(_ index: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
      at + index < bytes.count && range.contains(bytes[at + index])
    }
    switch lead {
    case 0xC2...0xDF: return next(1) ? 2 : 0
    case 0xE0: return next(1, 0xA0...0xBF) && next(2) ? 3 : 0
    case 0xE1...0xEC, 0xEE...0xEF: return next(1) && next(2) ? 3 : 0
    case 0xED: return next(1, 0x80...0x9F) && next(2) ? 3 : 0
    case 0xF0: return next(1, 0x90...0xBF) && next(2) && next(3) ? 4 : 0
    case 0xF1...0xF3: return next(1) && next(2) && next(3) ? 4 : 0
    case 0xF4: return next(1, 0x80...0x8F) && next(2) && next(3) ? 4 : 0
    default: return 0
    }
  }
}

extension Span<UInt8> {
  /// The last place up to `place` at which no character is cut in two; at most three bytes before it.
  func characterStart(atMost place: Int) -> Int {
    for back in 1...3 where back <= place {
      let byte = self[place - back]
      if byte < 0x80 { return place }
      if byte >= 0xC0 {
        let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
        return length > back ? place - back : place
      }
    }
    return place
  }
}
