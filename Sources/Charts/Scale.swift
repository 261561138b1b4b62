#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A map from values to places along one axis.
package struct Scale: Sendable {
  /// How values are spread along the axis.
  package enum Kind: Sendable { case linear, logarithmic }

  private let kind: Kind
  private let low: Double
  private let high: Double
  private let from: Double
  private let to: Double
  /// How far apart the ticks of a linear axis are.
  private let step: Double

  /// A linear axis over all finite `values`, ending on its outer ticks; it has a length even where they are one.
  package init(linear values: some Sequence<Double>, from: Double, to: Double) {
    var (low, high) = (Double.infinity, -Double.infinity)
    for value in values where value.isFinite { (low, high) = (min(low, value), max(high, value)) }
    if low > high { (low, high) = (0, 1) }
    if low == high {
      let room = max(abs(low) / 10, 0.5)
      (low, high) = (low - room, high + room)
    }
    step = Self.step(high - low)
    kind = .linear
    self.low = (low / step).rounded(.down) * step
    self.high = (high / step).rounded(.up) * step
    (self.from, self.to) = (from, to)
  }

  /// A linear axis over exactly `domain`.
  package init(exactly domain: ClosedRange<Double>, from: Double, to: Double) {
    kind = .linear
    (low, high) = (domain.lowerBound, max(domain.upperBound, domain.lowerBound.nextUp))
    (self.from, self.to) = (from, to)
    step = Self.step(high - low)
  }

  /// A logarithmic axis over all positive `values`, at least 1.2 decades long.
  package init(logarithmic values: some Sequence<Double>, from: Double, to: Double) {
    let logs = values.filter { $0 > 0 && $0.isFinite }.map { log10($0) }
    let (least, most) = (logs.min() ?? 0, logs.max() ?? 1)
    let room = max(0.12, (1.2 - (most - least)) / 2)
    kind = .logarithmic
    step = 1
    (low, high) = (least - room, most + room)
    (self.from, self.to) = (from, to)
  }

  /// Where a value lies.
  package func place(_ value: Double) -> Double {
    let position = kind == .linear ? value : log10(value)
    return from + (to - from) * ((position - low) / (high - low))
  }

  /// Round values along the axis: about four of a linear one; of a logarithmic one its decades, with 2 and 5
  /// between them where there are few.
  package var ticks: [Double] {
    switch kind {
    case .linear:
      let first = (low / step).rounded(.up)
      let count = Int(((high / step) - first + 1e-9).rounded(.down))
      return (0...max(0, count)).map { (first + Double($0)) * step }
    case .logarithmic:
      let digits: [Double] = high - low < 2.2 ? [1, 2, 5] : [1]
      return (Int(low.rounded(.down))...Int(high.rounded(.up))).flatMap { decade in
        digits.map { $0 * pow(10, Double(decade)) }
      }.filter { (low...high).contains(log10($0)) }
    }
  }

  /// 1, 2 or 5 times a power of ten, so that a span has three to seven steps.
  private static func step(_ span: Double) -> Double {
    let rough = span / 4
    let power = pow(10, log10(rough).rounded(.down))
    let digits = rough / power
    return power * (digits < 1.5 ? 1 : digits < 3.5 ? 2 : digits < 7.5 ? 5 : 10)
  }
}
