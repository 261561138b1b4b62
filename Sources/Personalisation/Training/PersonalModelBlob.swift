internal import DayLog
internal import Learning
import Time

/// Why a saved model cannot be used; the remedy is always to train again.
public enum ModelBlobError: Error, Equatable, Sendable {
  /// It is damaged, or no model of this kind, or written by another version.
  case unreadable(String)
}

extension ModelBlobError: CustomStringConvertible {
  /// One sentence for the person.
  public var description: String {
    switch self {
    case .unreadable(let why): "the saved model cannot be read (\(why)): train again"
    }
  }
}

extension PersonalModel {
  private static let kind = "DPer"
  private static let version = 5

  /// The model as a blob with version and checksum: no time stamp, no random id, so the same model has the
  /// same bytes.
  public func encoded() -> [UInt8] {
    var writer = BlobWriter(kind: Self.kind, version: Self.version)
    writer.write(target.description)
    writer.write(horizon)
    writer.write(trainedDays.lowerBound.number)
    writer.write(trainedDays.upperBound.number)
    writer.write(rowCount)
    writer.write(spec.features.count)
    for name in spec.names { writer.write(name) }
    writer.write(fills)
    writer.write(bounds.lowerBound)
    writer.write(bounds.upperBound)
    writer.write(parts.count)
    for part in parts {
      writer.write(part.name)
      writer.write(part.transform.rawValue)
      writer.write(part.columns)
      writer.write(part.penalty)
      writer.write(part.regression.encoded())
    }
    writer.write(weights)
    writer.write(interval != nil)
    interval?.write(to: &writer)
    report.write(to: &writer)
    record.write(to: &writer)
    return writer.finish()
  }

  /// The model in a blob, to the bit.
  ///
  /// - Throws: ``ModelBlobError``; there is no such thing as half a model or an empty one.
  public init(decoding bytes: [UInt8]) throws(ModelBlobError) {
    do { try self.init(reading: bytes) } catch let error as ModelBlobError { throw error } catch {
      throw .unreadable("\(error)")
    }
  }

  private init(reading bytes: [UInt8]) throws {
    var reader = try BlobReader(bytes, kind: Self.kind, supported: Self.version)
    guard reader.version == Self.version else {
      throw ModelBlobError.unreadable("another version of diurnal made it")
    }
    guard let target = Target(try reader.readString()) else {
      throw BlobError.malformed("a target")
    }
    self.target = target
    horizon = try reader.readCount("a horizon")
    let first = try reader.readInt()
    let last = try reader.readInt()
    guard (1...7).contains(horizon), first <= last,
      CalendarDay.supported.contains(CalendarDay(number: first)),
      CalendarDay.supported.contains(CalendarDay(number: last))
    else { throw BlobError.malformed("days") }
    trainedDays = CalendarDay(number: first)...CalendarDay(number: last)
    rowCount = try reader.readCount("a number of rows")
    let featureCount = try reader.readCount("a number of features")
    var names: [String] = []
    for _ in 0..<featureCount { names.append(try reader.readString()) }
    spec = try FeatureSpec(names: names)
    fills = try reader.readDoubles(count: featureCount)
    let low = try reader.readDouble()
    let high = try reader.readDouble()
    guard low <= high else { throw BlobError.malformed("bounds") }
    bounds = low...high
    let partCount = try reader.readCount("a number of regressions")
    guard partCount > 0 else { throw BlobError.malformed("no regression") }
    var parts: [Part] = []
    for _ in 0..<partCount {
      let name = try reader.readString()
      guard let transform = Variant.Transform(rawValue: try reader.readString()) else {
        throw BlobError.malformed("a transform")
      }
      let columns = try reader.readInts()
      let penalty = try reader.readDouble()
      let regression = try LinearModel(decoding: try reader.readBytes())
      guard columns.allSatisfy({ (0..<featureCount).contains($0) }),
        regression.featureCount == columns.count
      else { throw BlobError.malformed("the columns of a regression") }
      parts.append(
        Part(
          name: name, transform: transform, columns: columns, penalty: penalty,
          regression: regression))
    }
    self.parts = parts
    weights = try reader.readDoubles(count: NaiveRule.allCases.count + partCount)
    interval = try reader.readBool() ? DayInterval(of: target.metric, from: &reader) : nil
    report = try BacktestReport(target, from: &reader)
    record = try RollingRecord(from: &reader)
    try reader.finish()
  }
}

extension TrainingProgress {
  private static let kind = "DPro"
  private static let version = 2

