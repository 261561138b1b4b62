#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Built by Scripts/fuzz, which gives it libFuzzer's main; no target of the package.

/// One decoder under test: it may refuse any bytes, and must neither trap, hang nor grow on them.
struct FuzzTarget: Sendable {
  let name: String
  let run: @Sendable (ContiguousArray<UInt8>) -> Void

  /// The target that `DIURNAL_FUZZ` names; any format of the importer is one too.
  static let chosen: FuzzTarget = {
    let name = getenv("DIURNAL_FUZZ").map { String(cString: $0) } ?? ""
    if let target = all.first(where: { $0.name == name }) { return target }
    print("fuzz: targets are \(all.map(\.name).joined(separator: ", "))")
    fflush(nil)
    _exit(name.isEmpty ? 0 : 64)
  }()

  static var all: [FuzzTarget] { importTargets + recordTargets + modelTargets }
}

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  FuzzTarget.chosen.run(ContiguousArray(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
