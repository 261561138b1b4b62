extension SuiteName {
  /// The workloads of a suite, for `--list`.
  var workloads: [(name: String, summary: String)] {
    switch self {
    case .core: CoreSuite.workloads
    case .features: FeaturesSuite.workloads
    case .retrain: RetrainSuite.workloads
    case .scaling: ScalingSuite.workloads
    case .store: StoreSuite.workloads
    case .import: ImportSuite.workloads
    case .process: ProcessSuite.workloads
    case .loop: LoopSuite.workloads
    case .gate: GateSuite.workloads
    case .insights: InsightsSuite.workloads
    }
  }

  /// Runs a suite: outcomes are added, tables printed.
  func run(_ run: inout Run) async throws {
    switch self {
    case .core: try CoreSuite.run(&run)
    case .features: try FeaturesSuite.run(&run)
    case .retrain: try RetrainSuite.run(&run)
    case .scaling: try ScalingSuite.run(&run)
    case .store: try await StoreSuite.run(&run)
    case .import: try ImportSuite.run(&run)
    case .process: try await ProcessSuite.run(&run)
    case .loop: try await LoopSuite.run(&run)
    case .gate: try GateSuite.run(&run)
    case .insights: try InsightsSuite.run(&run)
    }
  }
}
