/// A file that lies beside an export, is recognised and holds no daily values: the person is told what it
/// is, and what to import instead.
struct RefusedExport: Reader {
  /// What the content is; never one of ``Importer/formats``.
  let format: String
  /// What to do, as a part of a sentence.
  private let needed: String
  /// Texts that all stand in its beginning.
  private let marks: [StaticString]

  func recognises(_ head: FileHead) -> Bool { marks.allSatisfy { head.contains($0) } }

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    throw ImportError(file: stream.name, .unsupported(format, needed: needed))
  }

  static let all: [RefusedExport] = [
    RefusedExport(
      format: "a recorded route (GPX)",
      needed: "it holds places and no daily values, so import the export that it came with",
      marks: ["<gpx"]),
    RefusedExport(
      format: "a clinical document (CDA)",
      needed: "it repeats what the health export beside it says better, so import that",
      marks: ["<ClinicalDocument"]),
    RefusedExport(
      format: "an electrocardiogram of Apple Health",
      needed: "it holds one recording and no daily values, so import the export that it came with",
      marks: ["Recorded Date,", "Classification,"]),
  ]
}
