import Charts
import Testing

@Suite struct `Text in a chart or page` {
  @Test func `cannot end an element, an attribute or a comment`() {
    #expect(
      Markup.escaped("<script>alert(\"1\" & '2')</script>-->")
        == "&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;--&gt;")
  }

  @Test(arguments: [
    "\u{1B}[31m", "\u{0}", "\u{202E}", "\u{200B}", "\u{7F}", "\u{9B}", "\u{2028}", "\u{FEFF}",
  ])
  func `shows that a character is there which nobody would see`(text: String) {
    #expect(Markup.escaped("a" + text + "b").hasPrefix("a\u{FFFD}"))
  }

  @Test func `keeps letters of every script as they are`() {
    #expect(Markup.escaped("Müdigkeit 疲れ שינה 😀") == "Müdigkeit 疲れ שינה 😀")
  }
}

@Suite struct `Numbers in a chart` {
  @Test func `are rounded half away from zero, and no zero is negative`() {
    #expect(Figures.fixed(2.375, 2) == "2.38")
    #expect(Figures.fixed(-0.004, 2) == "0.00")
    #expect(Figures.fixed(1.05, 0) == "1")
    #expect(Figures.fixed(-12.5, 1) == "-12.5")
    #expect(Figures.fixed(.nan, 1) == "–")
    #expect(Figures.fixed(1e300, 2) == "1e+300")
  }

  @Test func `have about three digits, without zeros at the end`() {
    #expect(Figures.short(7) == "7")
    #expect(Figures.short(7.5) == "7.5")
    #expect(Figures.short(0.126) == "0.13")
    #expect(Figures.short(1234.4) == "1234")
    #expect(Figures.compact(12_345) == "12.3k")
  }
}

@Suite struct `An axis` {
  @Test(arguments: 0..<200)
  func `begins and ends on round values that hold all others`(seed: Int) {
    let low = Double(seed * 37 % 101) * 3.7 - 150
    let high = low + Double(seed * 53 % 97) * 1.3 + 0.01
    let scale = Scale(linear: [low, high], from: 0, to: 100)
    let ticks = scale.ticks
    #expect((2...9).contains(ticks.count))
    #expect(ticks[0] <= low + 1e-9 && ticks[ticks.count - 1] >= high - 1e-9)
    #expect(
      abs(scale.place(ticks[0])) < 1e-6 && abs(scale.place(ticks[ticks.count - 1]) - 100) < 1e-6)
  }

  @Test func `has a length even where all values are one, and where there is none`() {
    for values in [[5.0, 5], [0], [], [.nan, .infinity]] {
      let scale = Scale(linear: values, from: 0, to: 10)
      #expect(scale.place(values.first.flatMap { $0.isFinite ? $0 : nil } ?? 0.5).isFinite)
      #expect(scale.ticks.count >= 2)
    }
  }

  @Test func `of powers keeps equal factors equally far apart`() {
    let scale = Scale(logarithmic: [1, 1000], from: 0, to: 300)
    #expect(abs((scale.place(10) - scale.place(1)) - (scale.place(1000) - scale.place(100))) < 1e-9)
    #expect(scale.ticks == [1, 10, 100, 1000])
  }
}
