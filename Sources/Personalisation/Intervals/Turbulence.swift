internal import Learning

/// Whether the days are calm, or errors have just become larger or one-sided: a hidden state that each error tells of.
///
/// A state is a shift of the errors and a factor of their width, in units of the usual mean absolute error, which
/// follow a Student distribution of ``freedom`` degrees around the shift. A calm day is followed by an uneasy one now
/// and then, an uneasy one calms down after about two weeks, and a shift fades sooner, as forecasts follow it. The
/// filter is exact (*A tutorial on hidden Markov models*, Rabiner, Proceedings of the IEEE 77 (1989)).
struct Turbulence: Equatable, Sendable {
  private static let shifts = [-2.5, 0, 2.5]
  private static let widths = [1.0, 1.7, 3]
  /// Places of no shift and of the usual width.
  private static let (still, usual) = (1, 0)
  /// The chance that a calm day is followed by a wider one, and that it is followed by a shifted one.
  private static let widening = 0.02
  private static let shifting = 0.01
  /// The chance that a wide day is followed by a calm one, and that a shift lasts a day longer.
  private static let calming = 0.08
  private static let lasting = 0.85
  /// √(π/2): the standard deviation of normal errors over their mean absolute value.
  private static let spread = 1.2533141373155003

  /// The chance of each state, by shift and then width.
  private var chances: ContiguousArray<Double> = {
    var chances = ContiguousArray(
      repeating: 0.0, count: Turbulence.shifts.count * Turbulence.widths.count)
    chances[Turbulence.still * Turbulence.widths.count + Turbulence.usual] = 1
    return chances
  }()

  /// The error that the next one stays below with a chance of `tail`, and above with as much, in mean absolute errors;
  /// neither closer than a quarter of one.
  ///
  /// In uneasy times up to ``caution`` of the tails is taken off: how much larger errors have become is then known
  /// from few.
  func range(tail: Double) -> ClosedRange<Double> {
    let chances = next
    let calm = chances[Self.still * Self.widths.count + Self.usual]
    let unease = max(0, 1 - Self.ordinaryUnease - calm) / (1 - Self.ordinaryUnease)
    let tail = tail * (1 - Self.caution * unease)
    return min(Self.quantile(tail, chances), -0.25)...max(Self.quantile(1 - tail, chances), 0.25)
  }

  private static let caution = 0.7
  /// The chance of unease that calm times have.
  private static let ordinaryUnease = 0.05

  /// Takes in an error in mean absolute errors.
  mutating func observe(_ error: Double) {
    var next = self.next
    var sum = 0.0
    for (index, state) in Self.states.enumerated() {
      next[index] *= Self.density((error - state.shift) / (state.width * Self.spread)) / state.width
      sum += next[index]
    }
    // An error so far out that no state has a density is the widest one's.
    guard sum > 0, sum.isFinite else { return }
    for index in next.indices { next[index] /= sum }
    chances = next
  }

  private static let states: [(shift: Double, width: Double)] = shifts.flatMap { shift in
    widths.map { (shift, $0) }
  }

  /// The chances of the day after.
  private var next: ContiguousArray<Double> {
    let count = Self.widths.count
    var next = chances
    for shift in Self.shifts.indices {
      let first = shift * count
      let calm = chances[first + Self.usual]
      var calmed = calm * (1 - Self.widening)
      for width in 0..<count where width != Self.usual {
        let wide = chances[first + width]
        next[first + width] =
          wide * (1 - Self.calming) + calm * Self.widening / Double(count - 1)
        calmed += wide * Self.calming
      }
      next[first + Self.usual] = calmed
    }
    for width in 0..<count {
      let still = Self.still * count + width
      for shift in Self.shifts.indices where shift != Self.still {
        next[still] += next[shift * count + width] * (1 - Self.lasting)
        next[shift * count + width] *= Self.lasting
      }
      let shifted = next[still] * Self.shifting
      next[still] -= shifted
      for shift in Self.shifts.indices where shift != Self.still {
        next[shift * count + width] += shifted / Double(Self.shifts.count - 1)
      }
    }
    return next
  }

  /// Degrees of freedom: errors of real people have heavier tails than normal ones.
  private static let freedom = 6.0

  /// The density of Student's distribution, up to a constant.
  private static func density(_ x: Double) -> Double {
    let part = 1 + x * x / freedom
    return 1 / (part * part * part * part.squareRoot())
  }

  /// Its distribution function, which is elementary for an even number of degrees of freedom (Abramowitz and Stegun,
  /// 26.7.4).
  static func distribution(_ x: Double) -> Double {
    guard abs(x) < 1e100 else { return x > 0 ? 1 : 0 }
    let cosine = freedom / (freedom + x * x)
    let sine = x / (freedom + x * x).squareRoot()
    return 0.5 + 0.5 * sine * (1 + cosine * (0.5 + 0.375 * cosine))
  }

  /// The error below which the mixture has this share, by bisection to a ten-thousandth of an error.
  private static func quantile(_ share: Double, _ chances: ContiguousArray<Double>) -> Double {
    // Beyond 40 errors of the widest state lies less than the least tail that is asked for.
    var (low, high) = (-120.0, 120.0)
    while high - low > 1e-4 {
      let middle = (low + high) / 2
      var below = 0.0
      for (index, state) in states.enumerated() {
        below += chances[index] * distribution((middle - state.shift) / (state.width * spread))
      }
      if below < share { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}

extension Turbulence {
  func write(to writer: inout BlobWriter) { writer.write(chances) }

  init(from reader: inout BlobReader) throws(BlobError) {
    chances = try reader.readDoubles(count: Self.states.count)
  }
}
