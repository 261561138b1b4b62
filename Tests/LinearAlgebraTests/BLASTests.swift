import TestSupport
import Testing

@testable import LinearAlgebra

@Suite struct `The BLAS library` {
  /// Every kernel of the list with the vectors it makes use of.
  static let kernels: [(names: [String], level: Int)] = [
    (["Prescott", "Core2", "Nehalem", "Atom", "Barcelona", "Bobcat", "Opteron_SSE3"], 0),
    (["Sandybridge", "Bulldozer"], 1),
    (["Haswell", "Zen", "Piledriver", "Excavator"], 2),
    (["SkylakeX"], 3),
    (["Cooperlake", "SapphireRapids"], 4),
  ]

  @Test func `is told to change a kernel that leaves vectors unused, and no other`() {
    let better = [1: "Sandybridge", 2: "Haswell", 3: "SkylakeX", 4: "SkylakeX"]
    for (names, level) in Self.kernels {
      for name in names {
        for processor in 0...4 {
          // Levels 3 and 4 are the same to doubles.
          let expected = min(level, 3) < min(processor, 3) ? better[processor] : nil
          #expect(BLASRuntime.betterKernel(than: name, vectorLevel: processor) == expected)
        }
        // The spelling differs by version.
        #expect(
          BLASRuntime.betterKernel(than: name.uppercased(), vectorLevel: 3)
            == BLASRuntime.betterKernel(than: name, vectorLevel: 3))
      }
    }
    for unknown in ["", "ARMV8", "NeoverseN1", "POWER9", "Unheard-of"] {
      #expect(BLASRuntime.betterKernel(than: unknown, vectorLevel: 4) == nil)
    }
  }

  @Test func `is prepared before the first test`() {
    // More threads than one would be the sign that nobody has prepared it: no suite does so itself.
    #expect(BLASRuntime.current.threadCount == 1)
    if !BLASLibrary.kernelIsChosen { #expect(BLASRuntime.current == BLASRuntime.prepare()) }
  }

  @Test func `says what it is`() {
    let runtime = BLASRuntime.current
    #expect(!runtime.library.isEmpty)
    #expect(runtime.version.allSatisfy { $0.isNumber || $0 == "." || $0.isLetter })
    #expect(runtime.threadCount >= 1)
    #expect(runtime.fitsProcessor == (runtime.betterKernel == nil))
    let unfit = BLASRuntime(
      library: "OpenBLAS", version: "", kernel: "Prescott", threadCount: 1, betterKernel: "Haswell")
    #expect(!unfit.fitsProcessor)
  }

  /// A β of 0 does not wipe a NaN out in every kernel, so outputs are cleared first.
  @Test func `BLS_3: never lets what an output held before into the result`() {
    let (n, p) = (5, 3)
    var random = SplitMix64(seed: 3)
    let a = BLAS.Numbers((0..<n * p).map { _ in Double.random(in: -1...1, using: &random) })
    let x = BLAS.Numbers((0..<n).map { _ in Double.random(in: -1...1, using: &random) })
    var results: [BLAS.Numbers] = []
    for before in [0, Double.nan, .infinity] {
      var (tall, short, square, table) = (
        BLAS.Numbers(repeating: before, count: n), BLAS.Numbers(repeating: before, count: p),
        BLAS.Numbers(repeating: before, count: p * p), BLAS.Numbers(repeating: before, count: n * n)
      )
      let block = Block(a, rowCount: n, columnCount: p)
      BLAS.gemv(block, x, &tall)
      BLAS.gemv(block.transposed, x, &short)
      BLAS.syrk(block.transposed, &square)
      var result = tall + short + square
      BLAS.symv(Block(square, rowCount: p, columnCount: p), x, &short)
      BLAS.gemm(block, block.transposed, &table)
      result += short + table
      #expect(result.allSatisfy { $0.isFinite })
      results.append(result)
    }
    #expect(results[0] == results[1])
    #expect(results[0] == results[2])
  }

  @Test func `shares numbered parts out over any number of threads, each done once and in order`() {
    for threads in [-1, 0, 1, 2, 3, 7, 64] {
      for count in [0, 1, 2, 5, 64, 65] {
        #expect(Parallel.map(count, threads: threads) { $0 * $0 } == (0..<count).map { $0 * $0 })
      }
    }
  }
}
