/// `diurnal manual`: the page that `man diurnal` shows.
struct ManualCommand: Command {
  static let syntax = CommandSyntax(
    name: "manual", summary: "print the manual page, as man reads it",
    discussion: "Scripts/install puts it where man finds it.",
    example: "diurnal manual | man -l -")

  var finishesPendingWork: Bool { false }

  init(_ arguments: ParsedArguments) throws(Failure) {}

  func run(in context: Context) async throws { Terminal.result(Self.page) }

  private static var page: String {
    var page = """
      .TH DIURNAL 1 "" "diurnal \(Main.version)"
      .nh
      .ad l
      .SH NAME
      diurnal \\- a daily log and a small model that keeps learning from it
      .SH SYNOPSIS
      .B diurnal
      [\\fB\\-\\-store\\fR \\fIFILE\\fR] [\\fB\\-\\-json\\fR] \\fICOMMAND\\fR ...
      .SH OPTIONS OF EVERY COMMAND

      """
    for option in CommandSyntax.globalOptions { page += paragraph(option) }
    page += ".SH COMMANDS\n"
    for command in CommandTable.all { page += section(command.syntax) }
    page += """
      .SH EXIT STATUS
      0 done, 1 failed, 64 wrong usage, 65 bad input, 74 input or output, 143 stopped by SIGTERM.
      .SH FILES
      .TP
      \\fB$DIURNAL_STORE\\fR or \\fB~/.local/share/diurnal/log.sqlite\\fR
      The log: one SQLite file, readable by its owner alone.
      .SH ENVIRONMENT
      .TP
      .B NO_COLOR
      Plain text on a terminal.
      .TP
      .B COLUMNS
      How wide a line may be where output is no terminal.
      .TP
      .B PAGER
      What shows long output on a terminal; less if not set.
      .TP
      .B NO_PAGER
      Set to anything: no pages, as with \\fB\\-\\-no\\-pager\\fR.

      """
    return page
  }

  private static func section(_ syntax: CommandSyntax) -> String {
    var text = ".SS \(escaped(syntax.usage))\n\(escaped(syntax.summary)).\n"
    if !syntax.discussion.isEmpty {
      text += ".PP\n"
      for line in syntax.discussion.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.isEmpty {
          text += ".PP\n"
          continue
        }
        // Lines that are set in columns stay lines.
        text += line.hasPrefix(" ") || line.hasPrefix("{") ? ".br\n" : ""
        text += escaped(String(line.drop { $0 == " " })) + "\n"
      }
    }
    for operand in syntax.operands {
      text += ".TP\n\\fI\(escaped(operand.name))\\fR\n\(escaped(operand.help))\n"
    }
    for option in syntax.options { text += paragraph(option) }
    text += ".PP\nExample:\n.PP\n.nf\n"
    text += syntax.example.split(separator: "\n").map { "    " + escaped(String($0)) + "\n" }
      .joined()
    return text + ".fi\n"
  }

  private static func paragraph(_ option: Option) -> String {
    let value = option.value.map { " \\fI\(escaped($0))\\fR" } ?? ""
    return ".TP\n\\fB\(escaped(option.name))\\fR\(value)\n\(escaped(option.help))\n"
  }

  /// Text that troff takes for text.
  private static func escaped(_ text: String) -> String {
    let text = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .replacing("“", with: "\\(lq").replacing("”", with: "\\(rq")
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }
}
