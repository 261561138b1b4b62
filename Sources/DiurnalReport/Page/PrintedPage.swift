internal import Charts
internal import DayLog
internal import Time

/// Two sheets of A4 for a doctor: symptoms and chosen metrics with their course, and no forecasts.
struct PrintedPage {
  private let content: ReportContent

  init(_ content: ReportContent) { self.content = content }

  var html: String {
    var html = HTML()
    html.add("main") { html in
      html.add("h1", "Symptoms and measurements")
      guard let days = content.days else {
        html.add("p", "Nothing is logged up to \(content.today).")
        return
      }
      html.add(
        "p",
        "\(days.lowerBound) to \(days.upperBound), made on \(content.today). \(counted(content.origins.typedCount, "value")) typed by the person, \(content.origins.importedCount) from devices and apps.",
        style: "quiet")
      let symptoms = content.trends.filter(\.metric.isSymptom)
      if !symptoms.isEmpty {
        html.add("h2", "Symptoms")
        html.openTable(
          ["symptom", "days with an entry", "days with it", "mean severity of these"],
          symptoms.map(\.symptomRow))
        grid(symptoms, &html)
      }
      html.add("h2", "Measurements and ratings")
      grid(content.trends.filter { !$0.metric.isSymptom }, &html)
      html.add(
        "p",
        "Grey dots are values, the thin line is the mean of 7 days, the thick one of 28; a dotted upright marks a change of level, as a new device makes it. These are the person's own records and no medical findings.",
        style: "quiet small")
    }
    return PageFrame.document(
      title: "Symptoms and measurements, \(content.today)", style: PageFrame.printed,
      body: html.text)
  }

  private func grid(_ trends: [TrendContent], _ html: inout HTML) {
    html.add("div", "class=\"grid\"") { html in
      for trend in trends { TrendCard(trend).write(&html) }
    }
  }
}
