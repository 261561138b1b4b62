internal import LinearAlgebra

/// Running sums that keep the error of every addition: twice the digits of a double, see ``DoubleDouble``.
struct ExactSums: Equatable, Sendable {
  /// The sums, rounded to doubles.
  private(set) var values: ContiguousArray<Double>
  private var errors: ContiguousArray<Double>

  /// Sums that begin at these values.
  init(_ values: ContiguousArray<Double>) {
    self.values = values
    errors = ContiguousArray(repeating: 0, count: values.count)
  }

  /// One sum with all its digits.
  subscript(i: Int) -> DoubleDouble {
    get { DoubleDouble(high: values[i], low: errors[i]) }
    set { (values[i], errors[i]) = (newValue.high, newValue.low) }
  }

  /// One sum less a term, where they are so near that the error counts.
  func less(_ term: Double, at i: Int) -> Double { (values[i] - term) + errors[i] }

  /// Adds the lower triangle of a square of `order` to sums laid out alike.
  mutating func add(lower terms: ContiguousArray<Double>, order: Int) {
    precondition(terms.count == order * order && values.count == order * order)
    for j in 0..<order {
      for i in j * order + j..<(j + 1) * order {
        let sum = values[i] + terms[i]
        let part = sum - values[i]
        let error = errors[i] + ((values[i] - (sum - part)) + (terms[i] - part))
        values[i] = sum + error
        errors[i] = error - (values[i] - sum)
      }
    }
  }

  /// Adds as many other sums.
  mutating func add(_ other: ExactSums) {
    for i in values.indices { self[i] = self[i] + other[i] }
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
