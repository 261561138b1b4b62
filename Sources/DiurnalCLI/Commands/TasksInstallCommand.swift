internal import Diurnal

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// `diurnal tasks install`: what makes the machine start the tasks by itself.
struct TasksInstallCommand: Command {
  static let syntax = CommandSyntax(
    name: "tasks install", summary: "write the files that make a timer run the background tasks",
    options: [
      .flag("--print", "print the files and write none"),
      .flag("--force", "write over files that differ"),
    ],
    discussion: """
      Writes user units for systemd to $XDG_CONFIG_HOME/systemd/user, else ~/.config/systemd/user; on macOS an
      agent for launchd to ~/Library/LaunchAgents. They name this program, this log, and the zone
      where --zone is given. Nothing is enabled: the commands that do so are printed.
      """,
    example: "diurnal tasks install")

  var finishesPendingWork: Bool { false }

  private let prints: Bool
  private let forces: Bool
  private let zone: String?

  init(_ arguments: ParsedArguments) throws(Failure) {
    prints = arguments.has("--print")
    forces = arguments.has("--force")
    zone = arguments.text("--zone")
  }

  func run(in context: Context) async throws {
    let units = ServiceUnits(
      program: try Self.program(),
      arguments: ["--store", Context.absolute(context.storePath)]
        + (zone.map { ["--zone", $0] } ?? []) + ["tasks", "run"])
    let folder = try Self.folder(ProcessInfo.processInfo.environment)
    let files = Self.files(units, in: folder)
    if prints {
      show(files, written: false, context)
      return
    }
    try Self.make(folder)
    let outputs = try files.map { file in
      (
        try OutputFile(
          file.path, OutputFile.Kind("this unit", equalTo: Array(file.text.utf8)),
          inputs: [context.storePath], forces: forces), file.text
      )
    }
    for (output, text) in outputs { try output.write(Array(text.utf8)) }
    show(files, written: true, context)
    if let remark = Self.missingManager(ProcessInfo.processInfo.environment) {
      Terminal.remark(remark)
    } else if DesktopNotifier(environment: ProcessInfo.processInfo.environment) == nil {
      Terminal.remark(
        "note: there is no notify-send here and the service keeps no output, so that no nudge will reach you: "
          + "install it (apt install libnotify-bin), or look with diurnal tasks status")
    }
  }

  private struct File {
    let path: String
    let text: String
  }

  #if os(macOS)
    private static func folder(_ environment: [String: String]) throws(Failure) -> String {
      try home(environment) + "/Library/LaunchAgents"
    }

    private static func files(_ units: ServiceUnits, in folder: String) -> [File] {
      [File(path: "\(folder)/\(ServiceUnits.name).plist", text: units.launchdPropertyList)]
    }

    private static func enabling(_ files: [File]) -> [String] {
      files.map { "launchctl bootstrap gui/$(id -u) '\($0.path)'" }
    }

    private static func program() throws(Failure) -> String {
      Context.absolute(CommandLine.arguments[0])
    }

    private static func missingManager(_ environment: [String: String]) -> String? { nil }
  #else
    /// What to do where nothing would ever read the files.
    private static func missingManager(_ environment: [String: String]) -> String? {
      let folders = (environment["PATH"] ?? "").split(separator: ":")
      if folders.contains(where: {
        FileManager.default.isExecutableFile(atPath: "\($0)/systemctl")
      }) {
        return nil
      }
      return
        "note: there is no systemctl here, so nothing starts the timer: diurnal tasks watch stays and "
        + "does the same"
    }

    private static func folder(_ environment: [String: String]) throws(Failure) -> String {
      // The specification wants a path that is not absolute to be passed over.
      if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
        return folder + "/systemd/user"
      }
      return try home(environment) + "/.config/systemd/user"
    }

    private static func files(_ units: ServiceUnits, in folder: String) -> [File] {
      [
        File(path: "\(folder)/\(ServiceUnits.name).service", text: units.systemdService),
        File(path: "\(folder)/\(ServiceUnits.name).timer", text: units.systemdTimer),
      ]
    }

    private static func enabling(_ files: [File]) -> [String] {
      [
        "systemctl --user daemon-reload",
        "systemctl --user enable --now \(ServiceUnits.name).timer",
      ]
    }

    /// The file of this process, wherever its name was found.
    private static func program() throws(Failure) -> String {
      do {
        return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      } catch {
        return Context.absolute(CommandLine.arguments[0])
      }
    }
  #endif

  private static func home(_ environment: [String: String]) throws(Failure) -> String {
    guard let home = environment["HOME"], !home.isEmpty else {
      throw Failure(.usage, "no place for the files: set HOME to your own folder")
    }
    return home
  }

  private static func make(_ folder: String) throws(Failure) {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw Failure(.inputOutput, "cannot make the folder \(folder): check that it may be written")
    }
  }

  private func show(_ files: [File], written: Bool, _ context: Context) {
    let commands = Self.enabling(files)
    if context.isJSON {
      let listed = files.map {
        JSONValue.object([("path", .string($0.path)), ("text", .string($0.text))])
      }
      Terminal.result(
        .object([
          ("written", .bool(written)), ("files", .array(listed)),
          ("enable", .array(commands.map { .string($0) })),
        ]))
      return
    }
    for file in files {
      Terminal.result(written ? "wrote \(file.path)\n" : "# \(file.path)\n\(file.text)\n")
    }
    let intro = written ? "Enable it with:\n" : "# Enable it with:\n"
    let mark = written ? "  " : "#   "
    Terminal.result(intro + commands.map { "\(mark)\($0)\n" }.joined())
  }
}
