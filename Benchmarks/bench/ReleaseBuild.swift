#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Whether this program was built to be measured, and the way to one that was.
///
/// `swift run` builds for debugging, and a plain loop then runs about thirty times slower: such a build
/// measures nothing. It builds the release product in the same build folder and becomes it.
enum ReleaseBuild {
  #if DEBUG
    static let isThis = false
  #else
    static let isThis = true
  #endif

  static var configuration: String { isThis ? "release" : "debug" }

  /// The root of this checkout.
  static let checkout = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder that holds the build this program came out of: `.build` unless another was asked for.
  static func buildFolder(of program: String) -> String {
    let configured = URL(filePath: program).deletingLastPathComponent()
    let triple = configured.deletingLastPathComponent()
    // Either .build/debug/bench, a link, or .build/x86_64-unknown-linux-gnu/debug/bench.
    return triple.lastPathComponent.contains("-")
      ? triple.deletingLastPathComponent().path : triple.path
  }

  /// Builds the release product and becomes it with the same arguments. Returns only on failure.
  static func become(program: String, arguments: [String]) {
    let folder = buildFolder(of: program)
    let build = [
      "swift", "build", "--package-path", checkout.path, "--scratch-path", folder,
      "--configuration", "release", "--product", "bench",
    ]
    guard let outcome = Raw.run(build, output: "/dev/stderr"), outcome.exitCode == 0 else { return }
    Raw.become(["\(folder)/release/bench"] + arguments)
  }
}
