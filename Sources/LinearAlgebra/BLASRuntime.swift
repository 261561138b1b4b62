/// The BLAS library of this process: which one, with which kernel, on how many threads.
///
/// Results are the same to the bit for one library and kernel, so a model names both.
public struct BLASRuntime: Equatable, Sendable {
  /// The library: `OpenBLAS` or `Accelerate`.
  public let library: String
  /// Its version, such as `0.3.21`, of Accelerate that of the system; empty where it does not tell.
  public let version: String
  /// The kernel it runs, such as `Haswell`; of Accelerate the processor.
  public let kernel: String
  /// How many threads one call may use.
  public let threadCount: Int
  /// The kernel this processor wants, nil where the one that runs fits.
  public let betterKernel: String?

  /// Whether the kernel in use is one for this processor.
  public var fitsProcessor: Bool { betterKernel == nil }

  /// The library as it is now.
  public static var current: BLASRuntime {
    let kernel = BLASLibrary.kernel
    return BLASRuntime(
      library: BLASLibrary.name, version: BLASLibrary.version, kernel: kernel,
      threadCount: BLASLibrary.threadCount,
      betterKernel: betterKernel(than: kernel, vectorLevel: BLASLibrary.vectorLevel))
  }

  /// Sets one thread, and changes to a kernel that fits the processor where the one that was
  /// detected does not and the environment (`OPENBLAS_CORETYPE`) does not ask for it.
  ///
  /// To be called as the first act of a process, before any BLAS call and any thread: a kernel must
  /// not change under a call. Acts once; later calls only tell. Where the library cannot change its
  /// kernel in process, ``betterKernel`` stays set: an executable may then start itself anew with
  /// `OPENBLAS_CORETYPE` set to it.
  @discardableResult public static func prepare() -> BLASRuntime {
    prepared
    return current
  }

  /// Runs once: OpenBLAS threads only slow the sizes of a daily log down, and one thread makes the
  /// order of every sum known.
  private static let prepared: Void = {
    if !BLASLibrary.kernelIsChosen, let better = current.betterKernel {
      _ = BLASLibrary.reinitialise(kernel: better)
    }
    BLASLibrary.useOneThread()
  }()

  /// Has the C library keep up to 64 MB of freed memory for the next matrix, where it is glibc: mapping a
  /// matrix again page by page costs more than a small fit.
  ///
  /// This is a setting of the whole process (`mallopt`), so it is for the first lines of a program to make,
  /// never for a library. No result depends on it.
  public static func keepFreedMemory() { BLASLibrary.keepFreedMemory() }

  /// The kernel to change to, nil where `kernel` makes use of the vectors that the processor has.
  ///
  /// Kernels are listed by OpenBLAS's names; a name that is not known here is left alone.
  static func betterKernel(than kernel: String, vectorLevel: Int) -> String? {
    let levels = [
      0: [
        "prescott", "core2", "penryn", "dunnington", "nehalem", "atom", "athlon", "opteron",
        "opteron_sse3", "barcelona", "bobcat", "nano", "katmai", "coppermine", "northwood",
        "banias",
      ],
      1: ["sandybridge", "bulldozer"],
      2: ["haswell", "zen", "piledriver", "steamroller", "excavator"],
      3: ["skylakex"],
      4: ["cooperlake", "sapphirerapids"],
    ]
    let name = kernel.lowercased()
    guard let level = levels.first(where: { $0.value.contains(name) })?.key else { return nil }
    // The bfloat16 of level 4 does not touch doubles.
    guard min(level, 3) < min(vectorLevel, 3) else { return nil }
    return ["Prescott", "Sandybridge", "Haswell", "SkylakeX", "SkylakeX"][vectorLevel]
  }
}
