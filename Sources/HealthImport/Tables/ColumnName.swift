internal import DayLog

/// The name of a column, its unit, and what it says of the column.
struct ColumnName: Sendable {
  /// As it stands in the file.
  let title: String
  /// The whole title as a metric's name: `water_ml`; nil where nothing of it can be written in one.
  let key: String?
  /// The title without its unit: `water`; empty where nothing of it can be written so.
  let base: String
  /// The title without its unit as it is written, in lower case: `体重`.
  let written: String
  /// The unit it names.
  let unit: Unit?

  init(_ title: String) {
    self.title = title
    let plain = Self.plain(title)
    let whole = Metric(columnName: plain)?.name
    var unit: Unit?
    var rest = Substring(plain)
    for (open, close) in [("(", ")"), ("[", "]")] {
      guard let end = rest.lastIndex(of: Character(close)),
        let start = rest[..<end].lastIndex(of: Character(open))
      else { continue }
      let inside = rest[rest.index(after: start)..<end]
      guard let named = Unit(inside) else { continue }
      unit = named
      rest = rest[..<start]
      break
    }
    if unit == nil {
      let words = rest.split { $0 == " " || $0 == "_" || $0 == "," }
      if words.count > 1, let last = words.last {
        let pair = words.suffix(2).joined(separator: "/")
        if words.count > 2, let named = Unit(pair) {
          unit = named
          rest = Substring(words.dropLast(2).joined(separator: "_"))
        } else if !Self.words.contains(last.lowercased()), let named = Unit(last) {
          unit = named
          rest = Substring(words.dropLast().joined(separator: "_"))
        }
      }
      if words.suffix(2).first?.lowercased() == "per", words.count > 2,
        ["min", "minute"].contains(words.last?.lowercased())
      {
        unit = .perMinute
        rest = Substring(words.dropLast(2).joined(separator: "_"))
      }
      let joined = words.joined().lowercased()
      if unit == nil {
        unit =
          joined.contains("minutes")
          ? .minute
          : joined.contains("hours")
            ? .hour
            : joined.contains("pounds") ? .pound : nil
      }
      if unit == nil, rest.hasSuffix("%") {
        unit = .percent
        rest = rest.dropLast()
      }
    }
    self.unit = unit
    let bare = Metric(columnName: rest)?.name
    // A unit alone is no name for what it measures.
    let isUnitAlone = bare == nil && unit != nil && title.contains { !$0.isASCII }
    key = isUnitAlone ? nil : whole
    base = bare ?? key ?? ""
    written =
      title.lowercased().split { "([（【".contains($0) }.first.map {
        String(CellForm.trimmed($0))
      } ?? ""
  }

  /// A metric's name of the code points of a title in letters that names of metrics have not: `u6b65_u6570`.
  var codePoints: Metric? {
    Metric(
      columnName: written.unicodeScalars.filter { $0.properties.isAlphabetic }.prefix(10)
        .map { "u" + String($0.value, radix: 16) }.joined(separator: "_"))
  }

  /// Short words that stand for a unit in brackets only.
  private static let words: Set = [
    "hr", "m", "c", "f", "x", "st", "l", "s", "steps", "times", "cup", "cups",
  ]

  // MARK: - What it says

  /// Whether it numbers rows or logs and measures nothing.
  var isIdentifier: Bool {
    guard let key else { return title.contains("#") }
    let last = key.split(separator: "_").last.map(String.init) ?? key
    return ["id", "uuid", "guid", "logid", "ids"].contains(last)
      || Self.identifiers.contains(key)
      || title.hasPrefix("#")
  }

  private static let identifiers: Set = [
    "index", "row", "row_number", "no", "nr", "entry_number", "unnamed_0", "phone", "phone_number",
    "telephone", "mobile", "zip", "zip_code", "zipcode", "postal_code", "postcode", "plz",
    "serial", "serial_number", "barcode", "version",
  ]

  /// Whether it says so little that the file's name says more.
  var isGeneric: Bool {
    if base.isEmpty, title.contains(where: \.isLetter) {
      return Self.genericWritten.contains(written)
    }
    guard let key = base.isEmpty ? key : base else { return true }
    return Self.generic.contains(key)
  }

  private static let genericWritten: Set = [
    "值", "数值", "數值", "値", "값", "значение", "القيمة", "मान", "ערך", "τιμή",
  ]

  private static let generic: Set = [
    "value", "values", "amount", "score", "rating", "count", "number", "measurement", "reading",
    "result", "level", "wert", "valor", "valeur", "valore", "waarde", "entry", "quantity", "total",
    "average", "avg", "data", "answer",
  ]

