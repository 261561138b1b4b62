internal import LinearAlgebra

/// Sums of squares over some rows: a row per penalty, a column per target.
struct PenaltySums: Sendable {
  /// Of leave-one-out residuals.
  private(set) var leftOut: ContiguousArray<Double>
  /// Of residuals.
  private(set) var fitted: ContiguousArray<Double>
  /// Effective degrees of freedom per penalty, the intercept counts 1.
  let degreesOfFreedom: ContiguousArray<Double>

  /// The sums over all rows, part by part on as many threads; the parts are added in their order.
  init(
    _ basis: PenaltyBasis, _ input: CheckedInput, _ penalties: ContiguousArray<Double>,
    threads: Int,
    _ meter: ProgressMeter?
  ) throws(LearningError) {
    let inverses = basis.inverses(penalties)
    let parts = Parallel.map(input.chunks.count, threads: threads) { index in
      Result { () throws(LearningError) in
        let sums = PenaltySums(
          basis, input, inverses: inverses, count: penalties.count, rows: input.chunks[index])
        try meter?.step()
        return sums
      }
    }
    self = try parts[0].get()
    for part in parts.dropFirst() {
      let part = try part.get()
      for i in leftOut.indices {
        leftOut[i] += part.leftOut[i]
        fitted[i] += part.fitted[i]
      }
    }
  }

  /// - Parameter inverses: What ``PenaltyBasis/inverses(_:)`` gives for the penalties.
  private init(
    _ basis: PenaltyBasis, _ input: CheckedInput, inverses: ContiguousArray<Double>, count: Int,
    rows: Range<Int>
  ) {
    let order = basis.values.count
    degreesOfFreedom = ContiguousArray(
      (0..<count).map { 1 + BLAS.dot(order, inverses, xAt: $0 * order, basis.values) })
    let targetCount = input.targets.columnCount
    let lead = 128
    leftOut = ContiguousArray(repeating: 0, count: count * targetCount)
    fitted = leftOut
    let coefficients = (0..<targetCount).map { t in
      var coefficients = inverses
      for l in 0..<count {
        Elementwise.multiply(
          order, inverses, xAt: l * order, 1, basis.projections, yAt: t * order,
          into: &coefficients, zAt: l * order)
      }
      return coefficients
    }
    var block = ContiguousArray<Double>(repeating: 0, count: (order + targetCount) * lead)
    var scratch = block
    var leverages = ContiguousArray<Double>(repeating: 0, count: lead * count)
    var predictions = leverages
    // What a row leaves to the others is 1 − leverage; the intercept's share of that is w / Σw.
    var unshared = ContiguousArray<Double>(repeating: 0, count: lead)
    var line = unshared
    let least = Double.ulpOfOne * Double(max(16, input.positiveCount))
    for from in stride(from: rows.lowerBound, to: rows.upperBound, by: lead) {
      let part = from..<min(from + lead, rows.upperBound)
      basis.rows(part, input, into: &block, scratch: &scratch, lead: lead)
      Elementwise.multiply(order * lead, block, 1, block, into: &scratch)
      BLAS.gemm(
        Block(scratch, rowCount: part.count, columnCount: order, lead: lead),
        Block(inverses, rowCount: order, columnCount: count), isFinite: true, &leverages, lead: lead
      )
      for i in 0..<part.count {
        let root = input.rootWeights.map { $0[from + i] } ?? 1
        unshared[i] = 1 - root * root / input.weightSum
      }
      for t in 0..<targetCount {
        BLAS.gemm(
          Block(block, rowCount: part.count, columnCount: order, lead: lead),
          Block(coefficients[t], rowCount: order, columnCount: count), isFinite: true, &predictions,
          lead: lead)
        let target = (order + t) * lead
        for l in 0..<count {
          Elementwise.combine(
            part.count, block, xAt: target, -1, predictions, yAt: l * lead, into: &line)
          fitted[t * count + l] += BLAS.dot(part.count, line, line)
          Elementwise.divide(
            part.count, &line, by: unshared, minus: leverages, yAt: l * lead, least: least)
          leftOut[t * count + l] += BLAS.dot(part.count, line, line)
        }
      }
    }
  }
}
