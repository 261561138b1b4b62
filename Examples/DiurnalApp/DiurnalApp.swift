import Diurnal
import SwiftUI
import WatchConnectivity

/// Four screens of a journal. Nothing outside Xcode checks this file: see the README beside it.
@main struct DiurnalApp: App {
  @State private var model: Result<AppModel, any Error>
  @Environment(\.scenePhase) private var phase

  init() {
    let model = Result { try AppModel() }
    if case .success(let model) = model, WCSession.isSupported() {
      WCSession.default.delegate = model.watchDelegate
      WCSession.default.activate()
    }
    _model = State(initialValue: model)
  }

  var body: some Scene {
    WindowGroup {
      switch model {
      case .success(let model): Screens(model: model)
      case .failure(let error): Text(verbatim: "\(error)").padding()
      }
    }
    .onChange(of: phase, initial: true) { _, phase in
      guard case .success(let model) = model else { return }
      switch phase {
      case .active: Task { await model.appear() }
      case .background: Task { await model.disappear() }
      default: break
      }
    }
  }
}

private struct Screens: View {
  let model: AppModel
  @State private var mood = 5.0

  var body: some View {
    NavigationStack {
      List {
        if let problem = model.problem { Text(verbatim: problem).foregroundStyle(.red) }
        Section("Today") {
          ForEach(model.today, id: \.self) { Text(verbatim: $0) }
          Stepper("Mood \(mood.formatted())", value: $mood, in: 1...10)
          Button("Log") { Task { await model.log(Metric("mood")!, mood) } }
        }
        Section("Tomorrow") {
          ForEach(model.forecasts) { forecast in
            VStack(alignment: .leading) {
              Text(verbatim: "\(forecast.id) \(forecast.value)")
              Text(
                forecast.isTrusted
                  ? "Better than any plain rule." : "A plain rule: the model is not better yet.")
              Text(verbatim: "Why: " + forecast.why.joined(separator: ", "))
            }
          }
        }
        Section("In the background") {
          ForEach(model.tasks) { task in
            LabeledContent(task.id, value: task.words)
          }
        }
        Button("Allow Health and notifications") { Task { await model.requestPermissions() } }
      }
      .navigationTitle("Diurnal")
    }
  }
}
