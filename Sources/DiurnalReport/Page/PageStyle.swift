internal import Charts

/// The frame of a page: head, security policy and style.
enum PageFrame {
  /// A whole document around `body`.
  ///
  /// The policy forbids every request and every script, also where a page is opened from a server.
  static func document(title: String, style: String, body: String) -> String {
    JournalReport.beginning + """

      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer">
      <title>\(Markup.escaped(title))</title>
      <style>
      \(ChartStyle.css)
      \(base)
      \(style)
      </style>
      </head>
      <body>
      \(body)</body>
      </html>

      """
  }

  private static let base = """
    *{box-sizing:border-box}
    html{-webkit-text-size-adjust:100%}
    body{margin:0 auto;max-width:68rem;padding:1.2rem;background:var(--ground);color:var(--ink);\
    font:16px/1.5 system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif}
    h1{font-size:1.7rem;line-height:1.2;margin:.2rem 0}
    h2{font-size:1.25rem;margin:2.4rem 0 .6rem;padding-top:.8rem;border-top:1px solid var(--grid)}
    h3{font-size:1rem;margin:0 0 .3rem;overflow-wrap:anywhere}
    p{margin:.4rem 0}.quiet{color:var(--quiet)}.small{font-size:.875rem}
    a{color:var(--blue)}
    ul.plain{list-style:none;margin:.4rem 0;padding:0}ul.plain li{padding:.2rem 0;overflow-wrap:anywhere}
    b{font-weight:600}
    .mark::before{content:"▲ ";color:var(--red)}
    .grid{display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,19rem),1fr))}
    .card{border:1px solid var(--grid);border-radius:.5rem;padding:.9rem;min-width:0}
    .card.wide{margin-bottom:1rem}
    .pair{display:grid;gap:1rem;grid-template-columns:minmax(0,3fr) minmax(0,2fr);align-items:start}
    @media (max-width:52rem){.pair{grid-template-columns:minmax(0,1fr)}}
    .big{font-size:1.1rem;overflow-wrap:anywhere}
    figure{margin:.6rem 0;min-width:0}
    figcaption{font-size:.875rem;color:var(--quiet);overflow-wrap:anywhere}
    .chart{display:block;width:100%;height:auto}
    .scroll{overflow-x:auto;max-width:100%}
    details{font-size:.875rem;margin:.3rem 0}summary{cursor:pointer;color:var(--quiet)}
    :focus-visible{outline:2px solid var(--blue);outline-offset:2px}
    table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.875rem}
    th,td{text-align:left;padding:.2rem .8rem .2rem 0;border-bottom:1px solid var(--grid);vertical-align:top}
    td{overflow-wrap:anywhere;min-width:4rem}
    """

  /// The style of the page for the person.
  static let screen = """
    .tabs{border:0;margin:0;padding:0}
    .tabs legend{font-size:.875rem;color:var(--quiet);padding:0}
    .tabs input{position:absolute;opacity:0;width:1px;height:1px}
    .tabs label{display:inline-block;border:1px solid var(--edge);border-radius:1rem;padding:.15rem .7rem;\
    margin:.15rem .25rem .15rem 0;font-size:.875rem;cursor:pointer;max-width:100%;overflow-wrap:anywhere}
    .tabs input:checked+label{background:var(--blue);color:var(--ground);border-color:var(--blue);font-weight:600}
    .tabs input:focus-visible+label{outline:2px solid var(--blue);outline-offset:2px}
    .tabs figure{display:none}.tabs .scroll .chart{min-width:40rem}
    @media print{.tabs figure{display:block}.tabs input,.tabs label{display:none}\
    details,summary{display:none}.card,figure{break-inside:avoid}.tabs .scroll .chart{min-width:0}}
    """

  /// The style of two sheets of A4.
  static let printed = """
    @page{size:A4;margin:14mm}
    body{max-width:186mm;font-size:10pt}
    h2{margin:1rem 0 .4rem;padding-top:.4rem;break-after:avoid}
    .grid{grid-template-columns:repeat(2,1fr);gap:.6rem}
    .card{padding:.5rem;break-inside:avoid}
    figure{margin:.2rem 0}
    @media print{body{padding:0;font-size:9pt}details{display:none}}
    """
}
