// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours is held to the same rules.
let settings: [SwiftSetting] =
  [.strictMemorySafety()]
  + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])
  + [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]

/// Only our own builds ask for this. In a package that depends on this one the build silences a dependency's warnings, which
/// the compiler refuses together with it; nor may a newer compiler's new warning break that build.
var warningsAreErrors: Bool { Context.environment["DIURNAL_WARNINGS_AS_ERRORS"] == "1" }

/// One room of the house: a folder below `Sources`, with the rooms it may import.
func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// The tests of one room: a folder below `Tests`. The process they run in has prepared BLAS before its first line.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["PreparedBLAS"], swiftSettings: settings)
}

/// Systems whose numerics are in Accelerate, which asks for its present LAPACK by a macro.
let apple: [Platform] = [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS]

/// With `DIURNAL_NUMERICS=fortran` a Linux machine tests what a Mac compiles: Accelerate's calls, over OpenBLAS.
let numericsSettings: [CSetting] =
  [.define("ACCELERATE_NEW_LAPACK", .when(platforms: apple))]
  + (Context.environment["DIURNAL_NUMERICS"] == "fortran"
    ? [.define("DIURNAL_NUMERICS_FORTRAN", .when(platforms: [.linux]))] : [])

/// Apple's frameworks that `DiurnalApple` calls. Where there are none, modules under their names keep their rules, so that it
/// is compiled and tested; no product reaches those, and on a Mac they do not exist.
#if os(macOS)
  let standIns: [String] = []
#else
  let standIns = [
    "BackgroundTasks", "CloudKit", "HealthKit", "UserNotifications", "WatchConnectivity",
  ]
#endif

