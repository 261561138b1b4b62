/// Running sums that keep the error of every addition: twice the digits of a double.
///
/// - Note: Two-sum: *A floating-point technique for extending the available precision*, Dekker,
///   Numerische Mathematik 18 (1971), 224–242.
struct ExactSums: Equatable, Sendable {
  /// The sums, rounded to doubles.
  private(set) var values: ContiguousArray<Double>
  private var errors: ContiguousArray<Double>

  /// Sums that begin at these values.
  init(_ values: ContiguousArray<Double>) {
    self.values = values
    errors = ContiguousArray(repeating: 0, count: values.count)
  }

  /// Adds one term to one sum.
  mutating func add(_ term: Double, at i: Int) {
    let sum = values[i] + term
    let part = sum - values[i]
    let error = errors[i] + ((values[i] - (sum - part)) + (term - part))
    values[i] = sum + error
    errors[i] = error - (values[i] - sum)
  }

  /// Adds a multiple of a term to each sum.
  mutating func add(_ terms: ContiguousArray<Double>, times factor: Double) {
    for i in 0..<terms.count { add(factor * terms[i], at: i) }
  }

  /// Adds the lower triangle of a square of `order` to sums laid out alike.
  mutating func add(lower terms: ContiguousArray<Double>, order: Int) {
    precondition(terms.count == order * order && values.count == order * order)
    for j in 0..<order {
      for i in j * order + j..<(j + 1) * order { add(terms[i], at: i) }
    }
  }

  func write(to writer: inout BlobWriter) {
    writer.write(values)
    writer.write(errors)
  }

  init(from reader: inout BlobReader, count: Int) throws(BlobError) {
    values = try reader.readDoubles(count: count)
    errors = try reader.readDoubles(count: count)
    guard values.allSatisfy(\.isFinite), errors.allSatisfy(\.isFinite) else {
      throw .malformed("a sum that is not finite")
    }
  }
}
