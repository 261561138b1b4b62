internal import Charts
internal import DayLog
internal import Diurnal
internal import Personalisation
internal import Time

/// What the models say about tomorrow, and how they did.
struct ForecastContent: Sendable {
  /// A target whose forecasts have been shown to beat the simple rules.
  struct Card: Sendable {
    let target: String
    let day: CalendarDay
    let sentence: String
    let bars: ContributionBars
    let contributions: [(name: String, text: String)]
    let fan: Fan?
    let record: TrackRecord?
  }

  /// The last weeks of forecasts.
  struct Fan: Sendable {
    let chart: FanChart
    let finding: String
    let rows: [(day: CalendarDay, forecast: String, band: String, outcome: String)]
  }

  var cards: [Card] = []
  /// Targets with a model about which nothing is claimed, and why.
  var closed: [(target: String, reason: String)] = []
  /// Models that could not be used, and why.
  var refused: [(target: String, reason: String)] = []

  private static let fanDays = 60
  private static let barCount = 5

  /// No forecasts.
  init() {}

  init(_ journal: Journal, _ log: PersonalLog, _ today: CalendarDay) async throws {
    for name in try await journal.trainedModels(horizon: 1) {
      let model: PersonalModel
      do {
        model = try await journal.model(of: name.target, horizon: name.horizon)
      } catch let error as ModelError {
        refused.append((name.description, "\(error)"))
        continue
      }
      do {
        let prediction = try model.predict(from: log)
        if prediction.gate.isOpen {
          cards.append(Self.card(prediction, try model.history(in: log)))
        } else {
          closed.append((name.description, Self.reason(model.report)))
        }
      } catch let error as PredictionError {
        refused.append((name.description, "\(error)"))
      } catch let error as TrainingError {
        refused.append((name.description, "\(error)"))
      }
    }
  }

  private static func reason(_ report: BacktestReport) -> String {
    report.scored < SkillGate.leastDays
      ? "\(report.scored) of \(SkillGate.leastDays) scored days"
      : "no better than “\(report.gate.bestBaseline.name)” beyond doubt"
  }

  private static func card(_ prediction: Prediction, _ history: TargetHistory) -> Card {
    let target = prediction.target
    let write = writer(target)
    let band = prediction.interval.map {
      ", between \(write($0.lowerBound)) and \(write($0.upperBound)) nine times in ten"
    }
    let largest = prediction.contributions.sorted { abs($0.value) > abs($1.value) }
      .prefix(barCount)
    let bars = largest.map {
      (name: $0.name, value: $0.value, text: ($0.value < 0 ? "" : "+") + Figures.fixed($0.value, 2))
    }
    return Card(
      target: target.description, day: prediction.day,
      sentence:
        "\(target) on \(prediction.day): \(write(prediction.value))\(band ?? "")."
        + " The best simple rule, \(prediction.baseline.rule.name), says \(write(prediction.baseline.value)).",
      bars: ContributionBars(bars), contributions: bars.map { ($0.name, $0.text) },
      fan: fan(prediction, history, write), record: TrackRecord(target, history))
  }

  private static func fan(
    _ prediction: Prediction, _ history: TargetHistory, _ write: (Double) -> String
  ) -> Fan? {
    let first = prediction.day.advanced(by: -fanDays)
    let recent = history.entries.filter { $0.day >= first }
    guard !recent.isEmpty, !prediction.target.isBinary else { return nil }
    func title(_ day: CalendarDay, _ forecast: Double, _ came: String) -> String {
      "\(day): forecast \(write(forecast)), \(came)"
    }
    var steps = recent.map {
      FanChart.Step(
        day: $0.day.number, forecast: $0.forecast, band: $0.interval, outcome: $0.outcome,
        title: title($0.day, $0.forecast, "came \(write($0.outcome))"))
    }
    steps.append(
      FanChart.Step(
        day: prediction.day.number, forecast: prediction.value, band: prediction.interval,
        outcome: nil, title: title(prediction.day, prediction.value, "not known yet")))
    let banded = recent.filter { $0.interval != nil }
    let inside = banded.count { $0.interval?.contains($0.outcome) == true }
    return Fan(
      chart: FanChart(axis: TrendContent.axis(first...prediction.day), steps: steps),
      finding: banded.isEmpty
        ? "\(counted(recent.count, "forecast")) in the last \(fanDays) days."
        : "\(inside) of \(counted(banded.count, "value")) lay within the band that was given the day before.",
      rows: recent.map {
        (
          $0.day, write($0.forecast),
          $0.interval.map { "\(write($0.lowerBound)) to \(write($0.upperBound))" } ?? "–",
          write($0.outcome)
        )
      })
  }

  static func writer(_ target: Target) -> (Double) -> String {
    target.isBinary
      ? { Figures.fixed(100 * $0, 0) + " %" } : CalendarContent.writer(target.metric)
  }
}
