/// From the unit of a file to that of a metric, as the one operation that is rounded once: minutes to hours
/// is a division by 60, not a product with a sixtieth, so that 426 minutes are 7.1 hours.
enum UnitScale: Sendable {
  case times(Double)
  case over(Double)

  /// The file has the metric's unit.
  static let one = UnitScale.times(1)

  /// A number of the file in the metric's unit.
  func convert(_ value: Double) -> Double {
    switch self {
    case .times(let factor): value * factor
    case .over(let divisor): value / divisor
    }
  }
}
