internal import DayLog

/// What a column of a known table holds.
struct KnownColumn: Sendable {
  let metric: Metric
  /// From the column's unit to the metric's.
  var scale = UnitScale.one
  /// How several values of one day become one; nil for what the metric declares.
  var fold: Fold?
  /// Whether 0 stands for *not computed*.
  var isZeroMissing = false
}

/// Names of columns that say when or who.
enum KnownColumns {
  /// Whether a title names a column of dates.
  static func isDate(_ title: String) -> Bool { place(ofDate: title) != nil }

  /// How likely a title names the column of dates: 0 is the likeliest; nil where it names another.
  static func place(ofDate title: String) -> Int? {
    let key = ColumnName(title).key ?? title
    if let index = dates.firstIndex(of: key) { return index }
    return foreign.contains(title.lowercased()) || foreign.contains(key) ? 1 : nil
  }

  /// Names of columns that hold the day, the likeliest first.
  static let dates = [
    "date", "day", "calendar_date", "calendardate", "full_date", "summary_date", "date_of_sleep",
    "dateofsleep", "activitydate", "activity_date", "sleepday", "entry_date", "local_date",
    "logged_at", "answered_at", "recorded_at", "created_at", "date_recorded", "timestamp",
    "datetime", "date_time", "local_time", "start_date", "startdate", "start_time", "time",
    "when", "prompted_at", "created", "recorded", "date_utc", "start", "unix_time", "epoch", "ts",
    "unix", "unix_timestamp", "time_stamp",
  ]

  /// The same in other languages.
  private static let foreign: Set = [
    "datum", "tag", "zeitpunkt", "zeitstempel", "fecha", "fecha_hora", "dia", "día", "data",
    "giorno",
    "jour", "date_heure", "日期", "时间", "日付", "日時", "дата", "день", "дата_время", "data_i_godzina",
    "تاريخ", "التاريخ", "اليوم", "तारीख", "दिनांक", "दिन", "তারিখ", "tarih", "tanggal", "gun", "dato",
    "paivamaara", "날짜", "dzien", "dag",
  ]

  /// Whether a title names a column of times of day beside one of dates.
  static func isClock(_ title: String) -> Bool {
    clocks.contains(ColumnName(title).key ?? "") || clocks.contains(title.lowercased())
  }

  private static let clocks: Set = [
    "time", "hour", "clock", "time_of_day", "local_time", "log_time", "logged_time", "uhrzeit",
    "zeit",
    "hora", "heure", "ora", "tijd", "godzina", "czas", "время", "时间", "時刻", "时刻", "saat", "waktu",
    "jam", "الوقت", "समय", "সময়", "tid", "kello",
  ]

  /// Whether a title names a column of when something ended, beside one of when it began.
  static func isEnd(_ title: String) -> Bool {
    ends.contains(ColumnName(title).key ?? title.lowercased())
  }

  private static let ends: Set = [
    "end", "end_date", "end_time", "end_datetime", "end_timestamp", "enddate", "endtime", "ended",
    "ended_at", "end_at", "stop", "stop_time", "stopped", "finish", "finished", "finish_time", "to",
    "until", "till", "date_to", "to_date", "wake", "wake_time", "wake_up", "wake_up_time",
    "woke_up", "wakeup", "waketime", "out_of_bed", "ende", "bis", "fin", "hasta", "fim", "fine",
    "einde", "tot", "结束", "结束时间", "終了", "конец", "окончание",
  ]

  /// Titles of columns of years, months and days of the month.
  static let years: Set = [
    "year", "jahr", "ano", "annee", "anno", "jaar", "год", "yil", "tahun", "年",
  ]
  static let months: Set = [
    "month", "monat", "mes", "mois", "mese", "maand", "месяц", "ay", "bulan", "月",
  ]
  static let daysOfMonth: Set = [
    "day", "tag", "dia", "jour", "giorno", "dag", "день", "gun", "hari", "日", "day_of_month",
  ]

  /// Names of columns that tell people apart.
  static let people = [
    "person", "person_id", "participant", "participant_id", "subject", "subject_id", "user",
    "user_id",
  ]

  /// Names of columns that tell apart the devices of one source.
  static let devices: Set = [
    "data_source", "device", "source_name", "source_device", "device_name",
  ]

  /// Names of columns that hold notes, whatever stands in some of them.
  static let notes: Set = [
    "note", "notes", "comment", "comments", "notiz", "kommentar", "description", "text", "journal",
    "remark", "remarks", "notas", "weekday", "day_of_week", "wochentag", "timezone", "time_zone",
    "tz",
    "latitude", "longitude", "lat", "lon", "lng",
  ]
}
