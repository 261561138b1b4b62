import Foundation
import Testing

@Suite struct `Metrics on the command line` {
  @Test func `each metric shows its unit, its days, what is missing and its sources`() throws {
    let tool = try Tool()
    let table = try tool.file(
      "days.csv", "day,steps,shoes\n2026-01-01,8000,1\n2026-01-02,7000,\n2026-01-05,9000,\n")
    #expect(try tool.run("import", table).status == 0)
    #expect(try tool.run("log", "2026-01-02", "steps=7500").status == 0)
    let outcome = try tool.run("metrics", "--json")
    let metrics = try #require(outcome.json?["metrics"] as? [[String: Any]])
    #expect(metrics.map { $0["metric"] as? String } == ["shoes", "steps"])
    #expect(metrics[0]["unit"] is NSNull)
    #expect(metrics[0]["missing_share"] as? Double == 0)
    #expect(metrics[1]["unit"] as? String == "count")
    #expect(metrics[1]["days"] as? Int == 3)
    #expect(metrics[1]["first"] as? String == "2026-01-01")
    #expect(metrics[1]["last"] as? String == "2026-01-05")
    // Three of five days; one rounding of the division and one of the difference.
    let missing = try #require(metrics[1]["missing_share"] as? Double)
    #expect(abs(missing - 0.4) <= 1e-15)
    let origins = (metrics[1]["sources"] as? [[String: Any]])?.compactMap {
      $0["origin"] as? String
    }
    #expect(Set(try #require(origins)) == ["typed", "imported"])
    let text = try tool.run("metrics").output
    #expect(text.contains("40.0 %"))
  }
}
