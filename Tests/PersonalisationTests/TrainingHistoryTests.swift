import DayLog
import TestSupport
import Testing
import Time

@testable import Personalisation

/// What a model owes to its log alone, whatever the way that led to it.
@Suite struct `A training after changes` {
  private static let metrics: [Metric] = [.hrv, .mood, .steps]

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `is bit for bit one from scratch with the same penalties`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var whole = randomTable(days: 150, metrics: Self.metrics, using: &random)
    let seen = whole.values[..<100].filter(\.isFinite).sorted()
    let target = seed % 2 == 0 ? Target(.hrv) : Target(.hrv, .above, seen[seen.count / 2])
    var days = 100
    var model = try train(PersonalLog(beginning(whole, days: days)), target).model
    for step in 0..<8 {
      switch UInt64.random(in: 0..<4, using: &random) {
      case 0: days = min(150, days + Int.random(in: 1...6, using: &random))
      case 1, 2:
        // An edit, or a value that a later import corrects.
        let day = Int.random(in: 0..<days, using: &random)
        let metric = Int.random(in: 0..<3, using: &random)
        whole = changing(whole, [(day, metric, .random(in: 20...80, using: &random))])
      default:
        let day = Int.random(in: 0..<days, using: &random)
        whole = changing(whole, (0..<3).map { (day, $0, .nan) })
      }
      let log = PersonalLog(beginning(whole, days: days))
      let next = try train(log, target, previous: model)
      let scratch = try trainFromScratch(log, keeping: model)
      #expect(next.model == scratch, "step \(step) of seed \(seed)")
      model = next.model
    }
  }

  @Test func `with a day forgotten is as if the day had never been logged`() throws {
    var random = SplitMix64(seed: 31)
    let whole = randomTable(days: 130, metrics: Self.metrics, using: &random)
    let without = changing(whole, (0..<3).map { (60, $0, .nan) })
    let before = try train(PersonalLog(whole), Target(.hrv)).model
    let forgotten = try train(
      PersonalLog(without), Target(.hrv), previous: before, full: true)
    let never = try train(PersonalLog(without), Target(.hrv))
    #expect(forgotten.mode == .full)
    #expect(forgotten.model.encoded() == never.model.encoded())
  }

  @Test(arguments: [false, true])
  func `that pauses after every chunk ends as one that never did`(isBinary: Bool) throws {
    var random = SplitMix64(seed: 32)
    let log = PersonalLog(randomTable(days: 160, metrics: Self.metrics, using: &random))
    let target = isBinary ? Target(.mood, .below, 40) : Target(.mood)
    let whole = try train(log, target).model
    var progress: TrainingProgress?
    var pauses = 0
    var shares: [Double] = []
    while true {
      var chunks = 0
      let outcome = try trainPersonalisedModel(
        from: log, target: target,
        progress: try progress.map { try TrainingProgress(decoding: $0.encoded()) }
      ) {
        chunks += 1
        return chunks <= 1
      }
      if case .trained(let model, let mode, _) = outcome {
        #expect(mode == .resumed)
        #expect(model == whole)
        break
      }
      guard case .paused(let held) = outcome else { return }
      shares.append(held.share)
      progress = held
      pauses += 1
      #expect(pauses < 200)
    }
    #expect(pauses > 5)
    #expect(shares == shares.sorted())
  }

  @Test func `counts an edited row once, and names what it did`() throws {
    var random = SplitMix64(seed: 33)
    let table = randomTable(days: 120, metrics: [.hrv], missing: 0, using: &random)
    let model = try train(PersonalLog(table), Target(.hrv)).model
    // The last day's value is an outcome, and as yet a feature of no row.
    let edited = changing(table, [(119, 0, 41)])
    let after = try train(PersonalLog(edited), Target(.hrv), previous: model)
    #expect(after.changedRows == 1)
    #expect(after.mode == .incremental)
  }

  @Test func `chooses penalties anew once the log has grown by a quarter`() throws {
    var random = SplitMix64(seed: 34)
    let table = randomTable(days: 90, metrics: [.hrv, .steps], missing: 0, using: &random)
    let first = try train(PersonalLog(beginning(table, days: 40)), Target(.hrv)).model
    let soon = try train(
      PersonalLog(beginning(table, days: 49)), Target(.hrv), previous: first)
    #expect(soon.mode == .incremental)
    let later = try train(
      PersonalLog(beginning(table, days: 50)), Target(.hrv), previous: soon.model)
    #expect(later.mode == .full)
    #expect(later.model == (try train(PersonalLog(beginning(table, days: 50)), Target(.hrv)).model))
    #expect(later.model.reasonForFullTraining(after: soon.model) == .outgrown(from: 40, to: 50))
  }

  @Test func `of a model that another kernel made is a full one, and says so`() throws {
    var random = SplitMix64(seed: 35)
    let log = PersonalLog(randomTable(days: 80, metrics: [.hrv, .steps], using: &random))
    let model = try train(log, Target(.hrv)).model
    // No library has a kernel of this name.
    let foreign = RollingRecord(
      variants: model.record.variants, fingerprints: model.record.fingerprints,
      kernel: "Abacus")
    var training = try PersonalTraining(
      log, Target(.hrv), TrainingOptions(), earlier: foreign, isPaused: false)
    #expect(training.mode == .full)
    guard case .trained(let again, _, _) = try training.run(mayContinue: { true }) else { return }
    #expect(again == model)
    #expect(
      FullTrainingReason.otherKernel("Abacus", now: "Haswell").description
        == "the model was made with the kernel Abacus, and Haswell runs now")
  }

  @Test func `FEA_4: the stored scaling stays as it was until the next training`() throws {
    var random = SplitMix64(seed: 36)
    let table = randomTable(days: 90, metrics: [.hrv, .steps], missing: 0, using: &random)
    let shifted = changing(table, (60..<90).map { ($0, 0, 500) })
    let model = try train(PersonalLog(beginning(table, days: 60)), Target(.steps)).model
    let bytes = model.encoded()
    _ = try model.predict(from: PersonalLog(shifted))
    #expect(model.encoded() == bytes)
    let day = table.firstDay.advanced(by: 40)
    // What later days hold moves no forecast of an earlier one.
    #expect(
      try model.predict(day, from: PersonalLog(shifted))
        == model.predict(day, from: PersonalLog(table)))
  }
}
