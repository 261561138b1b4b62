internal import DayLog

/// What one command takes: its words, its options, and an example that shows them.
///
/// Parsing, help and suggestions all read this one declaration, so they cannot drift apart.
struct CommandSyntax: Sendable {
  let name: String
  let summary: String
  var operands: [Operand] = []
  var options: [Option] = []
  /// What a reader of `--help` should know beyond the options.
  var discussion = ""
  let example: String
}

/// A word that a command takes by its place.
struct Operand: Sendable {
  enum Count: Sendable { case one, optional, any, oneOrMore }

  let name: String
  let count: Count
  let help: String
}

/// A word that a command takes by its name.
struct Option: Sendable {
  /// With its dashes, as typed: `--from`.
  let name: String
  /// What stands for its value in the help, such as `DAY`; nil where the option is a switch.
  let value: String?
  /// Whether it may be given several times.
  var repeats = false
  let help: String

  /// A switch: present or not.
  static func flag(_ name: String, _ help: String) -> Option {
    Option(name: name, value: nil, help: help)
  }

  /// An option with a value.
  static func value(
    _ name: String, _ value: String, repeats: Bool = false, _ help: String
  ) -> Option {
    Option(name: name, value: value, repeats: repeats, help: help)
  }
}

extension CommandSyntax {
  /// What every command takes, before or after its name.
  static let globalOptions: [Option] = [
    .value(
      "--store", "FILE", "the log; default $DIURNAL_STORE, else $XDG_DATA_HOME/diurnal/log.sqlite"),
    .value(
      "--now", "INSTANT", "take this for the present moment, such as 2026-01-05T08:00:00+01:00"),
    .value(
      "--zone", "ZONE",
      "the time zone of days and of times without an offset, such as Europe/Lisbon"),
    .flag("--json", "print strict JSON"),
    .flag("--no-pager", "show long output at once, not in pages"),
    .flag("--help", "show this help"),
    .flag("--version", "show the version"),
  ]

  /// The first line of the help: how to write the command.
  var usage: String {
    var words = ["diurnal", name]
    if !options.isEmpty { words.append("[OPTIONS]") }
    for operand in operands {
      switch operand.count {
      case .one: words.append(operand.name)
      case .optional: words.append("[\(operand.name)]")
      case .any: words.append("[\(operand.name) ...]")
      case .oneOrMore: words.append("\(operand.name) ...")
      }
    }
    return words.joined(separator: " ")
  }

  /// The whole help text of the command, ending in a newline.
  var help: String {
    var text = "\(summary)\n\nUsage: \(usage)\n"
    if !discussion.isEmpty {
      text += "\n\(TextWidth.reflowed(discussion, Terminal.width ?? 100))\n"
    }
    if !operands.isEmpty {
      text += "\n" + Self.aligned(operands.map { ($0.name, $0.help) })
    }
    if !options.isEmpty {
      text += "\nOptions:\n" + Self.aligned(options.map(Self.row))
    }
    text += "\nOptions of every command:\n" + Self.aligned(Self.globalOptions.map(Self.row))
    return text + "\nExample:\n  \(example.replacing("\n", with: "\n  "))\n"
  }

  /// An option and its help as a row of two columns.
  static func row(_ option: Option) -> (String, String) {
    (option.value.map { "\(option.name) \($0)" } ?? option.name, option.help)
  }

  /// Two columns, the first as wide as its widest cell, the second in as many lines as the terminal asks for.
  static func aligned(_ rows: [(String, String)], width: Int? = Terminal.width) -> String {
    let rows = rows.map { (Harmless.line($0.0), Harmless.line($0.1)) }
    let first = rows.map { TextWidth.columns($0.0) }.max() ?? 0
    let room = width.map { $0 - first - 4 }
    // Where there is no room beside the first column, the second stands below it.
    let isBelow = room.map { $0 < leastRoom } ?? false
    let indent = String(repeating: " ", count: isBelow ? 6 : first + 4)
    return rows.reduce(into: "") { text, row in
      let gap = String(repeating: " ", count: first - TextWidth.columns(row.0) + 2)
      let lines = width.map { TextWidth.wrapped(row.1, isBelow ? $0 - 6 : $0 - first - 4) }
      let second = (lines ?? [row.1]).joined(separator: "\n" + indent)
      text += "  \(row.0)" + (isBelow ? "\n" + indent : gap) + second + "\n"
    }
  }

  /// How narrow the second of two columns may become.
  private static let leastRoom = 28
}
