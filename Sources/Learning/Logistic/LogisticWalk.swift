/// A solver that goes down a list of penalties, each fit beginning where the last ones point to.
///
/// The solution is a smooth function of log λ. The polynomial through the last solutions foretells the
/// next one, often well enough that a gradient confirms it.
struct LogisticWalk: Sendable {
  private(set) var solver: LogisticSolver
  private let design: LogisticDesign
  private let settings: LogisticRegression
  /// Solutions behind it, the newest last.
  private var points: [ContiguousArray<Double>] = []
  private var places: [Double] = []
  private var start: ContiguousArray<Double>

  /// How many solutions the polynomial goes through.
  private static let memory = 4

  init(_ design: LogisticDesign, _ settings: LogisticRegression) {
    self.design = design
    self.settings = settings
    solver = settings.solver(design)
    start = LogisticRegression.origin(design)
  }

  /// The fit with the next penalty, which is above 0 and not above the last one.
  mutating func advance(to penalty: Double) throws(LearningError) {
    let place = LogisticFunction.logarithm(penalty)
    if places.last != place { foretell(place) }
    solver.start(at: start, design.rows, penalty: penalty)
    do { try settings.converge(&solver, design) } catch {
      // A forecast can be far off where penalties are far apart; the intercept alone never is.
      solver.start(at: LogisticRegression.origin(design), design.rows, penalty: penalty)
      try settings.converge(&solver, design)
    }
    remember(place)
  }

  /// The model of the fit it stands at.
  var model: LinearModel { design.model(solver.point) }

  /// Writes the value at `place` of the polynomial through the last solutions to `start`.
  private mutating func foretell(_ place: Double) {
    guard !points.isEmpty else { return }
    for j in start.indices { start[j] = 0 }
    for (i, point) in points.enumerated() {
      var share = 1.0
      for k in places.indices where k != i {
        share *= (place - places[k]) / (places[i] - places[k])
      }
      for j in start.indices { start[j] += share * point[j] }
    }
  }

  private mutating func remember(_ place: Double) {
    if places.last == place {
      points.removeLast()
      places.removeLast()
    }
    if points.count == Self.memory {
      points.removeFirst()
      places.removeFirst()
    }
    points.append(solver.point)
    places.append(place)
  }
}
