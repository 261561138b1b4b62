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

/// What the numbers of a run were measured on.
struct Machine: Codable, Equatable {
  var system: String
  var processor: String
  var cores: Int
  var memoryBytes: Double
  var build: String
  var blas: String
  var kernel: String
  var kernelFits: Bool
  var blasThreads: Int

  /// The machine that runs this process.
  static func current(_ blas: BLASRuntime) -> Machine {
    let information = ProcessInfo.processInfo
    return Machine(
      system: systemName, processor: processorName, cores: information.activeProcessorCount,
      memoryBytes: Double(information.physicalMemory), build: ReleaseBuild.configuration,
      blas: "\(blas.library) \(blas.version)", kernel: blas.kernel, kernelFits: blas.fitsProcessor,
      blasThreads: blas.threadCount)
  }

  /// The first lines of a report.
  var header: String {
    """
    \(processor), \(cores) cores, \(Format.memory(bytes: memoryBytes)); \(system); \(build) build
    \(blas), kernel \(kernel)\(kernelFits ? "" : " (does not fit this processor)"), \
    \(blasThreads) thread\(blasThreads == 1 ? "" : "s")
    """
  }

  private static var systemName: String {
    #if os(Linux)
      let release = OptionalText.read("/etc/os-release") ?? ""
      let line = release.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
      return line.map { String($0.dropFirst(12)).filter { $0 != "\"" } } ?? "Linux"
    #else
      return ProcessInfo.processInfo.operatingSystemVersionString
    #endif
  }

  private static var processorName: String {
    let list = OptionalText.read("/proc/cpuinfo") ?? ""
    let line = list.split(separator: "\n").first { $0.hasPrefix("model name") }
    guard let name = line?.split(separator: ":").last else { return "unknown processor" }
    return String(name.drop { $0 == " " })
  }
}
