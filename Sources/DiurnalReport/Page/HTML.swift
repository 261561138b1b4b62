internal import Charts

/// A growing page. Every text goes through `Markup.escaped` here; only markup of our own is added as it is.
struct HTML {
  private(set) var text = ""

  /// Adds an element with text in it.
  mutating func add(_ element: String, _ text: String, style: String? = nil) {
    self.text +=
      "<\(element)\(style.map { " class=\"\($0)\"" } ?? "")>\(Markup.escaped(text))</\(element)>\n"
  }

  /// Adds an element around what `body` adds.
  mutating func add(_ element: String, _ attributes: String = "", _ body: (inout HTML) -> Void) {
    text += "<\(element)\(attributes.isEmpty ? "" : " " + attributes)>\n"
    body(&self)
    text += "</\(element)>\n"
  }

  /// Adds markup that this module made.
  mutating func add(markup: String) { text += markup }

  /// Adds a chart with its finding as a caption and its numbers in a table behind it.
  mutating func figure(
    _ drawing: Drawing, finding: String, header: [String], rows: [[String]]
  ) {
    add("figure") { html in
      html.add(markup: drawing.svg(label: finding))
      html.add("figcaption", finding)
      html.table(header, rows)
    }
  }

  /// Adds a table behind a fold; nothing where it has no rows.
  mutating func table(_ header: [String], _ rows: [[String]], summary: String = "Numbers") {
    guard !rows.isEmpty else { return }
    add("details") { html in
      html.add("summary", summary)
      html.openTable(header, rows)
    }
  }

  /// Adds a table that is open.
  mutating func openTable(_ header: [String], _ rows: [[String]]) {
    // A region that can be scrolled must be reachable by keyboard.
    add("div", "class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"") { html in
      html.add("table") { html in
        html.add("thead") { html in html.row(header, "th scope=\"col\"", "th") }
        html.add("tbody") { html in for row in rows { html.row(row, "td", "td") } }
      }
    }
  }

  private mutating func row(_ cells: [String], _ open: String, _ close: String) {
    text += "<tr>"
    for cell in cells { text += "<\(open)>\(Markup.escaped(cell))</\(close)>" }
    text += "</tr>\n"
  }
}
