internal import Charts
internal import DayLog
internal import Time

/// The page for the person whose log it is.
struct Page {
  private let content: ReportContent

  init(_ content: ReportContent) { self.content = content }

  var html: String {
    var html = HTML()
    html.add("header") { header(&$0) }
    html.add("main") { html in
      guard content.days != nil else { return advice(&html) }
      if let week = content.week { section("This week", &html) { self.week(week, &$0) } }
      section("Tomorrow", &html) { tomorrow(&$0) }
      section("A year of days", &html) { calendars(&$0) }
      section("Every metric", &html) { trends(&$0) }
      if let insights = content.insights {
        section("What goes together", &html) { InsightSection(insights).write(&$0) }
      }
      section("How far to trust this", &html) { trust(&$0) }
      if let loop = content.loop { section("In the background", &html) { self.loop(loop, &$0) } }
    }
    return PageFrame.document(
      title: "Diurnal, \(content.today)", style: PageFrame.screen, body: html.text)
  }

  private func section(_ title: String, _ html: inout HTML, _ body: (inout HTML) -> Void) {
    html.add("section") { html in
      html.add("h2", title)
      body(&html)
    }
  }

  private func header(_ html: inout HTML) {
    html.add("h1", "Your days")
    guard let days = content.days else {
      html.add("p", "As of \(content.today).", style: "quiet")
      return
    }
    html.add(
      "p",
      "\(days.lowerBound) to \(days.upperBound), as of \(content.today). \(Self.origin(content.origins))",
      style: "quiet")
  }

  private static func origin(_ origins: OriginContent) -> String {
    let all = origins.typedCount + origins.importedCount
    guard all > 0 else { return "" }
    return
      "\(counted(all, "value")): \(origins.typedCount) typed by you, \(origins.importedCount) imported."
  }

  /// What to do where there is nothing to show.
  private func advice(_ html: inout HTML) {
    html.add("p", "Nothing is logged yet, so there is nothing to show.", style: "big")
    html.add("p", "Import an export of your phone or a table of your own: diurnal import FILE")
    html.add("p", "Or type how today was: diurnal log today mood=7")
    html.add(
      "p", "After about four weeks of days there is enough to learn from: diurnal train",
      style: "quiet")
  }

