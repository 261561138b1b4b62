internal import Charts
internal import Time

/// What goes together in the log: a card a statement, and what was looked at and is not shown.
struct InsightSection {
  private let insights: InsightContent

  init(_ insights: InsightContent) { self.insights = insights }

  func write(_ html: inout HTML) {
    guard let days = insights.days, insights.testCount > 0 else {
      html.add(
        "p", "Nothing could be tested yet: two metrics need four weeks of days in common.")
      return
    }
    if insights.cards.isEmpty {
      html.add(
        "p",
        "Nothing holds beyond chance from \(days.lowerBound) to \(days.upperBound); \(insights.testCount) pairs were tested."
      )
    } else {
      html.add(
        "p",
        "\(insights.testCount) pairs were tested over \(days.lowerBound) to \(days.upperBound). About \(Self.share(insights.falseDiscoveryRate)) of what is shown is there by chance. None of it says what causes what.",
        style: "quiet small")
      html.add("div", "class=\"grid\"") { html in
        for card in insights.cards {
          html.add("div", "class=\"card\"") { html in
            html.add("p", card.sentence)
            html.figure(
              card.chart.drawing, finding: "The days behind it; the uprights are means.",
              header: ["days", "count", "mean"],
              rows: card.groups.map { [$0.label, "\($0.count)", Figures.short($0.mean)] })
          }
        }
      }
    }
    if !insights.others.isEmpty {
      html.add("ul", "class=\"plain small\"") { html in
        for sentence in insights.others { html.add("li", sentence) }
      }
    }
    html.table(
      ["pairs", "why they are not shown"],
      insights.unshown.map { ["\($0.count)", $0.reason] },
      summary: "What was tested and is not shown")
  }

  private static func share(_ rate: Double) -> String {
    rate > 0 && rate <= 0.5 ? "one in \(Figures.short((1 / rate).rounded()))" : "a share"
  }
}
