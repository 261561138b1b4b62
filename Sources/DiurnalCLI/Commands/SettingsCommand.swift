internal import Diurnal
internal import Storage

/// `diurnal settings`: what the person has chosen.
struct SettingsCommand: Command {
  static let syntax = CommandSyntax(
    name: "settings", summary: "show or change settings",
    operands: [
      Operand(
        name: "KEY", count: .optional,
        help: "notifications, day.start, sources.order, refresh.sources"),
      Operand(name: "VALUE", count: .optional, help: "the new value"),
    ],
    options: [.flag("--unset", "go back to the default")],
    discussion: """
      notifications    on unless switched off
      day.start        when the day starts, such as 04:00; imported files wait to be imported again then
      sources.order    beginnings of source names, most trusted first, divided by commas
      refresh.sources  folders with exports that the health refresh reads, divided by commas
      """,
    example: "diurnal settings day.start 04:00")

  private let key: String?
  private let value: String?
  private let unsets: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    key = arguments.operands.first
    value = arguments.operands.count > 1 ? arguments.operands[1] : nil
    unsets = arguments.has("--unset")
    if unsets, key == nil || value != nil { throw .usage("--unset takes a key alone", Self.syntax) }
    if let key, !Self.keys.contains(key) {
      throw .usage(
        "unknown setting “\(key)”" + Suggestion.text(for: key, among: Self.keys), Self.syntax)
    }
  }

  private static let keys = [
    Setting<Bool>.notifications.name, Setting<Int>.dayStart.name,
    Setting<[String]>.sourceOrder.name, Setting<[String]>.refreshSources.name,
  ]

  func run(in context: Context) async throws {
    let journal = try context.journal()
    if let key, value != nil || unsets {
      switch key {
      case Setting<Bool>.notifications.name: try await set(.notifications, journal)
      case Setting<Int>.dayStart.name: try await set(.dayStart, journal)
      case Setting<[String]>.sourceOrder.name: try await set(.sourceOrder, journal)
      default: try await set(.refreshSources, journal)
      }
      let stale = try await journal.store.staleFiles()
      if !stale.isEmpty {
        Terminal.remark(
          "note: import again, by the new day start: \(stale.map(\.name).joined(separator: ", "))")
      }
    }
    let notifications = try await journal.store.value(of: .notifications)
    let stored = try await journal.store.settings()
    await journal.store.close()
    let standards = ["notifications": notifications ? "on" : "off", "day.start": "00:00"]
    let shown = Self.keys.filter { key == nil || $0 == key }.map { name in
      (
        name,
        name == "notifications" ? standards[name] ?? "" : stored[name] ?? standards[name] ?? ""
      )
    }
    if context.isJSON {
      Terminal.result(.object(shown.map { ($0.0, .string($0.1)) }))
    } else {
      Terminal.result(CommandSyntax.aligned(shown))
    }
  }

  private func set<Value>(_ setting: Setting<Value>, _ journal: Journal) async throws {
    guard let value else {
      try await journal.store.set(setting, to: nil)
      return
    }
    do {
      try await journal.store.set(setting.name, to: value)
    } catch StorageError.unreadableSetting {
      throw Failure(
        .usage, "“\(value)” is no value of \(setting.name)\nSee: diurnal settings --help")
    }
  }
}
