extension SuiteName {
  /// The workloads of a suite, for `--list`.
  var workloads: [(name: String, summary: String)] {
    switch self {
    case .core: CoreSuite.workloads
    case .features: FeaturesSuite.workloads
    case .scaling: ScalingSuite.workloads
    case .import: ImportSuite.workloads
    default: []
    }
  }

  /// Runs a suite: outcomes are added, tables printed.
  func run(_ run: inout Run) throws {
    switch self {
    case .core: try CoreSuite.run(&run)
    case .features: try FeaturesSuite.run(&run)
    case .scaling: try ScalingSuite.run(&run)
    case .import: try ImportSuite.run(&run)
    default: break
    }
  }
}
