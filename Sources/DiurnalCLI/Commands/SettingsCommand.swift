internal import DayLog
internal import Diurnal
internal import HealthImport
internal import Personalisation
internal import Storage

/// `diurnal settings`: what the person has chosen.
struct SettingsCommand: Command {
  static let syntax = CommandSyntax(
    name: "settings", summary: "show or change settings",
    operands: [
      Operand(name: "KEY", count: .optional, help: "one of those above"),
      Operand(name: "VALUE", count: .optional, help: "the new value"),
    ],
    options: [.flag("--unset", "go back to the default")],
    discussion: "Settings, each with an example:\n"
      + known.map { "  \($0.name) \($0.example)\n      \($0.summary)" }
      .joined(separator: "\n"),
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
      throw Failure(
        .usage,
        "“\(given)” is no value of \(key): \(known.summary)\nExample: diurnal settings \(key) \(known.example)"
      )
    }
  }

  /// The names of all settings.
  static var keys: [String] { known.map(\.name) }

  /// A setting, whatever its value is.
  private struct Known: Sendable {
    let name: String
    let standard: String
    /// What it decides, in one line, and a value that it could have.
    let summary: String
    let example: String
    /// A text as it is stored; nil where it is no value of the setting.
    let written: @Sendable (String) -> String?

    /// `standard` tells what holds where nothing was set, if that is more than the setting's own text.
    init<Value>(_ setting: Setting<Value>, _ example: String, _ summary: String) {
      name = setting.name
      standard = setting.text(of: setting.standard)
      self.summary = summary
      self.example = example
      // Stored in one way, however it was written.
      written = { text in setting.value(of: text).map { setting.text(of: $0) } }
    }

    /// A list, each element stored as `element` makes it; nil where one is no value.
    init(
      list setting: Setting<[String]>, standard: String? = nil, _ example: String,
      _ summary: String, element: @escaping @Sendable (String) -> String? = { $0 }
    ) {
      name = setting.name
      self.standard = standard ?? setting.text(of: setting.standard)
      self.summary = summary
      self.example = example
      written = { text in
        guard let elements = setting.value(of: text) else { return nil }
        let read = elements.compactMap(element)
        return read.count == elements.count ? setting.text(of: read) : nil
      }
    }
  }

  private static let known = [
    Known(Setting<Bool>.notifications, "off", "whether nudges and looks back on the week are sent"),
    Known(.quietHours, "22:00-07:00", "when no nudge is sent; none for never"),
    Known(.dayStart, "04:00", "when the day starts; imported files wait to be imported again then"),
    Known(
      list: .sourceOrder, standard: SourceRanking.standard.prefixes.joined(separator: ","),
      "oura,apple-health", "beginnings of source names, most trusted first, divided by commas"),
    Known(
      list: .targets,
      standard: "what people rate, symptoms, sleep, HRV, resting heart rate, steps, scores",
      "mood,'sleep_hours<6'", "what is trained where no target is named, divided by commas",
      element: { Target($0)?.description }),
    // A timer starts the refresh in another folder.
    Known(
      list: .refreshSources, "~/exports",
      "folders with exports that the health refresh reads, divided by commas",
      element: Context.absolute),
    Known(.refreshInterval, "4h", "how often those folders are looked through: 15min to 366d"),
    Known(.retrainInterval, "7d", "how often the models are brought up to date"),
    Known(.engagementInterval, "1d", "how often it is asked whether a nudge is due"),
    Known(.insightInterval, "7d", "how often a week is looked back on"),
  ]

  /// Refuses a text that can be read and means nothing in this log.
  private func check(_ journal: Journal, _ context: Context) async throws {
    guard let value else { return }
    if key == Setting<[String]>.sourceOrder.name {
      let sources = Set(try await journal.metricSummaries().flatMap { $0.sources.map(\.name) })
      let known = sources.union(SourceRanking.standard.prefixes).union(Importer.formats).sorted()
      for prefix in Setting<[String]>.sourceOrder.value(of: value) ?? []
      where !known.contains(where: { $0.hasPrefix(prefix) }) {
        throw Failure(
          .badInput,
          "no source begins with “\(prefix)”\(Suggestion.text(for: prefix, among: known)); there are: "
            + known.map { Harmless.line($0) }.joined(separator: ", "))
      }
    }
    if key == Setting<[String]>.targets.name {
      let logged = Set(try await journal.metricSummaries().map(\.metric))
      for target in (Setting<[String]>.targets.value(of: value) ?? []).compactMap({ Target($0) })
      where !logged.contains(target.metric) {
        throw Failure.unknown(target.metric, among: logged)
      }
    }
    if key == Setting<[String]>.refreshSources.name {
      for folder in Setting<[String]>.refreshSources.value(of: value) ?? []
      where !ExportFolder.exists(at: folder) {
        Terminal.remark(
          "note: there is no folder at \(folder) now; it is looked for at each refresh")
      }
    }
  }

  func run(in context: Context) async throws {
    let journal: Journal
    do {
      journal = try context.journal(
        isLaunch ? .readWrite : .read, creates: isLaunch ? .unlessNamed : .never)
    } catch StorageError.missing where !isLaunch {
      // Nothing was set yet.
      show([:], notifications: Setting<Bool>.notifications.standard, context)
      return
    }
    if let key, isLaunch {
      try await check(journal, context)
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
      // A list can be divided between its elements.
      Terminal.result(
        CommandSyntax.aligned(
          shown.map {
            ($0, $1.isEmpty ? "none" : $1.replacing(",", with: ", ").replacing(",  ", with: ", "))
          }))
    }
  }
}
