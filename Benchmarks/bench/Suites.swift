extension SuiteName {
  /// The workloads of a suite, for `--list`.
  var workloads: [(name: String, summary: String)] {
    switch self {
    case .core: CoreSuite.workloads
    default: []
    }
  }

  /// Runs a suite: outcomes are added, tables printed.
  func run(_ run: inout Run) throws {
    switch self {
    case .core: try CoreSuite.run(&run)
    default: break
    }
  }
}