  private func week(_ week: WeekContent, _ html: inout HTML) {
    html.add(
      "p", "\(week.first) to \(week.last)\(week.isOver ? "" : ", not over yet"). \(week.streak)",
      style: "quiet")
    html.add("ul", "class=\"plain\"") { html in
      for line in week.lines {
        html.add(
          markup:
            "<li\(line.isUnusual ? " class=\"mark\"" : "")><b>\(Markup.escaped(line.metric))</b>"
            + " \(Markup.escaped(line.sentence))</li>\n")
      }
    }
    if week.lines.contains(where: \.isUnusual) {
      html.add("p", "▲ marks what stands out against the eight weeks before.", style: "quiet small")
    }
    if !week.silent.isEmpty {
      html.add(
        "p", "Nothing this week: \(week.silent.joined(separator: ", ")).", style: "quiet small")
    }
  }

  private func tomorrow(_ html: inout HTML) {
    let forecasts = content.forecasts
    if forecasts.cards.isEmpty {
      html.add(
        "p",
        forecasts.closed.isEmpty
          ? "No model has been trained. A target needs 28 days with a value: diurnal train"
          : "No forecast has been shown to beat the simple rules yet, so none is given.")
    }
    for card in forecasts.cards {
      html.add("div", "class=\"card wide\"") { html in
        html.add("p", card.sentence, style: "big")
        html.add("div", "class=\"pair\"") { html in
          if let fan = card.fan {
            html.figure(
              fan.chart.drawing, finding: fan.finding,
              header: ["day", "forecast", "band", "came"],
              rows: fan.rows.map { ["\($0.day)", $0.forecast, $0.band, $0.outcome] })
          }
          html.figure(
            card.bars.drawing,
            finding: "The five largest parts of the plain regression behind it.",
            header: ["part", "adds"], rows: card.contributions.map { [$0.name, $0.text] })
        }
      }
    }
    if !forecasts.closed.isEmpty {
      html.add(
        "p",
        "Nothing is claimed about "
          + forecasts.closed.map { "\($0.target) (\($0.reason))" }.joined(separator: ", ") + ".",
        style: "quiet small")
    }
  }

  private func calendars(_ html: inout HTML) {
    guard !content.calendars.isEmpty else {
      html.add("p", "A calendar needs a metric with values on at least two days.")
      return
    }
    html.add(
      "p", "Hatched days have no value; a dot marks a value that you typed; a frame marks today.",
      style: "quiet small")
    // Which calendar is shown is a matter of radio buttons and style alone: no script is needed.
    let rules = content.calendars.indices.map { "#c\($0):checked~#f\($0)" }
      .joined(separator: ",")
    html.add(markup: "<style>\(rules){display:block}</style>\n")
    html.add("fieldset", "class=\"tabs\"") { html in
      html.add("legend", "Metric")
      for (index, calendar) in content.calendars.enumerated() {
        html.add(
          markup:
            "<input type=\"radio\" name=\"calendar\" id=\"c\(index)\"\(index == 0 ? " checked" : "")>"
            + "<label for=\"c\(index)\">\(Markup.escaped(calendar.metric.name))</label>\n")
      }
      for (index, calendar) in content.calendars.enumerated() {
        html.add("figure", "id=\"f\(index)\"") { html in
          html.add(
            "div",
            "class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Calendar of \(Markup.escaped(calendar.metric.name))\""
          ) { $0.add(markup: calendar.chart.drawing.svg(label: calendar.finding)) }
          html.add("figcaption", calendar.finding)
          html.table(
            ["month", "days", "mean"],
            calendar.months.map { [$0.name, "\($0.dayCount)", Figures.short($0.mean)] })
        }
      }
    }
  }

  private func trends(_ html: inout HTML) {
    html.add(
      "p",
      "Grey dots are values, the thin blue line is the mean of 7 days, the thick red one of 28; a dotted upright marks a change of level.",
      style: "quiet small")
    html.add("div", "class=\"grid\"") { html in
      for trend in content.trends { TrendCard(trend).write(&html) }
    }
  }

  private func trust(_ html: inout HTML) {
    html.add("div", "class=\"grid\"") { html in
      for card in content.forecasts.cards {
        if let record = card.record { Self.record(record, of: card.target, &html) }
      }
    }
    html.add(
      "p",
      "Forecasts are scored on days that the model did not know. A target is shown only after it has beaten every simple rule on such days.",
      style: "small")
    for refused in content.forecasts.refused {
      html.add("p", "No forecast of \(refused.target): \(refused.reason).", style: "small")
    }
    html.add("p", Self.origin(content.origins), style: "quiet small")
  }

  private static func record(_ record: TrackRecord, of target: String, _ html: inout HTML) {
    html.add("div", "class=\"card\"") { html in
      html.add("h3", target)
      switch record.kind {
      case .reliability(let chart, let bins):
        html.figure(
          chart.drawing, finding: record.finding, header: ["said", "came", "days"],
          rows: bins.map {
            [
              "\(Figures.fixed(100 * $0.forecast, 0)) %",
              "\(Figures.fixed(100 * $0.observed, 0)) %", "\($0.count)",
            ]
          })
      case .coverage(let chart, let shares):
        html.figure(
          chart.drawing, finding: record.finding, header: ["day", "share within"],
          rows: shares.map { ["\($0.day)", "\(Figures.fixed(100 * $0.share, 0)) %"] })
      }
    }
  }

  private func loop(_ loop: LoopContent, _ html: inout HTML) {
    html.openTable(
      ["task", "last run", "how it ended", "now"],
      loop.tasks.map { [$0.name, $0.lastRun, $0.outcome, $0.now] })
    for finding in loop.findings { html.add("p", finding, style: "mark") }
  }
}
