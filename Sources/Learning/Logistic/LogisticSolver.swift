internal import LinearAlgebra

/// The minimiser of Σ w log(1 + exp(−s(Zβ + b))) + λ/2 Σ β², where it stands and how it goes on.
///
/// Newton's method with a factor that is kept while it serves: between two factorisations the steps taken
/// tell how the second derivative has changed (see ``LogisticCurvature``). Every gradient is computed in
/// full, so what it converges to does not depend on how good the factor is.
///
/// A step is accepted by derivatives along it alone. Where the objective, being convex, still falls at its
/// end, it has fallen all the way. Where it rises again, the step is accepted if the slope has at least
/// halved and no score has moved by more than ½: curvature then changes by less than e^½ along the step
/// (*Self-concordant analysis for logistic regression*, Bach, Electron. J. Stat. 4 (2010), 384–414), which
/// bounds the rise by the fall. Else the step is cut to where the slope is nearly 0, which takes scores
/// only. So the objective falls in every step and iteration cannot diverge; and no difference of
/// objectives, lost to rounding near the end, is ever formed.
struct LogisticSolver: Sendable {
  let tolerance: Double
  let maximumIterations: Int
  /// Coefficients of standardised columns, then the intercept.
  var point: ContiguousArray<Double>
  /// Of all slots that the blocks have room for, used or not.
  var scores: ContiguousArray<Double>
  /// Of the objective at ``point``.
  var gradient: ContiguousArray<Double>
  var penalty = 0.0
  /// Steps since the start.
  var iterations = 0
  var curvature: LogisticCurvature
  var mustRenew = true
  /// Rows taken in or out since the last fit.
  var editCount = 0
  /// Steps beyond what they should take, see ``endEdits()``.
  var excess = 0
  /// What rounding may have done to ``gradient`` since it was last computed in full.
  var doubt = 0.0

  var trial: ContiguousArray<Double>
  var trialScores: ContiguousArray<Double>
  var trialGradient: ContiguousArray<Double>
  var direction: ContiguousArray<Double>
  var residuals: ContiguousArray<Double>

  init(order: Int, slotCount: Int, tolerance: Double, maximumIterations: Int) {
    self.tolerance = tolerance
    self.maximumIterations = maximumIterations
    point = ContiguousArray(repeating: 0, count: order)
    scores = ContiguousArray(repeating: 0, count: LogisticRows.room(for: slotCount))
    gradient = point
    curvature = LogisticCurvature(order: order)
    trial = point
    trialScores = scores
    trialGradient = point
    direction = point
    residuals = scores
  }

  /// The gradient divided by the weight sum, in the infinity norm.
  func gradientNorm(_ rows: LogisticRows) -> Double {
    var largest = 0.0
    for value in gradient { largest = max(largest, abs(value)) }
    // max passes a NaN over.
    return gradient.allSatisfy(\.isFinite) ? largest / rows.weightSum : .nan
  }

  /// Stands at a point from now on.
  mutating func start(
    at start: ContiguousArray<Double>, _ rows: LogisticRows, penalty: Double
  ) {
    self.penalty = penalty
    iterations = 0
    for j in point.indices { trial[j] = start[j] }
    evaluateTrial(rows)
    acceptTrial()
  }

  /// Goes to another point if the objective is lower there.
  mutating func start(atBetter start: ContiguousArray<Double>, _ rows: LogisticRows) {
    let here = objective(rows)
    for j in point.indices { trial[j] = start[j] }
    evaluateTrial(rows)
    acceptTrial()
    // Written so that a start beyond all bounds is not taken either.
    if !(objective(rows) <= here) { acceptTrial() }
  }

  private func objective(_ rows: LogisticRows) -> Double {
    let coefficients = point.count - 1
    return rows.meanLoss(scores) * rows.weightSum + penalty / 2
      * BLAS.dot(coefficients, point, point)
  }

  /// Goes on until the gradient is below the tolerance.
  ///
  /// - Returns: Whether it got there.
  mutating func minimise(_ rows: LogisticRows) -> Bool {
    var norm = gradientNorm(rows)
    // How the gradient shrank in the steps with the present factor.
    var contraction = 1.0
    var stepsWithFactor = 0
    while !(norm <= tolerance) {
      guard iterations < maximumIterations, norm.isFinite else { return false }
      if !mustRenew && curvature.penalty != penalty {
        mustRenew = !(curvature.change(penalty: penalty) > 0)
      }
      if mustRenew {
        guard renew(rows) else { return false }
        (contraction, stepsWithFactor) = (1, 0)
      }
      guard let share = step(rows) else {
        // The direction is none: only a factor that has worn out, or rounding, can do that.
        guard stepsWithFactor > 0 else { return false }
        mustRenew = true
        continue
      }
      let next = gradientNorm(rows)
      let shrunk = next / norm
      contraction = stepsWithFactor == 0 ? shrunk : (contraction * shrunk).squareRoot()
      stepsWithFactor += 1
      norm = next
      mustRenew = share < 1 || !isWorthKeeping(contraction, norm)
    }
    return true
  }

