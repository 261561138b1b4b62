import DayLog
import Diurnal
import DiurnalReport
import Foundation
import TestSupport
import Testing
import Time

@Suite struct `The page of a journal` {
  private static let today = CalendarDay(number: 20_454)
  private static let now = Instant(seconds: 20_454 * 86_400 + 72_000)

  private func withJournal<Result>(
    _ body: (Journal) async throws -> Result
  ) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "report-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(try Journal(path: folder.appending(path: "log.sqlite").path))
  }

  private static func fill(_ journal: Journal, days: Int, metrics: [String]) async throws {
    var generator = SplitMix64(seed: 5)
    for age in 0..<days {
      var values: [(metric: Metric, value: Double?)] = []
      for (index, name) in metrics.enumerated() {
        let metric = try #require(Metric(columnName: name))
        values.append((metric, Double.random(in: 0..<10, using: &generator) + Double(index)))
      }
      _ = try await journal.log(values, on: today.advanced(by: -age), now: now)
    }
  }

  private static func page(
    _ journal: Journal, _ change: (inout JournalReport.Options) -> Void = { _ in }
  ) async throws -> String {
    var options = JournalReport.Options()
    change(&options)
    return try await JournalReport(of: journal, today: today, options: options).html
  }

  @Test func `of an empty log says what to do next`() async throws {
    try await withJournal { journal in
      let html = try await Self.page(journal)
      #expect(html.contains("Nothing is logged yet"))
      #expect(html.contains("diurnal import FILE"))
      #expect(!html.contains("<svg"))
    }
  }

  @Test(arguments: [1, 3, 30])
  func `of a short log claims nothing and draws what is there`(days: Int) async throws {
    try await withJournal { journal in
      try await Self.fill(journal, days: days, metrics: ["mood", "steps"])
      let html = try await Self.page(journal)
      #expect(html.contains("No model has been trained"))
      #expect(html.contains("<svg") == (days > 1))
      #expect(!html.contains("NaN") && !html.contains("nan") && !html.contains("inf "))
    }
  }

  @Test func `is the same to the byte each time it is made`() async throws {
    try await withJournal { journal in
      try await Self.fill(journal, days: 60, metrics: ["mood", "steps", "symptom.headache"])
      _ = try await journal.train(today: Self.today, now: Self.now)
      #expect(try await Self.page(journal) == Self.page(journal))
      #expect(
        try await Self.page(journal) { $0.isForPrint = true }
          == Self.page(journal) { $0.isForPrint = true })
    }
  }

  @Test func `asks for nothing outside itself and runs nothing`() async throws {
    try await withJournal { journal in
      try await Self.fill(journal, days: 60, metrics: ["mood", "steps"])
      let html = try await Self.page(journal)
      #expect(html.hasPrefix(JournalReport.beginning))
      #expect(html.contains("default-src 'none'"))
      for word in ["<script", "http:", "https:", "url(", "@import", "<img", "<link", "javascript:"]
      {
        #expect(!html.contains(word), "\(word)")
      }
    }
  }

  @Test func `shows a hostile name as text`() async throws {
    try await withJournal { journal in
      // What names may hold is narrow; the source of a sync file may hold anything.
      let metric = try #require(Metric(columnName: "mood"))
      for age in 0..<30 {
        _ = try await journal.store.type(
          [(metric, Double(age % 7))], on: Self.today.advanced(by: -age),
          source: "<script>alert(1)</script>\u{1B}[2J", now: Self.now)
      }
      let html = try await Self.page(journal)
      #expect(!html.contains("<script"))
      #expect(
        !html.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
    }
  }

  @Test func `for a doctor has symptoms and no forecasts`() async throws {
    try await withJournal { journal in
      try await Self.fill(journal, days: 60, metrics: ["mood", "symptom.headache"])
      _ = try await journal.train(today: Self.today, now: Self.now)
      let html = try await Self.page(journal) { $0.isForPrint = true }
      #expect(html.contains("symptom.headache"))
      #expect(html.contains("@page{size:A4"))
      #expect(!html.contains("Tomorrow") && !html.contains("orecast"))
    }
  }

  @Test func `of a part of the log shows that part alone`() async throws {
    try await withJournal { journal in
      try await Self.fill(journal, days: 60, metrics: ["mood"])
      let last = Self.today.advanced(by: -20)
      let html = try await Self.page(journal) {
        $0.lastDay = last
        $0.dayCount = 10
      }
      #expect(html.contains("\(last.advanced(by: -9)) to \(last)"))
      #expect(!html.contains("\(last.advanced(by: 1)):"))
    }
  }
}
