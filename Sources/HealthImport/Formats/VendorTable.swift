internal import DayLog
internal import Time

/// One of the tables that a vendor's export holds: how it is known, when its rows are of, and what its columns mean.
struct VendorTable: Sendable {
  /// Titles, as ``ColumnName/key`` writes them, that it has all of.
  let titles: Set<String>
  /// What its file is called, in lower case, where the titles leave it open: one of these stands in it.
  var fileNames: [String] = []
  let when: Times
  /// What is read; every other column is named as left out.
  let columns: [String: Field]
  /// Rows count where a column has one of these words, in lower case.
  var filter: (column: String, words: Set<String>)?
  /// The column that tells a row from all others.
  var identity: String?
  /// The column that tells apart the devices of the vendor.
  var device: String?
  /// Whether a row of a day's label is one thing among others of that day, such as a meal, rather than its total.
  var isOfEvents = false
  /// How long a row without an end lasts, in seconds: rows a minute apart are minutes.
  var length: Int64 = 0
  /// A column whose words are names: its number goes to a metric made of the word.
  var names: (column: String, metric: @Sendable (String) -> Metric?)?
  /// A number that is the sum of several columns.
  var totals: (metric: Metric, unit: Unit, columns: [String])?
  /// A metric of the share of a column's readings, in percent, that lie in a range of its metric's unit.
  var share: (metric: Metric, column: String, range: ClosedRange<Double>)?
  /// A phrase on what its numbers are.
  var remark: String?

  /// Which columns say when.
  enum Times: Sendable {
    /// A day's label.
    case day(String)
    /// A time; where all are midnight they are labels. `offset` is the column that says how far ahead of UTC.
    case moment(String, offset: String? = nil, isUTC: Bool = false)
    /// A start and an end: a count, or a session, that belongs to the day of its start.
    case span(String, String, offset: String? = nil, isUTC: Bool = false)
    /// A start and an end of sleep, which belongs to the day it ends on, whatever the day start.
    case night(String, String, offset: String? = nil, isUTC: Bool = false)
  }

  /// What one column means.
  struct Field: Sendable {
    let metric: Metric
    /// The column's unit; nil where it is the metric's.
    var unit: Unit?
    var fold: Fold?
    /// Whether 0 stands for *not measured*.
    var isPositive = false

    init(_ metric: Metric, in unit: Unit? = nil, fold: Fold? = nil, isPositive: Bool = false) {
      (self.metric, self.unit, self.fold, self.isPositive) = (metric, unit, fold, isPositive)
    }
  }

  func fits(_ keys: Set<String>, path: String) -> Bool {
    titles.isSubset(of: keys)
      && (fileNames.isEmpty || fileNames.contains { path.lowercased().contains($0) })
  }
}
