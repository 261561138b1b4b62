internal import DayLog

/// The database that Loop Habit Tracker backs up: a row a check mark, its day as midnight UTC in milliseconds.
enum LoopDatabase {
  static let reader = DatabaseReader(format: "loop", marks: ["Repetitions", "Habits"]) {
    file, tables throws(ImportError) in
    guard tables.isSuperset(of: ["Habits", "Repetitions"]) else { return [] }
    var habits: [(id: Int, name: String, isCounting: Bool)] = []
    try file.rows("SELECT id, name, type FROM Habits", columns: 3) { row in
      if let id = row[0].number.flatMap({ Int(exactly: $0) }), case .text(let name) = row[1] {
        habits.append((id, name, row[2].number == 1))
      }
    }
    return habits.compactMap { habit in
      let named = Metric(columnName: ColumnName.plain(habit.name))
      guard let metric = named ?? ColumnName(habit.name).codePoints else { return nil }
      // 2 and 1 stand for done, 0 for not done, 3 for skipped; a habit that counts has thousandths.
      let value =
        habit.isCounting ? "value / 1000.0" : "CASE WHEN value IN (1, 2) THEN 1 ELSE 0 END"
      let condition = habit.isCounting ? "value >= 0" : "value IN (0, 1, 2)"
      return DatabaseTable(
        tables: ["Habits", "Repetitions"],
        query: """
          SELECT timestamp, timestamp, 0, '', \(value) FROM Repetitions
          WHERE habit = \(habit.id) AND \(condition)
          """, metric: metric, isLabel: true)
    }
  }
}
