import Testing
import Time

@Suite struct `A timestamp` {
  @Test func `is read and written with its offset`() throws {
    for text in [
      "2024-05-01T09:00:00+02:00", "1969-12-31T23:59:59.999Z", "2024-02-29T00:00:00-09:30",
      "0001-01-01T00:00:00Z", "2024-05-01T09:00:00.005Z",
    ] { #expect(Timestamp(text)?.description == text) }
    #expect(Instant(milliseconds: .min).description.hasSuffix(".192Z"), "written and not trapped")
    #expect(Timestamp("2024-05-01T09:00:00+0200") == Timestamp("2024-05-01T09:00:00.0+02:00"))
    #expect(Timestamp("1970-01-01 00:00:00.1239Z")?.instant == Instant(milliseconds: 123))
    #expect(Timestamp("2016-12-31T23:59:60Z") == Timestamp("2017-01-01T00:00:00Z"))
    let late = try #require(Timestamp("2024-05-02T03:30:00+02:00"))
    #expect(late.day().description == "2024-05-02")
    #expect(late.day(dayStart: 14_400).description == "2024-05-01")
    for text in [
      "2024-05-01T09:00:00", "2024-05-01", "2024-05-01T24:00:00Z", "2024-05-01T09:60:00Z",
      "2024-05-01T09:00:00.Z", "2024-05-01T09:00:00+2:00", "2024-05-01T09:00:00+02:00x",
      "2024-05-01T09:00:00Zx", "2024-05-01T09:00:00.1", "2024-05-01T09:00:00+02:", "",
    ] { #expect(Timestamp(text) == nil, "\(text)") }
  }
}
