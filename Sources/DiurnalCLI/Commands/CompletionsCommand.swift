/// `diurnal completions`: what a shell needs to complete the words of a command line.
struct CompletionsCommand: Command {
  static let syntax = CommandSyntax(
    name: "completions", summary: "print the completions for a shell",
    operands: [Operand(name: "SHELL", count: .one, help: "bash, zsh or fish")],
    discussion: "Scripts/install puts all three where the shells look for them.",
    example: "diurnal completions bash > ~/.local/share/bash-completion/completions/diurnal")

  private let shell: Shell

  private enum Shell: String, CaseIterable { case bash, zsh, fish }

  var finishesPendingWork: Bool { false }

  init(_ arguments: ParsedArguments) throws(Failure) {
    let name = arguments.operands[0]
    guard let shell = Shell(rawValue: name) else {
      let known = Shell.allCases.map(\.rawValue)
      throw .usage(
        "completions are there for \(known.joined(separator: ", ")), not “\(name)”"
          + Suggestion.text(for: name, among: known), Self.syntax)
    }
    self.shell = shell
  }

  func run(in context: Context) async throws {
    switch shell {
    case .bash: Terminal.result(Self.bash)
    case .zsh:
      Terminal.result(
        "#compdef diurnal\nautoload -U +X bashcompinit && bashcompinit\n\(Self.bash)"
          + "# The first completion of a shell loads this file, and has to answer too.\n"
          + "_bash_complete -o filenames -F _diurnal\n")
    case .fish: Terminal.result(Self.fish)
    }
  }

  private static let names: [String] = CommandTable.all.map { $0.syntax.name }

  /// The first words of all commands, each once.
  private static var firsts: [String] {
    var firsts: [String] = []
    for name in names {
      let first = String(name.prefix { $0 != " " })
      if !firsts.contains(first) { firsts.append(first) }
    }
    return firsts
  }

  /// The second words of a command of two.
  private static func seconds(_ first: String) -> [String] {
    names.filter { $0.hasPrefix(first + " ") }.map { String($0.dropFirst(first.count + 1)) }
  }

  private static var bash: String {
    let global = CommandSyntax.globalOptions.map(\.name).joined(separator: " ")
    let groups = firsts.filter { !seconds($0).isEmpty }
    var cases = ""
    for group in groups {
      cases += "    \(group)) words=\"\(seconds(group).joined(separator: " "))\" ;;\n"
    }
    for command in CommandTable.all {
      let options = command.syntax.options.map(\.name).joined(separator: " ")
      cases += "    \"\(command.syntax.name)\") words=\"\(options) \(global)\" ;;\n"
    }
    let valued = CommandSyntax.globalOptions.filter { $0.value != nil }.map(\.name)
    let keys = SettingsCommand.keys.joined(separator: " ")
    let commands = firsts.joined(separator: " ") + " " + global
    return """
      _diurnal() {
        local current="${COMP_WORDS[COMP_CWORD]}" words="" name="" word skip=0 place
        local -a plain=()
        for ((place = 1; place < COMP_CWORD; place++)); do
          word="${COMP_WORDS[place]}"
          if [ $skip -eq 1 ]; then skip=0; continue; fi
          case "$word" in
            \(valued.joined(separator: "|"))) skip=1 ;;
            -*) ;;
            *) plain+=("$word") ;;
          esac
        done
        # The value of an option, or a file that a command reads.
        if [ $skip -eq 1 ]; then COMPREPLY=($(compgen -f -- "$current")); return; fi
        name="${plain[0]}"
        case "$name" in
          "") COMPREPLY=($(compgen -W "\(commands)" -- "$current")); return ;;
          \(groups.joined(separator: "|"))) [ ${#plain[@]} -gt 1 ] && name="$name ${plain[1]}" ;;
          settings) [ ${#plain[@]} -eq 1 ] && [[ "$current" != -* ]] && {
            COMPREPLY=($(compgen -W "\(keys)" -- "$current")); return; } ;;
        esac
        case "$name" in
      \(cases)  esac
        case "$name:$current" in
          *:-*|\(groups.map { $0 + ":*" }.joined(separator: "|"))) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
          *) COMPREPLY=($(compgen -f -- "$current")) ;;
        esac
      }
      complete -o filenames -F _diurnal diurnal

      """
  }

  private static var fish: String {
    func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "\\'") + "'" }
    func option(_ option: Option) -> String {
      let name = option.name.drop { $0 == "-" }
      return (option.name.hasPrefix("--") ? "-l " : "-s ") + name + " -d " + quoted(option.help)
        + (option.value == nil ? "" : " -r")
    }
    var lines: [String] = []
    for each in CommandSyntax.globalOptions { lines.append("complete -c diurnal " + option(each)) }
    for command in CommandTable.all {
      let syntax = command.syntax
      let parts = syntax.name.split(separator: " ")
      let seen = "__fish_seen_subcommand_from \(parts[0])"
      if parts.count == 1 {
        lines.append(
          "complete -c diurnal -n __fish_use_subcommand -a \(parts[0]) -d \(quoted(syntax.summary))"
        )
      } else {
        lines.append("complete -c diurnal -n __fish_use_subcommand -a \(parts[0])")
        lines.append(
          "complete -c diurnal -f -n '\(seen)' -a \(parts[1]) -d \(quoted(syntax.summary))")
      }
      let condition =
        parts.count == 1 ? seen : "\(seen); and __fish_seen_subcommand_from \(parts[1])"
      for each in syntax.options {
        lines.append("complete -c diurnal -n '\(condition)' " + option(each))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
