import DayLog
import Diurnal
import Personalisation
import Testing

@Suite struct `A model's name` {
  @Test(arguments: [1, 2, 7])
  func `comes back from its text`(horizon: Int) throws {
    for text in ["mood", "mood<=4", "symptom.migraine"] {
      let name = ModelName(try #require(Target(text)), horizon: horizon)
      #expect(ModelName(name.description) == name)
    }
    for text in ["", "mood 1 days ahead", "mood 8 days ahead", "mood 3 days", "mood 3 days later"] {
      #expect(ModelName(text) == nil, "\(text)")
    }
  }
}
