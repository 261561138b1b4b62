/// A file that lies beside an export, is recognised and holds no daily values: the person is told what it
/// is, and what to import instead.
struct RefusedExport: Reader {
  /// What the content is; never one of ``Importer/formats``.
  let format: String
  /// What to do, as a part of a sentence.
  private let needed: String
  /// The bytes it begins with; empty where its beginning tells nothing.
  private var prefix: [UInt8] = []
  /// Texts that all stand in its beginning.
  private var marks: [StaticString] = []

  func recognises(_ head: FileHead) -> Bool {
    head.begins(with: prefix) && marks.allSatisfy { head.contains($0) }
  }

  /// Why a spreadsheet is refused.
  static let spreadsheet = ImportError.Reason.unsupported(
    "a spreadsheet", needed: "save its sheet as CSV and import that")

  /// Whether a member of an archive tells that the archive is a spreadsheet of Excel, LibreOffice or Numbers.
  static func isPartOfSpreadsheet(_ path: String, _ head: FileHead) -> Bool {
    path.hasSuffix("/xl/workbook.xml") || path.hasSuffix("/Index/Document.iwa")
      || path.hasSuffix("/mimetype") && head.contains("opendocument.spreadsheet", within: 200)
  }

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
      format: "a spreadsheet of an old kind",
      needed: "save its sheet as CSV and import that", prefix: [0xD0, 0xCF, 0x11, 0xE0]),
    RefusedExport(
      format: "a document (PDF)", needed: "ask the app for CSV or JSON instead",
      prefix: Array("%PDF-".utf8)),
    RefusedExport(
      format: "a web page", needed: "save its table as CSV and import that", marks: ["<html"]),
    RefusedExport(
      format: "a web page", needed: "save its table as CSV and import that",
      marks: ["<!DOCTYPE html"]),
    RefusedExport(
      format: "a recorded activity (TCX)",
      needed: "it holds one activity and no daily values, so import the export that it came with",
      marks: ["<TrainingCenterDatabase"]),
    RefusedExport(
      format: "an electrocardiogram of Apple Health",
      needed: "it holds one recording and no daily values, so import the export that it came with",
      marks: ["Recorded Date,", "Classification,"]),
  ]
}
