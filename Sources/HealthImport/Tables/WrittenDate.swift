internal import Time

/// A date of any writing, before it is settled which of its numbers is the day and which the month.
struct WrittenDate {
  /// The ways of writing that one column keeps to.
  enum Form: Hashable {
    /// `2026-01-05`, `2026/1/5`, `20260105`, by what stands between.
    case yearFirst(Character)
    /// `05.01.2026`, `1/5/26`, by what stands between.
    case yearLast(Character)
    /// `5 Jan 2026`, `Monday, January 5th, 2026`.
    case words
    /// Seconds, or milliseconds, since 1970.
    case seconds, milliseconds
    /// Days since 1899-12-30, as spreadsheets count them.
    case serial
  }

  let form: Form
  /// Where the form has the year last: what comes first and second.
  private(set) var first = 0
  private(set) var second = 0
  private var year = 0
  private var day: CalendarDay?
  private var clock: Int?
  private var offset: Int?
  private var isUTC = false

  /// Whether the two numbers before the year are day and month in that order, where they tell.
  var isDayFirst: Bool? {
    guard case .yearLast(let mark) = form else { return nil }
    if mark == "." { return true }
    if first > 12 { return true }
    return second > 12 ? false : nil
  }

  /// The date with a time where there is one; nil where the calendar has none such.
  func time(dayFirst: Bool) -> LocalTime? {
    var found = day
    if case .yearLast = form {
      found = CalendarDay(
        year: year, month: dayFirst ? second : first, day: dayFirst ? first : second)
    }
    return found.map { LocalTime(day: $0, second: clock, offset: offset, isUTC: isUTC) }
  }

  /// Reads text as a date. Bare numbers are dates in columns only that are named so.
  init?(_ text: String, acceptsNumbers: Bool) {
    var rest = CellForm.trimmed(text[...])
    guard rest.count <= 64, rest.contains(where: \.isNumber) else { return nil }
    let latin = Self.withoutEastAsianMarks(rest)
    rest = CellForm.trimmed(latin[...])
    if !rest.contains(":"), let number = Self.bare(rest, acceptsNumbers) {
      self = number
      return
    }
    guard let clock = Self.takeClock(&rest) else { return nil }
    var words: [Substring] = []
    var marks: [Character] = []
    for piece in rest.split(whereSeparator: { " ,\u{A0}".contains($0) }) {
      words.append(piece)
    }
    // A weekday before numbers says nothing more: `Mo 05.01.2026`.
    if words.count > 1, words.dropFirst().allSatisfy({ !$0.contains(where: \.isLetter) }),
      Self.isWeekday(words[0])
    {
      words.removeFirst()
    }
    // A date of numbers is one word, or three with points: `30. 11. 2020`.
    var joined = words.joined(separator: " ")
    if !joined.contains(where: \.isLetter) {
      joined = joined.replacing(". ", with: ".")
      for mark in ["-", "/", "."] where joined.contains(mark) { marks.append(Character(mark)) }
      guard marks.count == 1 else { return nil }
      let mark = marks[0]
      let parts = joined.split(separator: mark, omittingEmptySubsequences: false)
        .filter { !$0.isEmpty || mark != "." }
      let numbers = parts.compactMap(Self.whole)
      guard parts.count == 3, numbers.count == 3 else { return nil }
      if parts[0].count == 4 {
        guard parts[1].count <= 2, parts[2].count <= 2,
          let day = CalendarDay(year: numbers[0], month: numbers[1], day: numbers[2])
        else { return nil }
        self.init(form: .yearFirst(mark), clock)
        self.day = day
      } else {
        guard parts[2].count == 4 || parts[2].count == 2, parts[0].count <= 2, parts[1].count <= 2
        else { return nil }
        self.init(form: .yearLast(mark), clock)
        (first, second) = (numbers[0], numbers[1])
        year = parts[2].count == 2 ? 2000 + numbers[2] : numbers[2]
        guard max(first, second) <= 31, min(first, second) <= 12, min(first, second) >= 1 else {
          return nil
        }
      }
      return
    }
    guard let day = Self.wordy(joined) else { return nil }
    self.init(form: .words, clock)
    self.day = day
  }

  private init(form: Form, _ clock: Clock) {
    self.form = form
    (self.clock, offset, isUTC) = (clock.second, clock.offset, clock.isUTC)
  }

