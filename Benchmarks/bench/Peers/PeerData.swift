#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What the rivals are told about the workloads, and the matrices they read.
struct PeerData: Codable {
  /// One size of the numeric workloads.
  struct Shape: Codable {
    var name: String
    var rows: Int
    var columns: Int
    /// Rows that are appended.
    var later: Int
    /// The fold of each row.
    var folds: [Int]
  }

  struct Features: Codable {
    var days: Int
    var metrics: Int
  }

  struct Export: Codable {
    var path: String
    var shape: String
  }

  var workloads: [String]
  var shapes: [Shape]
  /// What was measured of ours, as workload and shape: rivals do nothing else.
  var measured: [String]
  /// Whether what takes minutes is wanted as well.
  var everything: Bool
  var lambda = CoreSuite.lambda
  /// The λ of W2 and of W6.
  var path = CoreSuite.ridgePath
  var logisticPath = CoreSuite.logisticPath
  var features: Features?
  var export: Export?

  /// What only a run of everything does, for the time it takes.
  static let leftOut = """
    at L, without --all: RidgeCV(eigen), RidgeCV(svd) with two threads and glmnet, \
    which take a minute or more a fit
    """

  /// Writes all that the suites of a run worked on.
  static func write(for run: Run) throws -> PeerData {
    var data = PeerData(
      workloads: run.options.suites.map(\.rawValue), shapes: [],
      measured: run.outcomes.map { "\($0.workload) \($0.shape)" },
      everything: run.options.isEverything)
    func save(_ values: Buffer, as name: String) throws {
      guard Raw.write(values, to: "\(run.folder)/\(name)") else { throw Unwritable(name: name) }
    }
    if run.options.suites.contains(.core) {
      for shape in CoreSuite.shapes(run.options) {
        let design = CoreSuite.design(shape)
        let name = shape.rawValue
        let later = design.laterRows
        try save(design.x, as: "\(name).x")
        try save(design.y, as: "\(name).y")
        try save(design.labels, as: "\(name).labels")
        try save(Buffer(later.flatMap(\.self)), as: "\(name).later")
        try save(Buffer(design.laterTargets), as: "\(name).later-y")
        try save(Buffer(design.laterLabels), as: "\(name).later-labels")
        let folds = CoreSuite.folds(rowCount: design.rowCount)
        try save(Buffer(folds.map(Double.init)), as: "\(name).folds")
        data.shapes.append(
          Shape(
            name: name, rows: design.rowCount, columns: design.columnCount, later: later.count,
            folds: folds.map(Int.init)))
      }
      try save(Buffer([data.lambda]), as: "lambda")
      try save(Buffer(data.path), as: "ridge-path")
      try save(Buffer(data.logisticPath), as: "logistic-path")
    }
    if run.options.suites.contains(.features) {
      let days = FeaturesSuite.days
      try save(FeaturesSuite.values(), as: "features.values")
      data.features = Features(days: days, metrics: FeaturesSuite.metrics)
    }
    if run.outcomes.contains(where: { $0.workload == "W10" }) {
      data.export = Export(path: ImportSuite.exportPath(run), shape: ImportSuite.shape(run.options))
    }
    let manifest = try RunRecord.encoder.encode(data)
    try manifest.write(to: URL(filePath: "\(run.folder)/manifest.json"))
    return data
  }

  struct Unwritable: Error, CustomStringConvertible {
    let name: String
    var description: String { "\(name) could not be written for the rivals" }
  }
}
