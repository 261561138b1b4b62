import DayLog
import Personalisation
import TestSupport
import Testing
import Time

@Suite struct `A personal model` {
  private func trained(
    _ log: PersonalLog, previous: PersonalModel? = nil
  ) throws -> (PersonalModel, TrainingMode) {
    let outcome = try trainPersonalisedModel(
      from: log, target: Target(.hrv), previous: previous)
    guard case .trained(let model, let mode, _) = outcome else {
      throw TrainingError.tooLarge
    }
    return (model, mode)
  }

  @Test func `comes back from its blob to the bit and explains its own value`() throws {
    var random = SplitMix64(seed: 5)
    let log = PersonalLog(randomTable(days: 120, metrics: [.hrv, .steps], using: &random))
    let (model, mode) = try trained(log)
    #expect(mode == .full)
    #expect(try PersonalModel(decoding: model.encoded()) == model)
    let prediction = try model.predict(from: log)
    let sum = prediction.contributions.reduce(prediction.intercept) { $0 + $1.value }
    #expect(abs(sum - prediction.model) <= 1e-12 * max(1, abs(sum)))
    #expect(abs(prediction.weights.reduce(0) { $0 + $1.weight } - 1) <= 1e-12)
    #expect(try model.influentialDays(in: log).count == 5)
  }

  @Test func `names no day whose features were mostly missing among the most influential`() throws {
    var random = SplitMix64(seed: 8)
    let table = randomTable(days: 90, metrics: [.hrv, .steps], missing: 0, using: &random)
    var values = table.values
    // Outliers on the second day, of which little was known before, and after a gap of a month.
    values[1] += 400
    for day in 30..<60 { for column in [0, 90] { values[column + day] = .nan } }
    values[60] -= 400
    values[80] += 40
    let log = PersonalLog(
      DayTable(firstDay: table.firstDay, dayCount: 90, metrics: table.metrics, values: values))
    let days = try trained(log).0.influentialDays(in: log, count: 90).map {
      table.firstDay.distance(to: $0.day)
    }
    #expect(!days.contains(1) && !days.contains(60))
    #expect(days.contains(80) && days.contains(29))
    #expect(Set(days).count == days.count && days.count >= 20)
  }

  @Test func `forecasts nothing below 0, and gives no interval there, where no value ever was`()
    throws
  {
    var random = SplitMix64(seed: 9)
    let values: [Double?] = (0..<120).map { _ in max(0, 30 * random.normal()) }
    for shift in [0.0, -10] {
      let log = PersonalLog(table(values.map { $0.map { $0 + shift } }, metric: .hrv))
      let interval = try #require(try trained(log).0.predict(from: log).interval)
      #expect((interval.lowerBound < 0) == (shift < 0))
    }
    // A regression goes on with a fall for a while.
    let falling: [Double?] = (0..<60).map { max(0, 54 - Double($0) + random.normal()) }
    for end in 50...60 {
      let log = PersonalLog(table(Array(falling.prefix(end)), metric: .hrv))
      #expect(try trained(log).0.predict(from: log).value >= 0)
    }
  }

  @Test func `NUM_14: a damaged blob is a named error`() throws {
    var random = SplitMix64(seed: 6)
    let log = PersonalLog(randomTable(days: 60, metrics: [.hrv], using: &random))
    let bytes = try trained(log).0.encoded()
    for position in stride(from: 0, to: bytes.count, by: 397) {
      var altered = bytes
      altered[position] ^= 0x10
      #expect(throws: ModelBlobError.self) { try PersonalModel(decoding: altered) }
    }
    #expect(throws: ModelBlobError.self) { try PersonalModel(decoding: Array(bytes.dropLast())) }
  }

  @Test func `updated by a day has the bytes of one that was continued from nothing else`() throws {
    var random = SplitMix64(seed: 7)
    let table = randomTable(days: 150, metrics: [.hrv, .steps], using: &random)
    var edited = table.values
    edited[140] = 42
    let changed = PersonalLog(
      DayTable(firstDay: table.firstDay, dayCount: 150, metrics: table.metrics, values: edited))
    let (first, _) = try trained(PersonalLog(table))
    let (second, mode) = try trained(changed, previous: first)
    #expect(mode == .incremental)
    let (back, _) = try trained(PersonalLog(table), previous: second)
    #expect(back == first)
    #expect(try trained(PersonalLog(table), previous: first).1 == .unchanged)
  }
}