  private init(form: Form, milliseconds: Int64) {
    self.form = form
    let seconds = milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
    let number = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    day = CalendarDay(number: Int(number))
    clock = Int(seconds - number * 86_400)
  }

  private static func whole(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
  }

  private static func bare(_ text: Substring, _ acceptsNumbers: Bool) -> WrittenDate? {
    let bytes = ContiguousArray(text.utf8)
    guard bytes.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: ".") }) else {
      return nil
    }
    if bytes.count == 8, !bytes.contains(UInt8(ascii: ".")) {
      guard let year = LocalTime.digits(bytes.span, 0, 4), (1900...2200).contains(year),
        let month = LocalTime.digits(bytes.span, 4, 2),
        let date = LocalTime.digits(bytes.span, 6, 2),
        let day = CalendarDay(year: year, month: month, day: date)
      else { return nil }
      var written = WrittenDate(form: .yearFirst(" "), Clock())
      written.day = day
      return written
    }
    guard acceptsNumbers, let value = DecimalText.number(bytes.span) else { return nil }
    switch value {
    case 1e11..<2e13:
      return WrittenDate(form: .milliseconds, milliseconds: Int64(value))
    case 1e8..<2e10:
      return WrittenDate(form: .seconds, milliseconds: Int64((value * 1000).rounded()))
    case 10_000..<80_000:
      // A spreadsheet has no zone: its clock is the one on the wall.
      let milliseconds = ((value - 25_569) * 86_400).rounded() * 1000
      var written = WrittenDate(form: .serial, milliseconds: Int64(milliseconds))
      if value == value.rounded() { written.clock = nil }
      return written
    default: return nil
    }
  }

  private struct Clock {
    var second: Int?
    var offset: Int?
    var isUTC = false
  }

  /// Takes a time of day and what follows it off the text; nil where it is broken.
  private static func takeClock(_ text: inout Substring) -> Clock? {
    guard let colon = text.firstIndex(of: ":") else {
      if text.hasSuffix("Z") || text.hasSuffix("T") { text.removeLast() }
      return Clock()
    }
    let hours = text[..<colon].reversed().prefix(while: \.isNumber)
    guard (1...2).contains(hours.count), var hour = Int(String(hours.reversed())) else {
      return nil
    }
    var date = text[..<text.index(colon, offsetBy: -hours.count)]
    var rest = text[text.index(after: colon)...]
    func two() -> Int? {
      let digits = rest.prefix(while: \.isNumber)
      guard digits.count == 2, let value = Int(digits), value < 61 else { return nil }
      rest = rest.dropFirst(2)
      return value
    }
    guard let minute = two(), minute < 60 else { return nil }
    var second = 0
    if rest.first == ":" {
      rest = rest.dropFirst()
      guard let value = two() else { return nil }
      second = min(59, value)
      if rest.first == "." || rest.first == "," {
        rest = rest.dropFirst()
        guard let digit = rest.first, digit.isNumber else { return nil }
        rest = rest.drop(while: \.isNumber)
      }
    }
    rest = CellForm.trimmed(rest)
    let half = rest.prefix { $0.isLetter || $0 == "." }.lowercased().filter { $0 != "." }
    if half == "am" || half == "pm" {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (half == "pm" ? 12 : 0)
      rest = CellForm.trimmed(rest.drop { $0.isLetter || $0 == "." })
    }
    guard hour < 24 else { return nil }
    if rest.lowercased() == "uhr" || rest == "h" { rest = "" }
    var clock = Clock(second: hour * 3600 + minute * 60 + second)
    for name in ["UTC", "GMT"] where rest.hasPrefix(name) {
      rest = CellForm.trimmed(rest.dropFirst(3))
      if rest.isEmpty { rest = "Z" }
    }
    // `CET` or `PST` stands for several zones: the clock on the wall is what is sure.
    if (3...5).contains(rest.count), rest.allSatisfy({ $0.isASCII && $0.isUppercase }) { rest = "" }
    if rest == "Z" || rest == "z" {
      (clock.offset, clock.isUTC) = (0, true)
    } else if let sign = rest.first {
      guard sign == "+" || sign == "-" else { return nil }
      let digits = rest.dropFirst().filter { $0 != ":" }
      guard digits.utf8.allSatisfy({ (48...57).contains($0) }),
        digits.count == 4 || digits.count == 2,
        let number = Int(digits)
      else { return nil }
      let minutes = digits.count == 2 ? number * 60 : number / 100 * 60 + number % 100
      guard minutes <= 18 * 60 else { return nil }
      clock.offset = (sign == "-" ? -60 : 60) * minutes
    }
    date = CellForm.trimmed(date)
    for word in ["T", "t", " at", " um", " à", " a las", ","] where date.hasSuffix(word) {
      date = CellForm.trimmed(date.dropLast(word.count))
    }
    text = date
    return clock
  }

  /// A day whose month is a word: the four digits, or else the last number, are the year.
  private static func wordy(_ text: String) -> CalendarDay? {
    var month: Int?
    var numbers: [(value: Int, length: Int)] = []
    for word in text.lowercased().split(whereSeparator: { " -/.,".contains($0) }) {
      let digits = word.prefix(while: \.isNumber)
      if !digits.isEmpty {
        let tail = word.dropFirst(digits.count)
        guard
          tail.isEmpty
            || ["st", "nd", "rd", "th", "º", "ª", "er", "e", "日", "年", "月"].contains(tail),
          let value = Int(digits)
        else { return nil }
        numbers.append((value, digits.count))
      } else if let found = Self.month(word) {
        guard month == nil else { return nil }
        month = found
      } else if !Self.isFiller(word) {
        return nil
      }
    }
    guard let month, numbers.count == 2 else { return nil }
    let yearAt = numbers.firstIndex { $0.length == 4 } ?? 1
    let year = numbers[yearAt]
    let date = numbers[1 - yearAt].value
    guard year.length == 4 || year.length == 2 else { return nil }
    return CalendarDay(
      year: year.length == 2 ? 2000 + year.value : year.value, month: month, day: date)
  }

  /// `2026年1月5日 (月) 午後 3:05` as `2026-1-5 3:05 pm`: years, months and days by their signs.
  private static func withoutEastAsianMarks(_ text: Substring) -> String {
    guard text.contains(where: { "年년".contains($0) }) else { return String(text) }
    var result = ""
    var half = ""
    var depth = 0
    for character in text {
      switch character {
      case "(", "（": depth += 1
      case ")", "）": depth -= 1
      case _ where depth > 0: continue
      case "年", "月", "년", "월": result.append("-")
      case "日", "일": result.append(" ")
      case "後", "后", "下": half = " pm"
      case "前", "上": half = " am"
      case "午": continue
      case " ": if result.last != "-" { result.append(" ") }
      default: result.append(character)
      }
    }
    if text.contains("오후") { half = " pm" } else if text.contains("오전") { half = " am" }
    return result.filter { !"오전후".contains($0) } + half
  }

  private static func isWeekday(_ word: Substring) -> Bool {
    let bare = word.lowercased().filter(\.isLetter)
    return bare.count == word.filter { $0 != "." }.count
      && (weekdays.contains { bare.hasPrefix($0) } || eastAsianWeekdays.contains(bare))
  }

  private static let eastAsianWeekdays: Set = ["月", "火", "水", "木", "金", "土", "日"]

  private static func isFiller(_ word: Substring) -> Bool {
    ["de", "of", "del", "the", "den", "le", "el"].contains(word)
      || weekdays.contains { word.hasPrefix($0) }
  }

  /// How the names of weekdays begin in languages that write Latin letters.
  private static let weekdays = [
    "mon", "tue", "wed", "thu", "fri", "sat", "sun", "mo", "di", "mi", "do", "fr", "sa", "so",
    "lun",
    "mar", "mer", "jeu", "ven", "sam", "dim", "mié", "jue", "vie", "sáb", "dom", "seg", "ter",
    "qua",
    "qui", "sex", "mer", "gio",
  ]

  private static func month(_ word: Substring) -> Int? {
    for (index, starts) in months.enumerated() where starts.contains(where: { word.hasPrefix($0) })
    {
      return index + 1
    }
    return nil
  }

  /// How the names of months begin, in English, German, French, Spanish, Portuguese, Italian and Dutch.
  private static let months: [[String]] = [
    ["jan", "jän", "ene", "gen"], ["feb", "fév", "fev"], ["mar", "mär", "mrz", "maa", "mrt"],
    ["apr", "avr", "abr"], ["may", "mai", "mag", "mei"], ["jun", "juin", "giu"],
    ["jul", "juil", "lug"], ["aug", "aoû", "aou", "ago"], ["sep", "set"],
    ["oct", "okt", "out", "ott"],
    ["nov"], ["dec", "dez", "déc", "dic"],
  ]
}
