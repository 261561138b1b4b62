import Testing

@testable import LinearAlgebra

/// Whether the numeric core computes the same bits as it did when these hashes were stored.
///
/// Bits belong to one library, version and kernel, so the hashes are those of the most common one. A
/// change that means to alter results stores the new hashes and says why in its commit; any other must
/// leave them alone.
@Suite struct `The bits of the numeric core` {
  typealias Probe = `A process that prepares the BLAS library`.Probe

  static let library = "OpenBLAS 0.3.21"
  static let kernel = "Haswell"

  /// What ``library`` computed with ``kernel``.
  static let stored: [String: String] = [
    "ridge-tall": "28cf39b31911e831",
    "diagnostics-ridge-tall": "10485eb1f90a8193",
    "least-norm-tall": "58ce89013befab7c",
    "diagnostics-least-norm-tall": "e3bb5de70804e15f",
    "path-tall": "f0face18729dcf31",
    "ridge-wide": "92bea01c6c6475ee",
    "diagnostics-ridge-wide": "290e9b7a41d64c1a",
    "least-norm-wide": "58821d03574ffc26",
    "diagnostics-least-norm-wide": "59d428b9a071f4c2",
    "path-wide": "969be096b00b8211",
    "logistic-tall": "1e87299f6f0db063",
    "logistic-wide": "6e6972d06f0e1cf3",
    "logistic-validation": "5c69da0e2519a33b",
    "rolling": "d81c475ff4d1a727",
    "keyed": "e907d6e47e6fc3",
    "streaming-ridge": "3c25ee395d0d87cb",
    "sliding-window": "9c759a1cc6cbd61f",
    "streaming-logistic": "3c8dd668b9a89af1",
  ]

  /// What this process runs is what the child will run, but for the kernel.
  static var isThatLibrary: Bool {
    let current = BLASRuntime.current
    return "\(current.library) \(current.version)" == library && BLASLibrary.vectorLevel >= 2
  }

  @Test(
    .enabled(
      if: isThatLibrary, "the hashes are those of \(library) on a processor with AVX2 and FMA"))
  func `are those that were stored`() throws {
    let probe = try Probe(["OPENBLAS_CORETYPE": Self.kernel], "--fingerprints")
    #expect(probe.status == 0)
    #expect(probe.facts["kernel"] == Self.kernel)
    let prefix = "fingerprint-"
    let found = probe.facts.filter { $0.key.hasPrefix(prefix) }
    #expect(Set(found.keys) == Set(Self.stored.keys.map { prefix + $0 }))
    for (name, hash) in Self.stored { #expect(found[prefix + name] == hash, "\(name)") }
  }
}
