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
  static let syntax = CommandSyntax(
    name: "doctor", summary: "look for what is wrong, and say how to mend it",
    discussion: """
      Looks at the file of the log, the linear algebra library, the power supply and the background tasks.
      The exit code is 1 where anything is wrong.
      """,
    example: "diurnal doctor")

  init(_ arguments: ParsedArguments) throws(Failure) {}

  func run(in context: Context) async throws {
    let blas = BLASRuntime.current
    let power = PowerSupply.read(root: Context.powerRoot)
    let network = NetworkLink.read(root: Context.networkRoot)
    let mode = Self.mode(context.storePath)
    var problems = await Self.storeProblems(context)
    if let mode, mode & 0o077 != 0 {
      problems.append(
        "\(context.storePath) can be opened by others: chmod 600 \(context.storePath)")
    }
    if let better = blas.betterKernel {
      problems.append(
        "the \(blas.kernel) kernel does not fit this processor: set OPENBLAS_CORETYPE=\(better)")
    }
    let octal = mode.map { "0" + String($0, radix: 8) }
    if context.isJSON {
      Terminal.result(
        .object([
          ("store", .string(context.storePath)), ("schema", .integer(LogStore.schemaVersion)),
          ("mode", .string(octal)), ("library", .string(blas.library)),
          ("library_version", .string(blas.version)), ("kernel", .string(blas.kernel)),
          ("kernel_fits", .bool(blas.fitsProcessor)), ("threads", .integer(blas.threadCount)),
          ("external_power", .bool(power.isExternal)), ("power_evidence", .string(power.evidence)),
          ("network", .bool(network.isThere)), ("network_evidence", .string(network.evidence)),
          ("problems", .array(problems.map { .string($0) })),
        ]))
    } else {
      let fit = blas.fitsProcessor ? "fits this processor" : "does not fit this processor"
      Terminal.result(
        CommandSyntax.aligned([
          ("store", context.storePath), ("schema", String(LogStore.schemaVersion)),
          ("mode", octal ?? "–"), ("library", "\(blas.library) \(blas.version)"),
          ("kernel", "\(blas.kernel), \(fit)"), ("threads", String(blas.threadCount)),
          ("power", "\(power.isExternal ? "external" : "battery"): \(power.evidence)"),
          ("network", "\(network.isThere ? "there" : "none"): \(network.evidence)"),
        ]))
      for problem in problems { Terminal.result("! \(problem)\n") }
      if problems.isEmpty { Terminal.result("nothing is wrong\n") }
    }
    guard problems.isEmpty else {
      throw Failure(.failed, "what is wrong: \(problems.count), named above with what to do")
    }
  }

  /// What is wrong with the file and with the tasks in it; a file that cannot be opened is one problem.
  private static func storeProblems(_ context: Context) async -> [String] {
    do {
      let reader = try context.journal(.read)
      let broken = try await reader.store.integrityProblems()
      guard broken.isEmpty else {
        await reader.store.close()
        return broken.map { "\(context.storePath): \($0): restore the last backup" }
      }
      let findings = try await context.inspect(reader).findings
      await reader.store.close()
      return findings.map { $0.words(context.write) }
    } catch {
      return [Failure(error).message]
    }
  }

  /// Who may do what with the file, as `chmod` counts it; nil where there is none.
  private static func mode(_ path: String) -> Int? {
    let attributes: [FileAttributeKey: Any]
    do {
      attributes = try FileManager.default.attributesOfItem(atPath: path)
    } catch {
      return nil
    }
    guard let permissions = attributes[.posixPermissions] as? any BinaryInteger else { return nil }
    return Int(permissions)
  }
}