let package = Package(
  name: "diurnal",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "Diurnal", targets: ["Diurnal"]),
    .library(name: "DiurnalReport", targets: ["DiurnalReport"]),
    .library(name: "LoopSimulation", targets: ["LoopSimulation"]),
    .library(name: "Learning", targets: ["Learning", "LinearAlgebra"]),
    .executable(name: "diurnal", targets: ["DiurnalCLI"]),
  ],
  targets: [
    .systemLibrary(
      name: "COpenBLAS", pkgConfig: "openblas",
      providers: [.apt(["libopenblas-dev", "liblapacke-dev"]), .brew(["openblas"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CArchive", pkgConfig: "libarchive",
      providers: [.apt(["libarchive-dev"]), .brew(["libarchive"])]),

    // OpenBLAS, which COpenBLAS links, comes before LAPACKE: LAPACK's own names must be bound to its tuned
    // calls and not to those of the reference library that LAPACKE brings along.
    .target(
      name: "CNumerics",
      dependencies: [.target(name: "COpenBLAS", condition: .when(platforms: [.linux]))],
      cSettings: numericsSettings,
      linkerSettings: [
        .linkedLibrary("lapacke", .when(platforms: [.linux])),
        .linkedFramework("Accelerate", .when(platforms: apple)),
      ]),
    room("LinearAlgebra", ["CNumerics"]),
    room("Learning", ["LinearAlgebra"]),
    room("Time"),
    room("Charts"),
    room("DayLog", ["Time"]),
    room("Storage", ["Time", "DayLog", "CSQLite"]),
    room("Scheduling", ["Time"]),
    room(
      "HealthImport",
      [
        "Time", "DayLog", "CSQLite",
        .target(name: "CArchive", condition: .when(platforms: [.linux, .macOS])),
      ]),
    room("Personalisation", ["Time", "DayLog", "Learning", "LinearAlgebra"]),
    room(
      "Diurnal",
      [
        "LinearAlgebra", "Learning", "Time", "DayLog", "HealthImport", "Personalisation", "Storage",
        "Scheduling",
      ]),
    room(
      "LoopSimulation", ["Time", "DayLog", "Scheduling", "Storage", "Personalisation", "Diurnal"]),
    room(
      "DiurnalApple",
      ["DayLog", "Diurnal", "HealthImport", "Personalisation", "Scheduling", "Storage", "Time"]
        + standIns.map { .target(name: $0) }),
    room("DiurnalReport", ["Charts", "Diurnal", "Time", "DayLog", "Personalisation"]),
    .executableTarget(
      name: "DiurnalCLI",
      dependencies: [
        "Diurnal", "DiurnalReport", "LoopSimulation", "LinearAlgebra", "Time", "DayLog",
        "HealthImport",
        "Personalisation", "Storage",
        "Scheduling",
      ],
      swiftSettings: settings,
      // The released tool carries the Swift runtime: it starts in half the time (8 ms instead of 16) and runs where
      // no toolchain is installed. Only this program is linked so; the libraries stay usable by any package.
      linkerSettings: [
        .unsafeFlags(
          ["-static-stdlib", "-use-ld=lld", "-l_FoundationCShims", "-l_FoundationCollections"],
          .when(platforms: [.linux], configuration: .release))
      ]),

    .executableTarget(
      name: "datasets", dependencies: ["Time", "DayLog", "TestSupport"], path: "Datasets/generator",
      swiftSettings: settings),
    .target(name: "limits", dependencies: ["COpenBLAS", "CSQLite"], path: "Benchmarks/limits"),
    .executableTarget(
      name: "bench",
      dependencies: [
        "limits", "Charts", "LinearAlgebra", "Learning", "Time", "DayLog", "HealthImport",
        "Personalisation",
        "Scheduling", "Storage", "Diurnal", "LoopSimulation", "DiurnalCLI",
      ],
      path: "Benchmarks/bench", swiftSettings: settings),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
    .target(
      name: "PreparedBLAS", dependencies: ["LinearAlgebra"], path: "Tests/PreparedBLAS",
      swiftSettings: settings),
    tests("LinearAlgebraTests", ["LinearAlgebra", "TestSupport"]),
    .executableTarget(
      name: "blasprobe", dependencies: ["Learning", "LinearAlgebra", "TestSupport"],
      path: "Tests/BLASProbe", swiftSettings: settings),
    tests("LearningTests", ["Learning", "LinearAlgebra", "TestSupport", "blasprobe"]),
    tests("BenchTests", ["bench"]),
    tests("ChartsTests", ["Charts", "TestSupport"]),
    tests(
      "DiurnalReportTests",
      ["DiurnalReport", "Diurnal", "Personalisation", "DayLog", "Time", "TestSupport"]),
    tests("TimeTests", ["Time", "TestSupport"]),
    tests("DayLogTests", ["Time", "DayLog", "TestSupport"]),
    .executableTarget(
      name: "storewriter", dependencies: ["Storage", "Time", "DayLog", "CSQLite"],
      path: "Tests/StoreWriter", swiftSettings: settings),
    tests("StorageTests", ["Storage", "Time", "DayLog", "TestSupport", "CSQLite", "storewriter"]),
    tests("SchedulingTests", ["Scheduling", "LoopSimulation", "Time", "TestSupport"]),
    tests("LoopSimulationTests", ["LoopSimulation"]),
    tests("HealthImportTests", ["HealthImport", "Time", "DayLog", "TestSupport", "CSQLite"]),
    tests("DatasetsTests", ["datasets", "HealthImport", "Time", "DayLog", "TestSupport"]),
    tests(
      "PersonalisationTests", ["Personalisation", "Learning", "Time", "DayLog", "TestSupport"]),
    tests(
      "DiurnalTests",
      [
        "Diurnal", "Learning", "LinearAlgebra", "Time", "DayLog", "HealthImport", "Personalisation",
        "Storage", "Scheduling", "LoopSimulation", "TestSupport",
      ]),
    tests("DiurnalCLITests", ["DiurnalCLI", "TestSupport", "CSQLite"]),
    tests("ArchitectureTests", ["TestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)

// A product where Apple's frameworks are, a target of the tests where others stand in for them.
#if os(macOS)
  package.products.append(.library(name: "DiurnalApple", targets: ["DiurnalApple"]))
#else
  package.targets += standIns.map { .target(name: $0, path: "Tests/AppleStubs/\($0)") }
  package.targets.append(
    tests(
      "DiurnalAppleTests",
      [
        "DiurnalApple", "DayLog", "Diurnal", "HealthImport", "LoopSimulation", "Personalisation",
        "Scheduling", "Storage", "TestSupport", "Time",
      ]
        + standIns.map { .target(name: $0) }))
#endif

// Under a sanitizer only the numeric core is tested; building all the rest twice more would take long.
if Context.environment["DIURNAL_ONLY_CORE"] == "1" {
  let core: Set = [
    "COpenBLAS", "CNumerics", "LinearAlgebra", "Learning", "TestSupport", "PreparedBLAS",
    "blasprobe", "LinearAlgebraTests", "LearningTests",
  ]
  package.targets.removeAll { !core.contains($0.name) }
  package.products.removeAll { $0.name != "Learning" }
}