  /// The progress as a blob, to go on from in another run.
  package func encoded() -> [UInt8] {
    var writer = BlobWriter(kind: Self.kind, version: Self.version)
    writer.write(target.description)
    writer.write(horizon)
    record.write(to: &writer)
    return writer.finish()
  }

  /// The progress in a blob.
  package init(decoding bytes: [UInt8]) throws(ModelBlobError) {
    do { try self.init(reading: bytes) } catch { throw .unreadable("\(error)") }
  }

  private init(reading bytes: [UInt8]) throws(BlobError) {
    var reader = try BlobReader(bytes, kind: Self.kind, supported: Self.version)
    guard reader.version == Self.version else { throw .malformed("progress of this version") }
    guard let target = Target(try reader.readString()) else { throw .malformed("a target") }
    self.target = target
    horizon = try reader.readCount("a horizon")
    record = try RollingRecord(from: &reader)
    try reader.finish()
  }
}

extension RollingRecord {
  func write(to writer: inout BlobWriter) {
    writer.write(kernel)
    writer.write(chosenRows)
    writer.write(variants.count)
    for index in variants.indices {
      writer.write(variants[index])
      writer.write(penalties[index] ?? .nan)
      writer.write(forecasts[index])
    }
    writer.write(fingerprints.map { Int(bitPattern: UInt(truncatingIfNeeded: $0)) })
  }

  init(from reader: inout BlobReader) throws(BlobError) {
    kernel = try reader.readString()
    chosenRows = try reader.readCount("a number of days")
    variants = []
    penalties = []
    forecasts = []
    for _ in 0..<(try reader.readCount("a number of forecasters")) {
      variants.append(try reader.readString())
      let penalty = try reader.readDouble()
      penalties.append(penalty.isNaN ? nil : penalty)
      forecasts.append(try reader.readDoubles())
    }
    fingerprints = try reader.readInts().map { UInt64(UInt(bitPattern: $0)) }
    guard forecasts.allSatisfy({ $0.count <= fingerprints.count }) else {
      throw .malformed("more forecasts than days")
    }
  }
}

extension BacktestReport {
  func write(to writer: inout BlobWriter) {
    for count in [rows, scored, features] { writer.write(count) }
    writer.write(lambda)
    for scores in [forecast, model] + baselines { scores.write(to: &writer) }
    gate.write(to: &writer)
    writer.write(interval != nil)
    if let interval {
      writer.write(interval.nominal)
      writer.write(interval.coverage)
      writer.write(interval.medianWidth)
      writer.write(interval.score)
    }
  }

  init(_ target: Target, from reader: inout BlobReader) throws(BlobError) {
    self.target = target
    rows = try reader.readCount("rows")
    scored = try reader.readCount("scored rows")
    features = try reader.readCount("features")
    lambda = try reader.readDouble()
    forecast = try Scores(from: &reader)
    model = try Scores(from: &reader)
    var baselines: [Scores] = []
    for _ in NaiveRule.baselines { baselines.append(try Scores(from: &reader)) }
    self.baselines = baselines
    gate = try SkillGate(from: &reader)
    guard try reader.readBool() else {
      interval = nil
      return
    }
    interval = Coverage(
      nominal: try reader.readDouble(), coverage: try reader.readDouble(),
      medianWidth: try reader.readDouble(), score: try reader.readDouble())
  }
}

extension Scores {
  func write(to writer: inout BlobWriter) {
    writer.write(count)
    for score in [meanAbsoluteError, rootMeanSquareError, logLoss, brier, auc] {
      writer.write(score != nil)
      writer.write(score ?? 0)
    }
  }

  init(from reader: inout BlobReader) throws(BlobError) {
    count = try reader.readCount("a number of days")
    var scores: [Double?] = []
    for _ in 0..<5 {
      let isThere = try reader.readBool()
      let score = try reader.readDouble()
      scores.append(isThere ? score : nil)
    }
    meanAbsoluteError = scores[0]
    rootMeanSquareError = scores[1]
    logLoss = scores[2]
    brier = scores[3]
    auc = scores[4]
  }
}

extension SkillGate {
  func write(to writer: inout BlobWriter) {
    writer.write(NaiveRule.allCases.firstIndex(of: bestBaseline) ?? 0)
    writer.write(skill)
    writer.write(skillLower)
  }

  init(from reader: inout BlobReader) throws(BlobError) {
    let index = try reader.readCount("a rule")
    guard index < NaiveRule.allCases.count else { throw .malformed("a rule") }
    bestBaseline = NaiveRule.allCases[index]
    skill = try reader.readDouble()
    skillLower = try reader.readDouble()
  }
}
