public import Diurnal
public import Time

/// What a person's journal knows, as one self-contained page.
///
/// The page is a pure function of the log, the models and the arguments: the same journal gives the same bytes. It
/// holds no script and asks for nothing outside itself. Text from the log is escaped in one place (`Markup`).
public struct JournalReport: Sendable {
  /// What the page shows and for whom.
  public struct Options: Sendable {
    /// The last day shown; nil for today.
    public var lastDay: CalendarDay?
    /// How many days up to ``lastDay`` are shown, at least 7.
    public var dayCount = 365
    /// Whether the page is two sheets of A4 for a doctor: symptoms and chosen metrics, no forecasts.
    public var isForPrint = false

    /// A year up to today, for the person.
    public init() {}
  }

  /// What every page begins with, so that one can be told from other files.
  public static let beginning = "<!DOCTYPE html><!-- A report of diurnal -->"

  let content: ReportContent

  /// Gathers what the page shows.
  ///
  /// - Parameters:
  ///   - today: the open day, which is shown and takes part in no test.
  ///   - host: the machine the background loop runs on; nil leaves the section on the loop out.
  /// - Throws: `StorageError` where the log cannot be read, `SchedulerError` where the state of the loop cannot.
  ///   A model that cannot be used is named on the page and takes nothing from the rest.
  /// - Complexity: that of reading the log, of one forecast per model and of one search for insights.
  public init(
    of journal: Journal, today: CalendarDay, host: LoopHost? = nil, options: Options = Options()
  ) async throws {
    content = try await ReportContent(journal, today: today, host: host, options: options)
  }

  init(content: ReportContent) { self.content = content }

  /// The page as HTML in UTF-8.
  public var html: String { content.isForPrint ? PrintedPage(content).html : Page(content).html }
}
