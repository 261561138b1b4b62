internal import DayLog
internal import Diurnal
internal import LinearAlgebra
internal import Scheduling
internal import Storage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// `diurnal doctor`: what is wrong, and how to mend it.
struct DoctorCommand: Command {
  static let isReading = true

  static let syntax = CommandSyntax(
    name: "doctor", summary: "look for what is wrong, and say how to mend it",
    options: [
      .flag("--repair", "take what is whole out of a damaged log into a new file beside it")
    ],
    discussion: """
      Looks at the file of the log, the linear algebra library, the power supply and the background tasks.
      The exit code is 1 where anything is wrong. --repair leaves the damaged file as it is and says what is lost.
      """,
    example: "diurnal doctor")

  var finishesPendingWork: Bool { false }

  private let repairs: Bool

  init(_ arguments: ParsedArguments) throws(Failure) { repairs = arguments.has("--repair") }

  func run(in context: Context) async throws {
    if repairs { return try repair(context) }
    let blas = BLASRuntime.current
    let power = PowerSupply.read(root: Context.powerRoot)
    let network = NetworkLink.read(root: Context.networkRoot)
    // Before anything opens the store, which would bring it up to date.
    let schema = Self.schema(context.storePath)
    let modes = Self.modes(context.storePath)
    var problems = await Self.storeProblems(context)
    // Of what is no log it is not for us to say who may open it.
    for file in modes where schema != nil && file.mode & 0o077 != 0 {
      problems.append("\(file.path) can be opened by others: chmod 600 \(file.path)")
    }
    if let better = blas.betterKernel {
      problems.append(
        "the \(blas.kernel) kernel does not fit this processor: set OPENBLAS_CORETYPE=\(better)")
    }
    if context.isJSON {
      Terminal.result(
        .object([
          ("store", .string(context.storePath)), ("schema", schema.map { .integer($0) } ?? .null),
          ("known_schema", .integer(LogStore.schemaVersion)),
          ("mode", .string(modes.first { $0.path == context.storePath }?.octal)),
          (
            "files",
            .array(
              modes.map { .object([("file", .string($0.path)), ("mode", .string($0.octal))]) })
          ), ("library", .string(blas.library)),
          ("library_version", .string(blas.version)), ("kernel", .string(blas.kernel)),
          ("kernel_fits", .bool(blas.fitsProcessor)), ("threads", .integer(blas.threadCount)),
          ("external_power", power.isExternal.map { .bool($0) } ?? .null),
          ("power_evidence", .string(power.evidence)),
          ("network", network.isThere.map { .bool($0) } ?? .null),
          ("network_evidence", .string(network.evidence)),
          ("problems", .array(problems.map { .string($0) })),
        ]))
    } else {
      let fit = blas.fitsProcessor ? "fits this processor" : "does not fit this processor"
      let version = LogStore.schemaVersion
      let schemaText = schema.map {
        $0 == version ? "\($0)" : "\($0), this version writes \(version)"
      }
      Terminal.result(
        CommandSyntax.aligned(
          [("store", context.storePath), ("schema", schemaText ?? "–")]
            + modes.map { ("mode", "\($0.octal) \($0.path)") } + [
              ("library", "\(blas.library) \(blas.version)"), ("kernel", "\(blas.kernel), \(fit)"),
              ("threads", String(blas.threadCount)),
              ("power", "\(power.words): \(power.evidence)"),
              ("network", "\(network.words): \(network.evidence)"),
              ("zone", context.zoneWords),
            ]))
      for problem in problems { Terminal.result("! \(Harmless.line(problem))\n") }
      if problems.isEmpty { Terminal.result("nothing is wrong\n") }
    }
    guard problems.isEmpty else {
      throw Failure(.failed, "what is wrong: \(problems.count), named above with what to do")
    }
  }

  private static func rescue(_ path: String, to target: String) throws -> RescueSummary {
    do throws(StorageError) {
      return try LogStore.rescue(from: path, to: target)
    } catch {
      guard case .readOnly = error else { throw error }
      throw Failure(
        .inputOutput,
        "\(Harmless.line(target)) cannot be made: is it there already? Move it away and try again")
    }
  }

  private func repair(_ context: Context) throws {
    let path = context.storePath
    let target = path + ".repaired"
    let summary = try Self.rescue(path, to: target)
    let kept = summary.kept.sorted { $0.key < $1.key }
    let spoilt = summary.spoilt.sorted { $0.key < $1.key }
    if context.isJSON {
      Terminal.result(
        .object([
          ("file", .string(target)), ("complete", .bool(summary.isComplete)),
          ("kept", .object(kept.map { ($0.key, .integer($0.value)) })),
          ("lost", .object(spoilt.map { ($0.key, .integer($0.value)) })),
          ("unreadable", .array(summary.unreadable.map { .string($0) })),
        ]))
      return
    }
    for (words, count) in kept {
      Terminal.result("\(count) \(words) are in \(Harmless.line(target))\n")
    }
    for (words, count) in spoilt { Terminal.result("! \(count) \(words) are lost\n") }
    for words in summary.unreadable {
      Terminal.result("! some \(words) cannot be read and are lost; how many is not known\n")
    }
    Terminal.result(
      (summary.isComplete ? "nothing is lost\n" : "import again what came from exports\n")
        + "to go on with it: mv '\(Harmless.line(target))' '\(Harmless.line(path))' after keeping a copy of the damaged file, then diurnal train\n"
    )
  }

  /// The schema of the file as it is; nil where it cannot be read, of which opening it tells.
  private static func schema(_ path: String) -> Int? {
    do { return try LogStore.schemaVersion(ofFileAt: path) } catch { return nil }
  }

  /// What is wrong with the file and with the tasks in it; a file that cannot be opened is one problem.
  private static func storeProblems(_ context: Context) async -> [String] {
    do {
      let reader = try context.journal(.read)
      let broken = try await reader.store.integrityProblems()
      guard broken.isEmpty else {
        await reader.store.close()
        return broken.map {
          "\(context.storePath): \($0): restore the last backup, or take out what is whole with doctor --repair"
        }
      }
      let findings = try await context.inspect(reader).findings
      await reader.store.close()
      return findings.map { $0.advice(context.write) }
    } catch {
      return [Failure(error).message]
    }
  }

  /// Who may do what with a file of the store.
  private struct FileMode {
    let path: String
    let mode: Int

    /// As `chmod` counts it.
    var octal: String { "0" + String(mode, radix: 8) }
  }

  /// The modes of the store, and of the log and the index beside it while it is open; those that are there.
  private static func modes(_ path: String) -> [FileMode] {
    ["", "-wal", "-shm"].compactMap { suffix in
      let attributes: [FileAttributeKey: Any]
      do {
        attributes = try FileManager.default.attributesOfItem(atPath: path + suffix)
      } catch {
        return nil
      }
      guard attributes[.type] as? FileAttributeType == .typeRegular,
        let permissions = attributes[.posixPermissions] as? any BinaryInteger
      else { return nil }
      return FileMode(path: path + suffix, mode: Int(permissions))
    }
  }
}

extension PowerSupply {
  fileprivate var words: String {
    switch isExternal {
    case true?: "external"
    case false?: "battery"
    case nil: "unknown, so nothing that needs external power runs"
    }
  }
}

extension NetworkLink {
  fileprivate var words: String {
    switch isThere {
    case true?: "there"
    case false?: "none"
    case nil: "unknown, so nothing that needs a network runs"
    }
  }
}
