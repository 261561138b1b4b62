import TestSupport
import Testing
import Time

@testable import DayLog

@Suite struct `Reading what others wrote` {
  private func read(_ text: String) throws(SyncError) -> SyncDocument {
    try SyncDocument(Array(text.utf8))
  }
  private let header = #"{"kind":"diurnal-log","version":1}"#
  private let entry =
    #"{"kind":"entry","day":"2024-03-01","metric":"mood","origin":"typed","source":"a \"b\" 日","as_of":5,"value":4.25}"#

  @Test func `a sync file comes back byte for byte, whatever its line ends`() throws {
    let text = [header, entry, #"{"kind":"forget","day":"2024-03-02","as_of":-7}"#]
    let document = try read(text.joined(separator: "\r\n"))
    #expect(document.entries.map(\.key.source.name) == ["a \"b\" 日"])
    #expect(document.marks.map(\.asOf.milliseconds) == [-7])
    #expect(document.bytes == Array((text.joined(separator: "\n") + "\n").utf8))
    #expect(try SyncDocument(document.bytes) == document)
  }

  @Test
  func `a wrong line of a sync file is named by number, and lines of a newer kind are counted`()
    throws
  {
    func problem(_ text: String) -> SyncError? {
      do { _ = try read(text) } catch { return error }
      return nil
    }
    #expect(problem("") == SyncError(line: 1, problem: .noHeader))
    #expect(problem(entry) == SyncError(line: 1, problem: .noHeader))
    #expect(
      problem(#"{"kind":"diurnal-log","version":2}"#) == SyncError(line: 1, problem: .newerVersion))
    for (key, from, to) in [
      ("day", "2024-03-01", "2024-02-30"), ("metric", "\"mood\"", "\"Mood\""),
      ("origin", "typed", "guessed"), ("value", "4.25", "\"4\""), ("as_of", ":5", ":5.5"),
      ("as_of", ":5", ":1e300"), ("as_of", ":5", ":-9223372036854775808"),
      ("as_of", ":5", ":9007199254740992"), ("source", "\"source\":", "\"sauce\":"),
    ] {
      let line = entry.split(separator: from, maxSplits: 1).joined(separator: to)
      #expect(
        problem([header, entry, "", line].joined(separator: "\n"))
          == SyncError(line: 4, problem: .unreadable(key: key)))
    }
    #expect(problem(header + "\n{\"kind\":\"entry\"")?.line == 2)
    #expect(try read(header + "\n{\"kind\":\"photo\"}\n" + entry).unknownLineCount == 1)
  }

  @Test
  func `a payload in a sync file is read byte for byte, whatever a newer version puts beside it`()
    throws
  {
    let payload = #"{ "id":"1", "kind":"dream","x":"} ,\"payload\":{" }"#
    for line in [
      #"{"kind":"payload","payload":\#(payload)}"#, #"{"payload":\#(payload) ,"kind":"payload"}"#,
      #"{"kind":"payload","payload":\#(payload),"device":{"name":"}"}}"#,
    ] {
      #expect(try read(header + "\n" + line).payloads == [Array(payload.utf8)], "\(line)")
    }
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `mutated bytes are read or refused and never trap`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let payload =
      #"{"kind":"payload","payload":{"id":"1","kind":"symptom","at":"2024-05-01T09:00:00+02:00","name":"\ud83d\ude00 x","severity":3e0}}"#
    var bytes = Array([header, entry, payload].joined(separator: "\n").utf8)
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let index = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: index)
      default: bytes.insert(bytes.randomElement(using: &random)!, at: index)
      }
    }
    do {
      let document = try SyncDocument(bytes)
      #expect(throws: Never.self) { try SyncDocument(document.bytes) }
    } catch {
      #expect(error.line >= 1)
    }
    for piece in (try? JSON.objects(in: bytes)) ?? [] { _ = try? Payload(piece) }
  }

  @Test func `a list of JSON is handed over item by item where it need not be held`() throws {
    let text = #"{"a":[0,{"list":[1]}],"list":[2,{"list":[3]},[4]],"b":{"list":[5]},"c":"list"}"#
    var items: [JSON] = []
    let rest = try JSON(ArraySlice(text.utf8), lists: ["list", "c"]) { items.append($0) }
    #expect(items == [.number(2), .object(["list": .array([.number(3)])]), .array([.number(4)])])
    let whole = try JSON(ArraySlice(text.utf8))
    #expect(rest["list"] == .array([]))
    for key in ["a", "b", "c"] { #expect(rest[key] == whole[key]) }
    #expect(throws: JSON.Failure.self) {
      try JSON(ArraySlice(#"{"list":[1,]}"#.utf8), lists: ["list"]) { _ in }
    }
    // A list that is no member of an object is held.
    #expect(try JSON(ArraySlice("[1]".utf8), lists: ["list"]) { _ in } == .array([.number(1)]))
  }

  @Test func `JSON is read strictly and nesting has an end`() throws {
    func value(_ text: String) -> JSON? { try? JSON(ArraySlice(text.utf8)) }
    #expect(
      value(#" [1, -0.5e1 ,"\u00e9\ud83d\ude00\n",true,null,{}] "#)
        == .array([.number(1), .number(-5), .string("é😀\n"), .bool(true), .null, .object([:])]))
    for text in [
      "", "01", "1.", "+1", "1e", "nul", "[1,]", "{\"a\":1,}", "{\"a\":1,\"a\":2}", "\"\u{1}\"",
      "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\x\"", "1 2", "1e999", "{1:2}", "'a'",
      String(repeating: "[", count: 100_000),
    ] { #expect(value(text) == nil, "\(text.prefix(20))") }
    #expect((try? JSON([0x22, 0xFF, 0x22])) == nil)
    let objects = try JSON.objects(in: Array("{\"a\":1}\n {\"b\" : \"}\"}{}".utf8))
    #expect(
      objects.map { String(decoding: $0, as: UTF8.self) } == ["{\"a\":1}", "{\"b\" : \"}\"}", "{}"])
  }

  @Test func `payloads name the key that is wrong`() {
    func problem(_ text: String) -> PayloadError? {
      do { _ = try Payload(Array(text.utf8)) } catch { return error }
      return nil
    }
    let start = #"{"id":"1","kind":"symptom","at":"2024-05-01T09:00:00Z""#
    #expect(problem(start + "}") == .missing(key: "name"))
    #expect(problem(start + #","name":"x","severity":"3"}"#) == .unreadable(key: "severity"))
    #expect(problem(start + #","name":"!","severity":3}"#) == .unreadable(key: "name"))
    for at in ["yesterday", "0001-01-01T00:00:00Z"] {
      #expect(problem(#"{"id":"1","kind":"symptom","at":"\#(at)"}"#) == .unreadable(key: "at"))
    }
    #expect(problem(#"{"id":"","kind":"symptom"}"#) == .unreadable(key: "id"))
    #expect(problem(#"{"id":"1","kind":"dream"}"#) == .unknownKind)
    #expect(
      problem(#"{"id":"1","kind":"check-in","at":"2024-05-01T09:00:00Z"}"#) == .missing(key: "mood")
    )
    #expect(problem("[]") == .notJSON(offset: 0, reason: "an object begins with {"))
  }
}
