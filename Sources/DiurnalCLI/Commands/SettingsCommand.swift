internal import DayLog
internal import Diurnal
internal import Storage

/// `diurnal settings`: what the person has chosen.
struct SettingsCommand: Command {
  static let syntax = CommandSyntax(
    name: "settings", summary: "show or change settings",
    operands: [
      Operand(name: "KEY", count: .optional, help: "one of those below"),
      Operand(name: "VALUE", count: .optional, help: "the new value"),
    ],
    options: [.flag("--unset", "go back to the default")],
    discussion: """
      notifications     on unless switched off
      quiet.hours       when no nudge is sent, such as 22:00-07:00, or none
      day.start         when the day starts, such as 04:00; imported files wait to be imported again then
      sources.order     beginnings of source names, most trusted first, divided by commas
      refresh.sources   folders with exports that the health refresh reads, divided by commas
      refresh.every     how often the background tasks are wanted, such as 30min, 4h or 7d
      retrain.every
      engagement.every
      insight.every
      """,
    example: "diurnal settings day.start 04:00")

  /// Only where something is set.
  var isLaunch: Bool { value != nil || unsets }

  private let key: String?
  private let value: String?
  private let unsets: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    key = arguments.operands.first
    let given = arguments.operands.count > 1 ? arguments.operands[1] : nil
    unsets = arguments.has("--unset")
    if unsets, key == nil || given != nil { throw .usage("--unset takes a key alone", Self.syntax) }
    guard let key else {
      value = nil
      return
    }
    guard let known = Self.known.first(where: { $0.name == key }) else {
      throw .usage(
        "unknown setting “\(key)”" + Suggestion.text(for: key, among: Self.known.map(\.name)),
        Self.syntax)
    }
    value = given.flatMap(known.written)
    if let given, value == nil {
      throw Failure(.usage, "“\(given)” is no value of \(key)\nSee: diurnal settings --help")
    }
  }

  /// A setting, whatever its value is.
  private struct Known: Sendable {
    let name: String
    let standard: String
    /// A text as it is stored; nil where it is no value of the setting.
    let written: @Sendable (String) -> String?

    /// `standard` tells what holds where nothing was set, if that is more than the setting's own text.
    init<Value>(_ setting: Setting<Value>, standard: String? = nil) {
      name = setting.name
      self.standard = standard ?? setting.text(of: setting.standard)
      written = { text in setting.value(of: text).map { _ in text } }
    }

    /// A list, each element stored as `element` makes it.
    init(
      list setting: Setting<[String]>, standard: String? = nil,
      element: @escaping @Sendable (String) -> String = { $0 }
    ) {
      name = setting.name
      self.standard = standard ?? setting.text(of: setting.standard)
      written = { text in setting.value(of: text).map { setting.text(of: $0.map(element)) } }
    }
  }

  private static let known = [
    Known(Setting<Bool>.notifications), Known(.quietHours), Known(.dayStart),
    Known(list: .sourceOrder, standard: SourceRanking.standard.prefixes.joined(separator: ",")),
    // A timer starts the refresh in another folder.
    Known(list: .refreshSources, element: Context.absolute), Known(.refreshInterval),
    Known(.retrainInterval), Known(.engagementInterval), Known(.insightInterval),
  ]

  func run(in context: Context) async throws {
    let journal: Journal
    do {
      journal = try context.journal(isLaunch ? .readWrite : .read)
    } catch StorageError.missing {
      // Nothing was set yet.
      show([:], notifications: Setting<Bool>.notifications.standard, context)
      return
    }
    if let key, isLaunch {
      try await journal.store.set(key, to: value)
      let stale = try await journal.store.staleFiles()
      if !stale.isEmpty {
        Terminal.remark(
          "note: import again, by the new day start: \(stale.map { Harmless.line($0.name) }.joined(separator: ", "))"
        )
      }
    }
    let notifications = try await journal.store.value(of: .notifications)
    let stored = try await journal.store.settings()
    await journal.store.close()
    show(stored, notifications: notifications, context)
  }

  private func show(_ stored: [String: String], notifications: Bool, _ context: Context) {
    let shown = Self.known.filter { key == nil || $0.name == key }.map { setting in
      let isSwitch = setting.name == Setting<Bool>.notifications.name
      return (
        setting.name,
        isSwitch ? (notifications ? "on" : "off") : stored[setting.name] ?? setting.standard
      )
    }
    if context.isJSON {
      Terminal.result(.object(shown.map { ($0.0, .string($0.1)) }))
    } else {
      Terminal.result(CommandSyntax.aligned(shown))
    }
  }
}
