import DayLog
import Foundation
import Testing

@Suite struct `Text from outside` {
  /// What can do something else than be read, each between two letters.
  private static let active = [
    "\u{1B}[31m", "\u{7}", "\u{0}", "\u{8}", "\u{7F}", "\u{9B}31m", "\u{85}", "\u{202E}",
    "\u{2066}",
    "\u{200B}", "\u{200D}", "\u{FEFF}", "\u{AD}", "\u{2028}", "\u{E0041}", "\u{3164}", "\u{E000}",
  ]

  @Test(arguments: active)
  func `keeps nothing that controls, turns or hides`(text: String) throws {
    for way in [Harmless.line, Harmless.lines, Harmless.cell, Harmless.markup]
      as [(String) -> String]
    {
      let shown = way("a\(text)b")
      #expect(shown.hasPrefix("a\\u") && shown.hasSuffix("b"))
      #expect(
        shown.unicodeScalars.allSatisfy {
          ![.control, .format, .lineSeparator].contains($0.properties.generalCategory)
        })
    }
    // The same text as a parser that is not ours reads it.
    let json = JSON.quoted("a\(text)b")
    #expect(json.unicodeScalars.allSatisfy { $0.isASCII && $0.value >= 0x20 && $0.value != 0x7F })
    let read = try JSONSerialization.jsonObject(
      with: Data(json.utf8), options: .fragmentsAllowed)
    #expect(read as? String == "a\(text)b")
  }

  @Test(arguments: ["Größe", "睡眠", "наслада", "☀️ sun", "e\u{301}", "👍🏽", "a “b” – c", "שינה"])
  func `stays as it is in every script`(text: String) {
    #expect(Harmless.line(text) == text)
    #expect(Harmless.lines(text + "\n\t" + text) == text + "\n\t" + text)
  }

  @Test func `has no lines of its own where it is a part of one`() {
    #expect(Harmless.line("a\nb\r\nc\td") == #"a\nb\r\nc\td"#)
    #expect(Harmless.lines("a\nb\rc") == "a\nb\\u000dc")
  }

  @Test func `is no formula in a cell, and one cell`() {
    #expect(Harmless.cell("watch") == "watch")
    for text in ["=1+1", "+1", "-1", "@SUM(A1)", "=cmd|' /C calc'!A0"] {
      #expect(Harmless.cell(text) == "'" + text)
    }
    #expect(Harmless.cell(" =1") == "' =1")
    #expect(Harmless.cell("a,\"b\"") == "\"a,\"\"b\"\"\"")
    #expect(Harmless.cell("a\n=1") == #"a\n=1"#)
  }

  @Test func `is no markup`() {
    #expect(
      Harmless.markup("<script>\"a\" & b</script>")
        == "&lt;script&gt;&quot;a&quot; &amp; b&lt;/script&gt;")
  }
}
