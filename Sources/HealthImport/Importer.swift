/// Turns files into days: recognises the format by content, reads, and stores nothing.
package enum Importer {
  /// The names of the formats that can be read, each once.
  package static var formats: [String] {
    var names: [String] = []
    for reader in Readers.all where !names.contains(reader.format) { names.append(reader.format) }
    return names
  }

  /// What came of a file.
  package enum Outcome: Sendable, Equatable {
    case read(ImportBatch)
    /// The content is one of those known: nothing was read beyond its hash.
    case known(ContentHash)
  }

  /// Reads one file: an export, a table, or a zip of them.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - known: hashes of what was imported before with the same options.
  /// - Throws: ``ImportError`` where nothing of the file can be used.
  /// - Complexity: time linear in the file. Apple Health exports take constant memory and 24 bytes
  ///   for each sample kept, whatever the file's size; other formats are held whole.
  package static func read(
    path: String, options: ImportOptions, known: Set<ContentHash> = []
  ) throws(ImportError) -> Outcome {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    var stream = try ByteStream(path: path, name: name, progress: options.progress)
    let head = stream.beginning
    if head.isArchive || known.contains(where: { $0.byteCount == stream.byteCount }) {
      var first = try ByteStream(path: path, name: name, progress: { _, _ in true })
      if let hash = try first.finishHash() {
        if known.contains(hash) { return .known(hash) }
        if head.isArchive {
          return .read(try readArchive(path, name, hash, isZip: head.isZip, options))
        }
      }
    }
    return .read(try read(&stream, options))
  }

  /// Reads one file whatever was imported before, to show what would come of it.
  ///
  /// - Throws: ``ImportError`` where nothing of the file can be used.
  public static func preview(
    path: String, options: ImportOptions
  ) throws(ImportError) -> ImportBatch {
    guard case .read(let batch) = try read(path: path, options: options) else {
      preconditionFailure("nothing is known")
    }
    return batch
  }

  /// Reads bytes in memory, in any format but an archive.
  package static func read(
    bytes: ContiguousArray<UInt8>, name: String, options: ImportOptions
  ) throws(ImportError) -> ImportBatch {
    var stream = try ByteStream(memory: bytes, name: name, progress: options.progress)
    return try read(&stream, options)
  }

  private static func read(
    _ stream: inout ByteStream, _ options: ImportOptions
  ) throws(ImportError) -> ImportBatch {
    let head = stream.beginning
    if head.bytes.isEmpty { throw ImportError(file: stream.name, .empty) }
    let reader = try choose(head, options, name: stream.name)
    var days = DayCollector(asOf: options.now, folds: options.folds)
    try reader.read(&stream, options: options, into: &days)
    days.endFile(now: options.now)
    try checkThatSomethingWasRead(days, name: stream.name)
    guard let hash = try stream.finishHash() else { preconditionFailure("plain bytes are hashed") }
    return ImportBatch(
      format: reader.format, entries: days.entries(), decided: days.decidedEntries,
      parts: days.dayParts(), hash: hash,
      summary: days.summary,
      isComplete: days.isComplete)
  }

  /// Refuses a file with records of which not one could be read.
  private static func checkThatSomethingWasRead(
    _ days: DayCollector, name: String
  ) throws(ImportError) {
    let summary = days.summary
    guard days.isEmpty, summary.duplicates == 0 else { return }
    let reasons =
      summary.skipped.filter { $0.kind != "member" }.map { one in
        one.kind == "column"
          ? "\(one.name): \(one.reason ?? "not read")" : "\(one.count) × \(one.kind) \(one.name)"
      } + summary.rejections.map { "\($0.count) × \($0.reason)" }
    // Where nothing was passed over either, there was nothing to read.
    if !reasons.isEmpty { throw ImportError(file: name, .nothingRead(reasons)) }
  }

  private static func choose(
    _ head: FileHead, _ options: ImportOptions, name: String
  ) throws(ImportError) -> any Reader {
    if let format = options.format, !formats.contains(format) {
      throw ImportError(file: name, .unknownFormat(known: formats))
    }
    if let reader = Readers.reader(for: head, format: options.format) { return reader }
    throw ImportError(file: name, .unknownFormat(known: formats))
  }

  /// Reads the members that a reader knows; of an archive with a health export only that, since its
  /// other files (routes, electrocardiograms, the clinical document) repeat it or are no days.
  private static func readArchive(
    _ path: String, _ name: String, _ hash: ContentHash, isZip: Bool, _ options: ImportOptions
  ) throws(ImportError) -> ImportBatch {
    func open() throws(ImportError) -> ByteStream {
      try ByteStream(
        archive: path, name: name, byteCount: hash.byteCount, isZip: isZip,
        progress: options.progress)
    }
    var formats: [String?] = []
    do {
      var members = try open()
      while try members.nextMember() {
        let head = members.beginning
        if RefusedExport.isPartOfSpreadsheet(members.name, head) {
          throw ImportError(file: name, RefusedExport.spreadsheet)
        }
        formats.append(Readers.reader(for: head, format: nil)?.format)
      }
    }
    let hasHealthExport = formats.contains("apple-health")
    var days = DayCollector(asOf: options.now, folds: options.folds)
    var format: String?
    var refusal: ImportError?
    var members = try open()
    var index = 0
    while try members.nextMember() {
      defer { index += 1 }
      let path = members.name.dropFirst(name.count + 1)
      let member = path.isEmpty ? name : String(path)
      guard index < formats.count, let found = formats[index],
        !hasHealthExport || found == "apple-health",
        let reader = Readers.reader(for: members.beginning, format: options.format)
      else {
        let isPacked = members.beginning.isArchive
        days.summary.skip(
          "member", member, reason: isPacked ? "packed itself: unpack it, import it alone" : nil)
        continue
      }
      // A member that cannot be used takes nothing from its neighbours, and they nothing from it.
      var trial = days
      do throws(ImportError) {
        try reader.read(&members, options: options, into: &trial)
        trial.endFile(now: options.now)
        days = trial
        format = format ?? reader.format
      } catch {
        if hasHealthExport || error.isFinal { throw error }
        refusal = refusal ?? error
        days.summary.skip("member", member)
      }
    }
    if format != nil { try checkThatSomethingWasRead(days, name: name) }
    guard let format else {
      throw refusal ?? ImportError(file: name, .nothingInArchive(members: formats.count))
    }
    return ImportBatch(
      format: format, entries: days.entries(), decided: days.decidedEntries,
      parts: days.dayParts(), hash: hash,
      summary: days.summary,
      isComplete: days.isComplete)
  }
}

extension ImportError {
  /// Whether other members of the same archive need not be tried.
  fileprivate var isFinal: Bool {
    switch reason {
    case .cancelled, .damagedArchive, .unreadable: true
    default: false
    }
  }
}