  /// Whether clock times under it are times of day rather than lengths.
  var isTimeOfDay: Bool {
    let words = Set((key ?? "").split(separator: "_").map(String.init))
    if !words.isDisjoint(with: [
      "bedtime", "wake", "woke", "waketime", "wakeup", "start", "begin", "began", "end", "ended",
      "finish", "from", "to", "at", "clock", "alarm", "onset", "uhrzeit", "hora", "heure", "up",
    ]) {
      return true
    }
    return ["time", "hour", "zeit", "ora", "tijd", "bed", "bed_time", "time_to_bed"].contains(key)
  }

  // MARK: - Letters

  /// A text in the letters of metric names as far as they can stand for its own: `Größe` is `Groesse`.
  static func plain(_ text: some StringProtocol) -> String {
    var result = ""
    for scalar in text.precomposedScalars {
      if scalar.isASCII {
        result.unicodeScalars.append(scalar)
      } else if let letters = letters[scalar] {
        result += letters
      } else if scalar.properties.generalCategory == .nonspacingMark {
        continue
      } else if ["₂", "²"].contains(Character(scalar)) {
        result += "2"
      } else if scalar.properties.isEmoji, let name = scalar.properties.name {
        result += " \(name.lowercased()) "
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static let letters: [Unicode.Scalar: String] = {
    var letters: [Unicode.Scalar: String] = [:]
    let pairs: [(String, String)] = [
      ("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("Ä", "Ae"), ("Ö", "Oe"), ("Ü", "Ue"), ("ß", "ss"),
      ("æ", "ae"), ("œ", "oe"), ("ø", "oe"), ("å", "aa"), ("Æ", "Ae"), ("Œ", "Oe"), ("Ø", "Oe"),
      ("Å", "Aa"), ("þ", "th"), ("ð", "d"), ("ł", "l"), ("Ł", "L"), ("đ", "d"), ("ı", "i"),
      ("щ", "shch"), ("ж", "zh"), ("ч", "ch"), ("ш", "sh"), ("ю", "yu"), ("я", "ya"), ("х", "kh"),
      ("ц", "ts"), ("ё", "yo"), ("ъ", ""), ("ь", ""),
    ]
    for (from, to) in pairs {
      guard let scalar = from.unicodeScalars.first else { continue }
      letters[scalar] = to
      if let upper = from.uppercased().unicodeScalars.first, upper != scalar, !upper.isASCII {
        letters[upper] = letters[upper] ?? to.capitalizedFirst
      }
    }
    let singles: [(String, String)] = [
      ("àáâãāăą", "a"), ("çćčĉċ", "c"), ("ďḋ", "d"), ("èéêëēĕėęě", "e"), ("ĝğġģ", "g"), ("ĥħ", "h"),
      ("ìíîïĩīĭį", "i"), ("ĵ", "j"), ("ķ", "k"), ("ĺļľ", "l"), ("ñńņň", "n"), ("òóôõōŏő", "o"),
      ("ŕŗř", "r"), ("śŝşšș", "s"), ("ţťŧț", "t"), ("ùúûũūŭůűų", "u"), ("ŵ", "w"), ("ýÿŷ", "y"),
      ("źżž", "z"), ("а", "a"), ("б", "b"), ("в", "v"), ("г", "g"), ("д", "d"), ("еэ", "e"),
      ("з", "z"), ("иыі", "i"), ("й", "y"), ("к", "k"), ("л", "l"), ("м", "m"), ("н", "n"),
      ("о", "o"), ("п", "p"), ("р", "r"), ("с", "s"), ("т", "t"), ("у", "u"), ("ф", "f"),
      ("αά", "a"), ("β", "v"), ("γ", "g"), ("δ", "d"), ("εέ", "e"), ("ζ", "z"), ("ηήιίϊυύ", "i"),
      ("κ", "k"), ("λ", "l"), ("μ", "m"), ("ν", "n"), ("οόωώ", "o"), ("π", "p"), ("ρ", "r"),
      ("σς", "s"), ("τ", "t"), ("φ", "f"), ("θ", "th"), ("χ", "ch"), ("ψ", "ps"), ("ξ", "x"),
    ]
    for (from, to) in singles {
      for scalar in from.unicodeScalars {
        letters[scalar] = to
        for upper in scalar.properties.uppercaseMapping.unicodeScalars where upper != scalar {
          letters[upper] = to.capitalizedFirst
        }
      }
    }
    return letters
  }()
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension StringProtocol {
  /// The characters with the marks that follow a letter joined to it where one letter stands for both.
  fileprivate var precomposedScalars: [Unicode.Scalar] {
    var scalars: [Unicode.Scalar] = []
    for scalar in unicodeScalars {
      // A diaeresis after a, o or u is written apart by some systems.
      if scalar.value == 0x308, let last = scalars.last,
        let joined = ["a": "ä", "o": "ö", "u": "ü", "A": "Ä", "O": "Ö", "U": "Ü"][String(last)],
        let one = joined.unicodeScalars.first
      {
        scalars[scalars.count - 1] = one
      } else {
        scalars.append(scalar)
      }
    }
    return scalars
  }
}