  /// Whether going on with the factor costs less than a new one, by the rate at which it has served.
  private func isWorthKeeping(_ contraction: Double, _ norm: Double) -> Bool {
    guard contraction < 1 else { return false }
    let stepsLeft = LogisticFunction.ratio(ofLogs: tolerance / norm, contraction)
    // There are some steps after a new one, too.
    return stepsLeft <= renewalCost + 2
  }

  /// How many gradients cost as much as a second derivative and its factor.
  var renewalCost: Double { 3 + Double(point.count) / 16 }

  /// Factors the second derivative at the point; false where even double precision has no factor.
  mutating func renew(_ rows: LogisticRows, exactly: Bool = false) -> Bool {
    mustRenew = false
    return curvature.renew(rows, scores: scores, penalty: penalty, exactly: exactly) > 0
  }

  /// Goes one step.
  ///
  /// - Returns: The share of the full step that was taken; nil, and everything as it was, where the
  ///   direction does not lead down.
  mutating func step(_ rows: LogisticRows) -> Double? {
    curvature.descend(gradient, into: &direction)
    let slope = BLAS.dot(point.count, gradient, direction)
    guard slope < 0, slope.isFinite else { return nil }
    for j in point.indices { trial[j] = point[j] + direction[j] }
    evaluateTrial(rows)
    let newSlope = BLAS.dot(point.count, trialGradient, direction)
    var share = 1.0
    if !(newSlope <= 0) && !(newSlope <= -0.5 * slope && largestMove(rows) <= 0.5) {
      share = searchShare(rows, slope: slope)
      guard share > 0 else { return nil }
      for j in point.indices { trial[j] = point[j] + share * direction[j] }
      evaluateTrial(rows)
    }
    curvature.learn(
      from: point, to: trial, oldGradient: gradient, newGradient: trialGradient)
    acceptTrial()
    iterations += 1
    return share
  }

  /// The largest change of a score between the point and the trial.
  func largestMove(_ rows: LogisticRows) -> Double {
    var largest = 0.0
    for i in 0..<rows.slotCount where rows.weights[i] > 0 {
      largest = max(largest, abs(trialScores[i] - scores[i]))
    }
    return largest
  }

  /// The share of the step at whose end the objective still falls, at less than half the slope of its
  /// beginning: by secants within a bracket that shrinks by a tenth at least.
  private mutating func searchShare(_ rows: LogisticRows, slope: Double) -> Double {
    var (low, lowSlope) = (0.0, slope)
    var (high, highSlope) = (1.0, slopeAlong(rows, share: 1))
    for _ in 0..<200 {
      let width = high - low
      let secant = low + width * (lowSlope / (lowSlope - highSlope))
      let share =
        secant.isFinite
        ? min(max(secant, low + 0.1 * width), high - 0.1 * width) : low + 0.5 * width
      let slopeThere = slopeAlong(rows, share: share)
      if slopeThere <= 0 {
        (low, lowSlope) = (share, slopeThere)
        if slopeThere >= 0.5 * slope { break }
      } else {
        (high, highSlope) = (share, slopeThere)
      }
    }
    return low
  }

  /// The derivative of the objective along the direction, after this share of it.
  private func slopeAlong(_ rows: LogisticRows, share: Double) -> Double {
    var slope = 0.0
    for j in 0..<point.count - 1 {
      slope += (point[j] + share * direction[j]) * direction[j]
    }
    slope *= penalty
    for i in 0..<rows.slotCount where rows.weights[i] > 0 {
      let move = trialScores[i] - scores[i]
      let probability = LogisticFunction.probability(scores[i] + share * move)
      slope += rows.weights[i] * (probability - rows.labels[i]) * move
    }
    return slope
  }

  private mutating func evaluateTrial(_ rows: LogisticRows) {
    rows.evaluate(
      at: trial, scores: &trialScores, residuals: &residuals, gradient: &trialGradient)
    for j in 0..<point.count - 1 { trialGradient[j] += penalty * trial[j] }
    doubt = 0
  }

  private mutating func acceptTrial() {
    swap(&point, &trial)
    swap(&scores, &trialScores)
    swap(&gradient, &trialGradient)
  }
}
