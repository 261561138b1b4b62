/// Every command of the tool, in the order in which the overview lists them.
enum CommandTable {
  static let all: [any Command.Type] = [
    ImportCommand.self, LogCommand.self, ShowCommand.self, TrainCommand.self, PredictCommand.self,
    TasksStatusCommand.self, TasksRunCommand.self,
  ]

  /// The command that `words` name and the words that are left of it, or nil where none is named.
  ///
  /// Options of every command may stand before the name.
  static func find(
    in words: [String]
  ) throws(Failure) -> (command: any Command.Type, rest: [String])? {
    var index = 0
    let valued = CommandSyntax.globalOptions.filter { $0.value != nil }.map(\.name)
    while index < words.count, words[index].hasPrefix("-") {
      index += valued.contains(words[index]) ? 2 : 1
    }
    guard index < words.count, words[index] != "help" else { return nil }
    let before = words[..<index]
    for length in [2, 1] where index + length <= words.count {
      let name = words[index..<(index + length)].joined(separator: " ")
      if let command = all.first(where: { $0.syntax.name == name }) {
        return (command, Array(before + words[(index + length)...]))
      }
    }
    throw unknown(words[index], next: words.dropFirst(index + 1).first)
  }

  private static func unknown(_ word: String, next: String?) -> Failure {
    let below = all.map(\.syntax.name).filter { $0.hasPrefix(word + " ") }
    if !below.isEmpty {
      let wrong =
        next.map { "diurnal \(word) has no “\($0)”" } ?? "diurnal \(word) needs one more word"
      return Failure(.usage, "\(wrong): \(below.map { "diurnal " + $0 }.joined(separator: ", "))")
    }
    let names = all.map { $0.syntax.name.split(separator: " ").first.map(String.init) ?? "" }
    return Failure(
      .usage,
      "unknown command “\(word)”" + Suggestion.text(for: word, among: names)
        + "\nSee: diurnal --help")
  }

  /// What `diurnal --help` prints.
  static var overview: String {
    """
    diurnal: a daily log and a small model that keeps learning from it, on your own machine

    Usage: diurnal [--store FILE] [--now INSTANT] [--zone ZONE] [--json] COMMAND ...

    Commands:
    \(CommandSyntax.aligned(all.map { ($0.syntax.name, $0.syntax.summary) }))
    Options of every command:
    \(CommandSyntax.aligned(CommandSyntax.globalOptions.map(CommandSyntax.row)))
    Start with: diurnal import export.zip, then diurnal train, then diurnal predict.
    See: diurnal COMMAND --help

    """
  }
}
