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
      Terminal.result("#compdef diurnal\nautoload -U +X bashcompinit && bashcompinit\n" + Self.bash)
    case .fish: Terminal.result(Self.fish)
    }
  }

  private static let names = CommandTable.all.map(\.syntax.name)
  /// The first words of all commands.
  private static let firsts = names.map { String($0.prefix { $0 != " " }) }
    .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
  private static let global = CommandSyntax.globalOptions.map(\.name)

  /// The options of a command, those of all commands among them.
  private static func options(_ syntax: CommandSyntax) -> String {
    (syntax.options.map(\.name) + global).joined(separator: " ")
  }

  /// The second words of a command of two.
  private static func seconds(_ first: String) -> [String] {
    names.filter { $0.hasPrefix(first + " ") }.map { String($0.dropFirst(first.count + 1)) }
  }

  private static var bash: String {
    var cases = ""
    for command in CommandTable.all {
      cases += "    \"\(command.syntax.name)\") words=\"\(options(command.syntax))\" ;;\n"
    }
    var groups = ""
    for first in firsts where !seconds(first).isEmpty {
      groups += "    \(first)) words=\"\(seconds(first).joined(separator: " "))\" ;;\n"
    }
    return """
      _diurnal() {
        local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words="" name="" word
        case "$before" in
          --store) COMPREPLY=($(compgen -f -- "$current")); return ;;
        esac
        local -a plain=()
        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          case "$word" in -*) ;; *) plain+=("$word") ;; esac
        done
        if [ ${#plain[@]} -eq 0 ]; then
          words="\(firsts.joined(separator: " ")) \(global.joined(separator: " "))"
        else
          name="${plain[0]}"
          [ ${#plain[@]} -gt 1 ] && case " \(firsts.filter { !seconds($0).isEmpty }.joined(separator: " ")) " in
            *" $name "*) name="$name ${plain[1]}" ;;
          esac
          case "$name" in
      \(groups)\(cases)    esac
        fi
        if [ -n "$words" ] && { [ -z "$name" ] || [[ "$current" == -* ]] || [[ " \(firsts.filter { !seconds($0).isEmpty }.joined(separator: " ")) " == *" $name "* ]]; }; then
          COMPREPLY=($(compgen -W "$words" -- "$current"))
        else
          COMPREPLY=($(compgen -f -- "$current"))
        fi
      }
      complete -o filenames -F _diurnal diurnal

      """
  }

  private static var fish: String {
    func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "\\'") + "'" }
    var lines: [String] = []
    for option in CommandSyntax.globalOptions {
      lines.append(
        "complete -c diurnal -l \(option.name.dropFirst(2)) -d \(quoted(option.help))"
          + (option.value == nil ? "" : " -r"))
    }
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
      for option in syntax.options {
        lines.append(
          "complete -c diurnal -n '\(condition)' -l \(option.name.dropFirst(2)) -d \(quoted(option.help))"
            + (option.value == nil ? "" : " -r"))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
