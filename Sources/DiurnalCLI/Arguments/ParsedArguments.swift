internal import DayLog
import Time

/// A command line taken apart by a command's syntax: what was given, still as text.
struct ParsedArguments: Sendable {
  private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]
  private let syntax: CommandSyntax

  /// Takes `words` (the command's name not among them) apart.
  ///
  /// `--name value` and `--name=value` are the same; a word after `--` is an operand whatever it
  /// begins with; a lone `-` and a negative number are operands.
  init(_ words: some Sequence<String>, syntax: CommandSyntax) throws(Failure) {
    self.syntax = syntax
    var rest = Array(words)[...]
    var onlyOperands = false
    while let next = rest.popFirst() {
      // What people try first.
      let word = next == "-h" && !onlyOperands ? "--help" : next
      if onlyOperands || !Self.isOption(word) {
        operands.append(word)
      } else if word == "--" {
        onlyOperands = true
      } else {
        try take(word, &rest)
      }
    }
    try checkCounts()
  }

  private static func isOption(_ word: String) -> Bool {
    word.hasPrefix("-") && word != "-" && Double(word) == nil
  }

  private mutating func take(_ word: String, _ rest: inout ArraySlice<String>) throws(Failure) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map(String.init) ?? word
    let known = syntax.options + CommandSyntax.globalOptions
    guard let option = known.first(where: { $0.name == name }) else {
      throw .usage(
        "unknown option \(name)" + Suggestion.text(for: name, among: known.map(\.name)),
        syntax)
    }
    if option.value == nil {
      guard parts.count == 1 else { throw .usage("\(name) takes no value", syntax) }
      values[name] = []
      return
    }
    let value: String
    if parts.count == 2 {
      value = String(parts[1])
    } else if let next = rest.popFirst() {
      value = next
    } else {
      throw .usage("\(name) needs a value: \(name) \(option.value ?? "")", syntax)
    }
    if values[name] != nil, !option.repeats { throw .usage("\(name) is given twice", syntax) }
    values[name, default: []].append(value)
  }

  private func checkCounts() throws(Failure) {
    if has("--help") { return }
    let least = syntax.operands.filter { $0.count == .one || $0.count == .oneOrMore }.count
    let unbounded = syntax.operands.contains { $0.count == .any || $0.count == .oneOrMore }
    if operands.count < least {
      throw .usage("missing \(syntax.operands[operands.count].name)", syntax)
    }
    if !unbounded, operands.count > syntax.operands.count {
      throw .usage("unexpected word “\(operands[syntax.operands.count])”", syntax)
    }
  }

  /// Whether an option was given.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// The value of an option, or nil where it was not given.
  func text(_ name: String) -> String? { values[name]?.first }

  /// The values of an option that may be given several times, in the order given.
  func texts(_ name: String) -> [String] { values[name] ?? [] }

  /// The value of an option as a day.
  func day(_ name: String) throws(Failure) -> DayWord? {
    guard let text = text(name) else { return nil }
    return try Self.day(text, called: name, syntax)
  }

  /// The value of an option as a whole number of a range.
  func integer(_ name: String, in range: ClosedRange<Int>) throws(Failure) -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .usage(
        "\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound)", syntax)
    }
    return number
  }

  /// A word that has to be a day.
  static func day(
    _ text: String, called name: String, _ syntax: CommandSyntax
  ) throws(Failure) -> DayWord {
    guard let day = DayWord(text) else {
      throw .usage("\(name) takes a day (\(DayWord.forms)), not “\(text)”", syntax)
    }
    return day
  }
}

/// The nearest of a few known words, for a word that is none of them.
enum Suggestion {
  /// “; did you mean …?”, or nothing where no word is near.
  static func text(for word: String, among known: [String]) -> String {
    nearest(to: word, among: known).map { "; did you mean \($0)?" } ?? ""
  }

  /// The known word that the fewest changes of a character make of `word`, if a third of it suffices, or two
  /// changes where that leaves something of it.
  ///
  /// - Parameter isStrict: whether short words need to be nearer: a word of five letters or fewer but for one.
  static func nearest(
    to word: String, among known: [String], isStrict: Bool = false
  ) -> String? {
    let ranked = known.map { ($0, distance(word, $0)) }.min { $0.1 < $1.1 }
    let most = isStrict ? (word.count <= 5 ? 1 : 2) : max(2, word.count / 3)
    guard let (nearest, changes) = ranked, changes <= most, changes < max(2, word.count - 1)
    else { return nil }
    return nearest
  }

  /// Levenshtein's distance.
  private static func distance(_ left: String, _ right: String) -> Int {
    let right = Array(right)
    var previous = Array(0...right.count)
    for (row, a) in left.enumerated() {
      var current = [row + 1]
      for (column, b) in right.enumerated() {
        current.append(
          min(previous[column + 1] + 1, current[column] + 1, previous[column] + (a == b ? 0 : 1)))
      }
      previous = current
    }
    return previous[right.count]
  }
}
