public import LinearAlgebra

/// A fitted linear model of one target: an intercept and a coefficient per column, in the units of the
/// columns, and the link from their score to what is predicted.
///
/// The score of a row x is intercept + x'coefficients.
public struct LinearModel: Equatable, Sendable {
  /// How a score becomes a prediction.
  public enum Link: UInt8, Sendable, CaseIterable {
    /// The score is the prediction: ridge regression.
    case identity = 0
    /// The score is the log odds of a 1, and 1 / (1 + exp(−score)) its probability: logistic regression.
    case logit = 1
  }

  /// How a score becomes a prediction.
  public let link: Link
  /// The score where all columns are 0.
  public let intercept: Double
  /// The change of the score per unit of each column; exactly 0 for a column that was constant.
  public let coefficients: ContiguousArray<Double>
  /// The names of the columns in their order; nil for a model that was given none.
  public private(set) var featureNames: [String]?

  /// The model with these numbers.
  public init(
    link: Link = .identity, intercept: Double, coefficients: ContiguousArray<Double>
  ) {
    self.link = link
    self.intercept = intercept
    self.coefficients = coefficients
  }

  /// How many columns it was fitted on.
  public var featureCount: Int { coefficients.count }

  /// The prediction for one row of ``featureCount`` values: a value, or the probability of a 1 from 0 to 1
  /// where the ``link`` is a logit. NaN where one of the values is NaN.
  ///
  /// - Throws: ``LearningError/lengthMismatch(expected:actual:)``.
  /// - Complexity: O(*p*), without allocating.
  public func predict(_ row: ContiguousArray<Double>) throws(LearningError) -> Double {
    Self.inverse(link, try score(row))
  }

  /// The predictions for all rows of a matrix of ``featureCount`` columns.
  ///
  /// - Throws: ``LearningError/lengthMismatch(expected:actual:)``.
  /// - Complexity: O(*n p*).
  public func predict(_ features: Matrix) throws(LearningError) -> ContiguousArray<Double> {
    let scores = try scores(features)
    return link == .identity ? scores : ContiguousArray(scores.map { Self.inverse(link, $0) })
  }

  /// The score of one row: what is predicted, or its log odds where the ``link`` is a logit.
  ///
  /// - Throws: ``LearningError/lengthMismatch(expected:actual:)``.
  public func score(_ row: ContiguousArray<Double>) throws(LearningError) -> Double {
    guard row.count == featureCount else {
      throw .lengthMismatch(expected: featureCount, actual: row.count)
    }
    return intercept + BLAS.dot(row.count, row, coefficients)
  }

  /// The scores of all rows of a matrix.
  ///
  /// - Throws: ``LearningError/lengthMismatch(expected:actual:)``.
  public func scores(_ features: Matrix) throws(LearningError) -> ContiguousArray<Double> {
    guard features.columnCount == featureCount else {
      throw .lengthMismatch(expected: featureCount, actual: features.columnCount)
    }
    var scores = ContiguousArray<Double>(repeating: 0, count: features.rowCount)
    BLAS.gemv(features.block, coefficients, &scores)
    for i in scores.indices { scores[i] += intercept }
    return scores
  }

  /// The log loss of each row against its label of 0 or 1, for a model whose ``link`` is a logit: finite,
  /// and exact to rounding, however far out the row lies.
  ///
  /// - Throws: ``LearningError/lengthMismatch(expected:actual:)``.
  public func logLosses(
    _ features: Matrix, labels: ContiguousArray<Double>
  ) throws(LearningError) -> ContiguousArray<Double> {
    guard labels.count == features.rowCount else {
      throw .lengthMismatch(expected: features.rowCount, actual: labels.count)
    }
    return ContiguousArray(
      zip(try scores(features), labels).map { LogLoss.of(logOdds: $0, outcome: $1) })
  }

  private static func inverse(_ link: Link, _ score: Double) -> Double {
    switch link {
    case .identity: score
    case .logit: LogisticFunction.probability(score)
    }
  }
}

extension LinearModel {
  /// The same model with names for its columns, in their order.
  ///
  /// - Throws: ``LearningError/lengthMismatch(expected:actual:)`` for another number of names;
  ///   ``LearningError/invalidFeatureNames(missing:unknown:repeated:)`` for one that comes twice.
  public func named(_ names: [String]) throws(LearningError) -> LinearModel {
    guard names.count == featureCount else {
      throw .lengthMismatch(expected: featureCount, actual: names.count)
    }
    let repeated = Dictionary(grouping: names) { $0 }.filter { $1.count > 1 }.keys.sorted()
    guard repeated.isEmpty else {
      throw .invalidFeatureNames(missing: [], unknown: [], repeated: repeated)
    }
    var model = self
    model.featureNames = names
    return model
  }

