internal import Diurnal

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The files that a run writes, checked before it begins.
struct BenchOutputs {
  /// The page that gets the tables; nil where none was named.
  let page: OutputFile?
  /// The results as JSON; nil where none were asked for.
  let record: OutputFile?

  /// Refuses a file that no run has written, and one that this run reads.
  init(_ options: Options) throws(OutputFile.Refusal) {
    var (page, record): (OutputFile?, OutputFile?)
    if let path = options.pagePath {
      page = try OutputFile(
        path, OutputFile.Kind("a page with tables of the bench", mark: Page.start),
        inputs: Self.inputs(options), forces: options.forces)
    }
    if let path = options.jsonPath {
      record = try OutputFile(
        path, OutputFile.Kind("results of the bench", beginning: "{\n  \"command\""),
        inputs: Self.inputs(options) + (options.pagePath.map { [$0] } ?? []), forces: options.forces
      )
    }
    self.page = page
    self.record = record
    if options.suites.contains(.scaling) { _ = try Self.chart(options) }
  }

  /// The title by which a chart of an earlier run is recognised.
  static let chartTitle = "How cost grows"

  /// The chart of the sweep.
  static func chart(_ options: Options) throws(OutputFile.Refusal) -> OutputFile {
    let usual = ReleaseBuild.checkout.appending(path: ".build/bench-scaling.svg").path
    return try OutputFile(
      options.chartPath ?? usual, OutputFile.Kind("a chart of the bench", mark: chartTitle),
      inputs: inputs(options), forces: options.forces)
  }

  private static func inputs(_ options: Options) -> [String] {
    [options.comparisonPath].compactMap { $0 }
  }
}
