internal import LinearAlgebra

/// Workloads of the numeric core at one size, which share its data.
protocol CoreWorkloads {
  var data: CoreData { get }
  /// Each by its name, with what fills in its outcome.
  var all: [(name: String, measure: (Measured) throws -> Measured)] { get }
}

/// One size of the numeric core.
struct CoreData {
  let design: Design
  let shape: CoreSuite.Shape
  let run: Run
  let features: Matrix

  init(_ shape: CoreSuite.Shape, _ run: Run) throws {
    design = CoreSuite.design(shape)
    self.shape = shape
    self.run = run
    features = try Matrix(
      columnMajor: design.x.values, rowCount: design.rowCount, columnCount: design.columnCount)
  }
}

/// An outcome, and the numbers that ours found, to be compared with those of rivals.
struct Measured {
  var outcome: Outcome
  var answer: ContiguousArray<Double>?
}

extension CoreWorkloads {
  var design: Design { data.design }
  var features: Matrix { data.features }
  var lambda: Double { CoreSuite.lambda }
  var isQuick: Bool { data.run.options.isQuick }
  /// Seconds that one workload may take.
  var seconds: Double { isQuick ? 0.1 : data.shape == .large ? 2 : 0.6 }
  /// Rows that go in or out within one sample.
  var editCount: Int { isQuick ? 32 : 128 }

  /// Those of them that were asked for.
  func measured() throws -> [Measured] {
    let shape = data.shape.rawValue
    return try all.compactMap { name, measure in
      let title = "\(name) \(shape)"
      guard data.run.wants(title) else { return nil }
      data.run.show(title)
      return try measure(Measured(outcome: Outcome(suite: .core, workload: name, shape: shape)))
    }
  }
}
