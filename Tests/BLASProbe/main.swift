import FoundationEssentials
import Learning
import LinearAlgebra
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// A process of its own for what can be done only once in one: preparing the BLAS library, before
// anything else has called it. Prints a word and a value per line.
//
// blasprobe [--forget-choice | --fingerprints]
//
// With --forget-choice the library has been initialised with the kernel that OPENBLAS_CORETYPE names, but
// the variable is gone when preparing looks for it: as if the library had detected that kernel.
// With --fingerprints it prints hashes of what the numeric core computes, and nothing of the one fit.

if CommandLine.arguments.contains("--forget-choice") { unsafe unsetenv("OPENBLAS_CORETYPE") }
let detected = BLASRuntime.current
print("detected", detected.kernel.isEmpty ? "-" : detected.kernel)
print("better", detected.betterKernel ?? "-")
print("threads-before", detected.threadCount)
let prepared = BLASRuntime.prepare()
print("kernel", prepared.kernel.isEmpty ? "-" : prepared.kernel)
print("threads", prepared.threadCount)
print("again", BLASRuntime.prepare() == prepared)
print("library", prepared.library, prepared.version)
if CommandLine.arguments.contains("--fingerprints") {
  try Fingerprints.print()
  exit(0)
}

// 400 days of 60 features: an order at which the library would share a factorisation out.
var random = SplitMix64(seed: 60)
var features = try Matrix(rowCount: 400, columnCount: 60)
var target = ContiguousArray<Double>(repeating: 0, count: 400)
for i in 0..<400 {
  for j in 0..<60 {
    features[i, j] =
      Double.random(in: -1...1, using: &random) + (j > 0 ? features[i, j - 1] / 2 : 0)
    target[i] += features[i, j] / Double(j + 1)
  }
  target[i] += Double.random(in: -1...1, using: &random)
}

let wall = ContinuousClock.now
let start = clock()
var fit = try RidgeRegression().fit(features, target: target)
for _ in 0..<20 { fit = try RidgeRegression().fit(features, target: target) }
let processor = Double(clock() - start) / Double(CLOCKS_PER_SEC)
let elapsed = (ContinuousClock.now - wall) / .seconds(1)
// One thread cannot use more processor time than passes; the clock ticks in steps.
print("one-thread", processor <= 1.2 * elapsed + 0.02)
#if os(Linux)
  print("tasks", try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count)
#endif
print("solver", fit.solver)
for value in [fit.model.intercept] + fit.model.coefficients { print("value", value.bitPattern) }
