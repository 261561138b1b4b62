internal import DayLog
internal import LinearAlgebra
import Time

/// The rows that a target's regressions are fitted on: one a day from the first day of the log to
/// `horizon` days after its last, gaps in the features filled from the days before.
struct TrainingRows {
  let spec: FeatureSpec
  let firstDay: CalendarDay
  /// Days of the log and the days ahead that can be predicted from it.
  let dayCount: Int
  /// What fills a gap on the day after the last: each feature's mean over the days so far.
  let fills: ContiguousArray<Double>
  /// The outcome of each day of the log, NaN where unknown.
  let outcomes: ContiguousArray<Double>
  /// The days with a known outcome, as positions, ascending.
  let observed: [Int]
  private let values: ContiguousArray<Double>

  /// A season says nothing while less than this many days are known: it is the same on all days before.
  static let year = 365

  /// - Parameter starts: the positions before which a metric's features say nothing, as too few of its values were
  ///   known: they are the same on all days before.
  init(
    _ log: PersonalLog, target: Target, spec: FeatureSpec, horizon: Int, starts: [Metric: Int] = [:]
  ) {
    self.spec = spec
    firstDay = log.table.firstDay
    dayCount = log.table.dayCount + horizon
    let outcomes = target.outcomes(in: log)
    self.outcomes = outcomes
    observed = outcomes.indices.filter { !outcomes[$0].isNaN }
    let matrix = FeatureMatrix(
      spec, of: log.table(for: target),
      days: firstDay..<firstDay.advanced(by: dayCount))
    var (values, fills) = (matrix.values, ContiguousArray<Double>())
    for column in spec.features.indices {
      var (mean, count) = (0.0, 0.0)
      let feature = spec.features[column]
      let start =
        FeatureSpec.season.contains(feature)
        ? Self.year + horizon : feature.metric.flatMap { starts[$0] }
      for index in (column * dayCount)..<((column + 1) * dayCount) {
        let value = values[index]
        if value.isFinite {
          count += 1
          mean += (value - mean) / count
          if !mean.isFinite { mean = 0 }
        } else {
          values[index] = mean
        }
        if let start, index == column * dayCount + start {
          for earlier in (column * dayCount)..<index { values[earlier] = mean }
        }
      }
      fills.append(mean)
    }
    self.values = values
    self.fills = fills
  }

  /// The filled features of one day, those of `columns` in their order.
  func row(_ day: Int, _ columns: [Int]) -> ContiguousArray<Double> {
    ContiguousArray(columns.map { values[$0 * dayCount + day] })
  }

  /// The filled features of the first `count` observed days, those of `columns` in their order.
  func matrix(_ columns: [Int], count: Int) throws(TrainingError) -> Matrix {
    var storage = ContiguousArray<Double>()
    storage.reserveCapacity(columns.count * count)
    for column in columns {
      let start = column * dayCount
      for day in observed[..<count] { storage.append(values[start + day]) }
    }
    do {
      return try Matrix(
        columnMajor: storage, rowCount: count, columnCount: columns.count)
    } catch { throw TrainingError.tooLarge }
  }

  /// A number for each observed day that changes when anything in its row or outcome does.
  func fingerprints() -> [UInt64] {
    var marks = observed.map { day in
      Self.mix(UInt64(bitPattern: Int64(firstDay.number + day)), outcomes[day].bitPattern)
    }
    for column in spec.features.indices {
      let start = column * dayCount
      for (index, day) in observed.enumerated() {
        marks[index] = Self.mix(marks[index], values[start + day].bitPattern)
      }
    }
    return marks
  }

  private static func mix(_ mark: UInt64, _ bits: UInt64) -> UInt64 {
    let product = (mark ^ bits).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low &+ 0xD1B5_4A32_D192_ED03
  }
}
