internal import LinearAlgebra

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

let arguments = Array(CommandLine.arguments.dropFirst())

do {
  // As the tool does: one thread, a kernel that fits, and freed memory kept, before any other call of BLAS.
  let kernelIsAsked = ProcessInfo.processInfo.environment["OPENBLAS_CORETYPE"] != nil
  let blas = BLASRuntime.prepare()
  BLASRuntime.keepFreedMemory()
  if arguments.count == 2, arguments[0] == WholeProcess.argument {
    try await WholeProcess.run(store: arguments[1])
    exit(0)
  }
  var options = try Options(arguments)
  options.kernelIsAsked = kernelIsAsked
  if options.showsHelp {
    print(Options.help)
    exit(0)
  }
  guard ReleaseBuild.isThis else {
    Run.remark(
      "This is a debug build, whose times mean nothing: building and running a release one.")
    ReleaseBuild.become(program: CommandLine.arguments[0], arguments: arguments)
    Run.remark("error: the release build failed; try `swift build -c release --product bench`")
    exit(1)
  }
  if options.lists {
    print(Report.list)
    exit(0)
  }
  exit(try await Report.make(options, arguments: arguments, machine: .current(blas)))
} catch let wrong as Options.Wrong {
  Run.remark("error: \(wrong.sentence)")
  exit(64)
} catch {
  Run.remark("error: \(error)")
  exit(1)
}