  /// The coefficient of the column with this name; nil where there is none.
  public func coefficient(of name: String) -> Double? {
    featureNames?.firstIndex(of: name).map { coefficients[$0] }
  }

  /// The prediction for a row whose values are given by the names of their columns, in any order.
  ///
  /// - Throws: ``LearningError/invalidFeatureNames(missing:unknown:repeated:)`` where columns are missing
  ///   or there are others; a model without names knows none.
  public func predict(_ values: [String: Double]) throws(LearningError) -> Double {
    let names = featureNames ?? []
    let missing = names.filter { values[$0] == nil }
    let unknown = Set(values.keys).subtracting(names).sorted()
    guard missing.isEmpty, unknown.isEmpty, names.count == featureCount else {
      throw .invalidFeatureNames(missing: missing, unknown: unknown, repeated: [])
    }
    return try predict(ContiguousArray(names.compactMap { values[$0] }))
  }

  /// The model of the columns as they were before `exponents` were taken off.
  func restored(_ exponents: [Int]) -> LinearModel {
    LinearModel(
      link: link, intercept: intercept,
      coefficients: ContiguousArray(
        zip(coefficients, exponents).map { ColumnExponents.scale($0, by: -$1) }))
  }
}

extension LinearModel {
  private static let kind = "DLin"

  /// The model as a blob: versioned, checksummed, the same bytes for the same model.
  public func encoded() -> [UInt8] {
    var writer = BlobWriter(kind: Self.kind, version: 1)
    writer.write(link.rawValue)
    writer.write(intercept)
    writer.write(coefficients)
    writer.write(featureNames?.count ?? 0)
    for name in featureNames ?? [] { writer.write(name) }
    return writer.finish()
  }

  /// The kinds of the blobs of ridge and logistic models, as they were before both became one.
  private static let earlierKinds: [String: Link] = ["DRdg": .identity, "DLgt": .logit]

  /// The model in a blob, to the bit.
  public init(decoding bytes: [UInt8]) throws(BlobError) {
    for (kind, link) in Self.earlierKinds where bytes.starts(with: Array(kind.utf8)) {
      var reader = try BlobReader(bytes, kind: kind, supported: 1)
      self.init(
        link: link, intercept: try reader.readDouble(), coefficients: try reader.readDoubles())
      try reader.finish()
      guard isFinite else { throw .malformed("a coefficient that is not finite") }
      return
    }
    var reader = try BlobReader(bytes, kind: Self.kind, supported: 1)
    guard let link = Link(rawValue: try reader.readByte()) else { throw .malformed("a link") }
    self.init(
      link: link, intercept: try reader.readDouble(), coefficients: try reader.readDoubles())
    guard isFinite else { throw .malformed("a coefficient that is not finite") }
    let nameCount = try reader.readCount("a number of names")
    if nameCount > 0 {
      var names: [String] = []
      for _ in 0..<nameCount { names.append(try reader.readString()) }
      do { self = try named(names) } catch { throw .malformed("the names of its columns") }
    }
    try reader.finish()
  }

  private var isFinite: Bool { intercept.isFinite && coefficients.allSatisfy(\.isFinite) }
}

extension LinearModel: Codable {
  private enum CodingKeys: String, CodingKey { case link, intercept, coefficients, featureNames }

  /// Reads a model that ``encode(to:)`` wrote. Numbers that are not finite and names that do not fit are
  /// refused.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      link: try values.decode(Link.self, forKey: .link),
      intercept: try values.decode(Double.self, forKey: .intercept),
      coefficients: try values.decode(ContiguousArray<Double>.self, forKey: .coefficients))
    guard isFinite else {
      throw DecodingError.dataCorruptedError(
        forKey: .coefficients, in: values, debugDescription: "a coefficient is not finite")
    }
    if let names = try values.decodeIfPresent([String].self, forKey: .featureNames) {
      do { self = try named(names) } catch {
        throw DecodingError.dataCorruptedError(
          forKey: .featureNames, in: values,
          debugDescription: "\(names.count) names, each once, for \(featureCount) columns expected")
      }
    }
  }

  /// Writes link, intercept, coefficients and, where there are any, the names of the columns.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(link, forKey: .link)
    try values.encode(intercept, forKey: .intercept)
    try values.encode(coefficients, forKey: .coefficients)
    try values.encodeIfPresent(featureNames, forKey: .featureNames)
  }
}

extension LinearModel.Link: Codable {
  /// `identity` or `logit`: a file is to be read by people too.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(self == .identity ? "identity" : "logit")
  }

  /// Reads `identity` or `logit`.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    switch try value.decode(String.self) {
    case "identity": self = .identity
    case "logit": self = .logit
    default:
      throw DecodingError.dataCorruptedError(
        in: value, debugDescription: "the link is neither identity nor logit")
    }
  }
}
