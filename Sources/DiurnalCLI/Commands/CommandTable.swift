/// Every command of the tool, in the order in which the overview lists them.
enum CommandTable {
  static let all: [any Command.Type] = [
    ImportCommand.self, LogCommand.self, ShowCommand.self, TrainCommand.self, PredictCommand.self,
    ExplainCommand.self, BacktestCommand.self, InsightsCommand.self, ReportCommand.self,
    ForgetCommand.self,
    SettingsCommand.self,
    QueueListCommand.self, QueueAddCommand.self, QueueDrainCommand.self, SyncExportCommand.self,
    SyncMergeCommand.self, MetricsCommand.self, TasksStatusCommand.self, TasksRunCommand.self,
    TasksWatchCommand.self, TasksInstallCommand.self, TasksSimulateCommand.self, BackupCommand.self,
    DoctorCommand.self, CompletionsCommand.self, ManualCommand.self,
  ]

  /// The command that `words` name and the words that are left of it, or nil where none is named.
  ///
  /// Options of every command may stand before the name; `help` before it asks for its help.
  static func find(
    in words: [String]
  ) throws(Failure) -> (command: any Command.Type, rest: [String])? {
    var index = 0
    let valued = CommandSyntax.globalOptions.filter { $0.value != nil }.map(\.name)
    while index < words.count, words[index].hasPrefix("-") {
      index += valued.contains(words[index]) ? 2 : 1
    }
    var before = Array(words[..<min(index, words.count)])
    if index + 1 < words.count, words[index] == "help" {
      before.append("--help")
      index += 1
    }
    guard index < words.count, words[index] != "help" else { return nil }
    for length in [2, 1] where index + length <= words.count {
      let name = words[index..<(index + length)].joined(separator: " ")
      if let command = all.first(where: { $0.syntax.name == name }) {
        return (command, before + words[(index + length)...])
      }
    }
    throw unknown(words[index], next: words.dropFirst(index + 1).first)
  }

  private static func unknown(_ word: String, next: String?) -> Failure {
    var below: [String] = []
    var names: [String] = []
    for command in all {
      let name = command.syntax.name
      if name.hasPrefix(word + " ") { below.append("diurnal " + name) }
      names.append(name.split(separator: " ").first.map(String.init) ?? name)
    }
    if below.isEmpty {
      let hint = Suggestion.text(for: word, among: names)
      return Failure(.usage, "unknown command “\(word)”\(hint)\nSee: diurnal --help")
    }
    let choices = below.joined(separator: ", ")
    guard let next, !next.hasPrefix("-") else {
      return Failure(.usage, "“\(word)” needs one more word: \(choices)")
    }
    return Failure(.usage, "“\(word)” has no “\(next)”: \(choices)")
  }

  /// What a word shows that begins several commands, such as `tasks --help`; nil for any other words.
  static func help(forGroupIn words: [String]) -> String? {
    guard words.contains(where: { ["--help", "-h", "help"].contains($0) }) else { return nil }
    let valued = CommandSyntax.globalOptions.filter { $0.value != nil }.map(\.name)
    let names = zip([""] + words, words).filter { before, word in
      !word.hasPrefix("-") && word != "help" && !valued.contains(before)
    }.map(\.1)
    guard names.count == 1, let group = names.first else { return nil }
    let members = all.filter { $0.syntax.name.hasPrefix(group + " ") }
    guard !members.isEmpty else { return nil }
    return "Usage: diurnal \(group) COMMAND ...\n\nCommands:\n"
      + CommandSyntax.aligned(members.map { ($0.syntax.name, $0.syntax.summary) })
      + "\nSee: diurnal \(members[0].syntax.name) --help\n"
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
