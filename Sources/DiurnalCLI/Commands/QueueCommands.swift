internal import DayLog
internal import Diurnal
internal import Storage

/// `diurnal queue list`: what waits.
struct QueueListCommand: Command {
  static let isReading = true

  static let syntax = CommandSyntax(
    name: "queue list", summary: "print the payloads that wait, in the order of arrival",
    discussion: "One payload a line, as it was handed over.",
    example: "diurnal queue list")

  init(_ arguments: ParsedArguments) throws(Failure) {}

  func run(in context: Context) async throws {
    let journal = try context.journal(.read)
    let waiting = try await journal.store.payloads()
    await journal.store.close()
    let lines = waiting.map(Self.line)
    guard context.isJSON else {
      Terminal.result(lines.map { Harmless.line($0) + "\n" }.joined())
      if lines.isEmpty { Terminal.remark("note: nothing waits in the queue") }
      return
    }
    let payloads = zip(waiting, lines).map { payload, line in
      JSONValue.object([
        ("id", .string(payload.id)), ("kind", .string(payload.kind)),
        ("known", .bool(Payload.Kind(rawValue: payload.kind) != nil)), ("payload", .string(line)),
      ])
    }
    Terminal.result(.object([("payloads", .array(payloads))]))
  }

  /// A line end or tab inside an object is only white space between its members.
  private static func line(_ payload: QueuedPayload) -> String {
    String(decoding: payload.bytes.map { $0 < 32 ? 32 : $0 }, as: UTF8.self)
  }
}

/// `diurnal queue add`: what a device hands over.
struct QueueAddCommand: Command {
  static let syntax = CommandSyntax(
    name: "queue add", summary: "put the payloads of a file at the end of the queue",
    operands: [Operand(name: "FILE", count: .one, help: "JSON objects, one after another")],
    discussion: """
      {"id":"1","kind":"symptom","at":"2024-05-01T09:00:00+02:00","name":"headache","severity":3}
      {"id":"2","kind":"check-in","at":"2024-05-01T09:00:00+02:00","mood":4,"energy":3}
      A payload whose id was handed over before is not stored again. One of a kind that this version does
      not know waits until a version that knows it drains the queue.
      """,
    example: "diurnal queue add payloads.json")

  var isLaunch: Bool { true }

  private let path: String

  init(_ arguments: ParsedArguments) throws(Failure) { path = arguments.operands[0] }

  func run(in context: Context) async throws {
    let payloads = try Self.payloads(try InputFile(path))
    let journal = try context.journal(creates: .unlessNamed)
    let added = try await journal.store.enqueue(payloads)
    await journal.store.close()
    let known = payloads.count - added
    if context.isJSON {
      Terminal.result(.object([("added", .integer(added)), ("known", .integer(known))]))
    } else {
      Terminal.result("\(added) added, \(known) known already\n")
    }
  }

  /// All payloads of the file, or none.
  private static func payloads(_ file: InputFile) throws(Failure) -> [QueuedPayload] {
    let objects: [ArraySlice<UInt8>]
    do throws(JSON.Failure) {
      objects = try JSON.objects(in: file.bytes)
    } catch {
      let place = file.place(ofByte: error.offset)
      throw Failure(
        .badInput, "\(place): \(error.reason): nothing was added; mend the line and add it again")
    }
    guard !objects.isEmpty else {
      throw Failure(.badInput, "\(file.path) is empty: give a file of JSON objects")
    }
    var payloads: [QueuedPayload] = []
    for object in objects {
      do throws(PayloadError) {
        payloads.append(try QueuedPayload(object))
      } catch {
        let place = file.place(ofByte: object.startIndex)
        throw Failure(
          .badInput, "\(place): \(error): nothing was added; mend the object and add it again")
      }
    }
    return payloads
  }
}

/// `diurnal queue drain`: out of the queue, into the log.
struct QueueDrainCommand: Command {
  static let syntax = CommandSyntax(
    name: "queue drain", summary: "apply the payloads that wait to the log",
    options: [.value("--kind", "KIND", "only symptom, or only check-in")],
    discussion: """
      Payloads of other kinds, and those that cannot be read, stay in the queue byte for byte. Of two check-ins
      for one day the later one counts.
      """,
    example: "diurnal queue drain --kind symptom")

  var isLaunch: Bool { true }

  private let kinds: [Payload.Kind]

  init(_ arguments: ParsedArguments) throws(Failure) {
    guard let name = arguments.text("--kind") else {
      kinds = Payload.Kind.allCases
      return
    }
    guard let kind = Payload.Kind(rawValue: name) else {
      let known = Payload.Kind.allCases.map(\.rawValue)
      let hint = Suggestion.text(for: name, among: known)
      throw .usage("--kind takes \(known.joined(separator: " or "))\(hint)", Self.syntax)
    }
    kinds = [kind]
  }

  func run(in context: Context) async throws {
    let journal = try context.journal()
    var drained: [(kind: Payload.Kind, summary: DrainSummary)] = []
    for kind in kinds {
      drained.append((kind, try await journal.store.drain(kind, now: context.now)))
    }
    let waiting = try await journal.store.payloads().count
    await journal.store.close()
    if context.isJSON {
      Terminal.result(
        .object([
          ("kinds", .array(drained.map { Self.json($0.kind, $0.summary) })),
          ("waiting", .integer(waiting)),
        ]))
    } else {
      for (kind, summary) in drained {
        Terminal.result("\(kind.rawValue): \(summary.applied) applied\n")
      }
      Terminal.result("\(waiting) still waiting\n")
    }
    let failed = drained.flatMap(\.summary.failed)
    if !failed.isEmpty {
      let names = failed.map { Harmless.line($0) }.joined(separator: ", ")
      throw Failure(
        .badInput, "payloads that cannot be read wait on: \(names)\nSee: diurnal queue list")
    }
  }

  private static func json(_ kind: Payload.Kind, _ summary: DrainSummary) -> JSONValue {
    .object([
      ("kind", .string(kind.rawValue)), ("applied", .integer(summary.applied)),
      ("failed", .array(summary.failed.map { .string($0) })),
      ("changed_days", .array(summary.merged.changedDays.map { .string($0.description) })),
    ])
  }
}
