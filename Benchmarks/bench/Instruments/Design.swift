#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A seeded stream of numbers, the same on every machine.
///
/// *Fast Splittable Pseudorandom Number Generators*, Steele, Lea and Flood, OOPSLA 2014.
struct SeededNumbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Even over 0..<1.
  mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Standard normal, by Box and Muller's first form.
  mutating func normal() -> Double {
    (-2 * log(1 - uniform())).squareRoot() * cos(2 * .pi * uniform())
  }
}

/// A matrix with two targets, as lagged and rolling daily metrics make them.
///
/// A first-order autoregressive series, its lags, its trailing means and a near copy, eight columns a series:
/// X'X has a condition of 1e4 to 1e6. Columns are standardised (population deviation 1) over the rows, so that
/// a rival that takes them as given solves the same problem as one that standardises. `y` is linear in them plus
/// noise, `labels` are drawn with log-odds that are linear in them.
struct Design {
  let rowCount: Int
  let columnCount: Int
  /// Column after column.
  let x: Buffer
  let y: Buffer
  let labels: Buffer
  /// Rows that come later, with the same scales, and their targets.
  let laterRows: [ContiguousArray<Double>]
  let laterTargets: [Double]
  let laterLabels: [Double]

  init(rowCount: Int, columnCount: Int, laterRowCount: Int = 0, seed: UInt64 = 7) {
    var numbers = SeededNumbers(seed: seed)
    let total = rowCount + laterRowCount
    var columns: [ContiguousArray<Double>] = []
    columns.reserveCapacity(columnCount)
    while columns.count < columnCount {
      for column in Self.family(length: total, &numbers) where columns.count < columnCount {
        columns.append(Self.standardised(column, over: rowCount))
      }
    }
    var linear = ContiguousArray(repeating: 0.0, count: total)
    var odds = linear
    for column in columns {
      let weight = numbers.normal() / Double(columnCount).squareRoot()
      let pull = numbers.normal() / Double(columnCount).squareRoot()
      for i in 0..<total {
        linear[i] += weight * column[i]
        odds[i] += pull * column[i]
      }
    }
    for i in 0..<total {
      linear[i] += 3 + numbers.normal()
      odds[i] = numbers.uniform() < 1 / (1 + exp(0.5 - odds[i])) ? 1 : 0
    }
    self.rowCount = rowCount
    self.columnCount = columnCount
    x = Buffer(count: rowCount * columnCount)
    for (j, column) in columns.enumerated() {
      for i in 0..<rowCount { x[j * rowCount + i] = column[i] }
    }
    y = Buffer(linear[..<rowCount])
    labels = Buffer(odds[..<rowCount])
    laterRows = (rowCount..<total).map { i in ContiguousArray(columns.map { $0[i] }) }
    laterTargets = Array(linear[rowCount...])
    laterLabels = Array(odds[rowCount...])
  }

  /// A series, three lags, two trailing means, a slow and a near copy.
  private static func family(length: Int, _ numbers: inout SeededNumbers)
    -> [ContiguousArray<Double>]
  {
    let memory = 0.3 + 0.6 * numbers.uniform()
    let before = 28
    var series = ContiguousArray<Double>()
    var state = 0.0
    for _ in 0..<(before + length) {
      state = memory * state + numbers.normal()
      series.append(state)
    }
    func lag(_ days: Int) -> ContiguousArray<Double> {
      ContiguousArray(series[(before - days)..<(before - days + length)])
    }
    func mean(_ days: Int) -> ContiguousArray<Double> {
      var sum = series[(before - days)..<before].reduce(0, +)
      var means = ContiguousArray<Double>()
      for t in before..<(before + length) {
        means.append(sum / Double(days))
        sum += series[t] - series[t - days]
      }
      return means
    }
    let copy = ContiguousArray(lag(0).map { $0 + 0.03 * numbers.normal() })
    return [lag(0), lag(1), lag(2), lag(7), mean(7), mean(28), mean(14), copy]
  }

  /// Mean 0 and population deviation 1 over the first `rowCount` values.
  private static func standardised(_ column: ContiguousArray<Double>, over rowCount: Int)
    -> ContiguousArray<Double>
  {
    let known = column[..<rowCount]
    let mean = known.reduce(0, +) / Double(rowCount)
    let variance = known.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(rowCount)
    let deviation = variance.squareRoot()
    return ContiguousArray(column.map { ($0 - mean) / deviation })
  }
}
