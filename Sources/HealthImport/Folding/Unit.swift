/// A unit in which people and programs write numbers.
struct Unit: Hashable, Sendable {
  /// What it measures: only units of one kind are converted into each other.
  enum Kind: Sendable {
    case time, mass, volume, energy, length, share, rate, count, pressure, temperature, glucose
  }

  let name: String
  let kind: Kind
  /// How many of the kind's smallest unit it is.
  private let size: Double
  /// What is added before it is scaled: degrees Fahrenheit begin elsewhere.
  private var offset = 0.0

  private init(_ name: String, _ kind: Kind, _ size: Double, offset: Double = 0) {
    (self.name, self.kind, self.size, self.offset) = (name, kind, size, offset)
  }

  static let millisecond = Unit("ms", .time, 1)
  static let second = Unit("s", .time, 1000)
  static let minute = Unit("min", .time, 60_000)
  static let hour = Unit("h", .time, 3_600_000)
  static let milligram = Unit("mg", .mass, 1)
  static let gram = Unit("g", .mass, 1000)
  static let kilogram = Unit("kg", .mass, 1_000_000)
  static let pound = Unit("lb", .mass, 453_592.37)
  static let ounce = Unit("oz", .mass, 28_349.523_125)
  static let stone = Unit("st", .mass, 6_350_293.18)
  static let millilitre = Unit("ml", .volume, 1)
  static let litre = Unit("l", .volume, 1000)
  static let fluidOunce = Unit("fl oz", .volume, 29.573_529_562_5)
  static let cup = Unit("cup", .volume, 236.588_236_5)
  static let kilocalorie = Unit("kcal", .energy, 4184)
  static let kilojoule = Unit("kJ", .energy, 1000)
  static let metre = Unit("m", .length, 1)
  static let kilometre = Unit("km", .length, 1000)
  static let mile = Unit("mi", .length, 1609.344)
  static let percent = Unit("%", .share, 1)
  static let perMinute = Unit("/min", .rate, 1)
  static let count = Unit("count", .count, 1)
  static let millimetreOfMercury = Unit("mmHg", .pressure, 1)
  static let kilopascal = Unit("kPa", .pressure, 7.500_616_827)
  static let celsius = Unit("°C", .temperature, 9)
  static let fahrenheit = Unit("°F", .temperature, 5, offset: -32)
  static let milligramPerDecilitre = Unit("mg/dL", .glucose, 1)
  /// Of glucose, whose molar mass is 180.156 g.
  static let millimolePerLitre = Unit("mmol/L", .glucose, 18.0156)

  /// Whether what is measured in it adds up over a day.
  var addsUp: Bool {
    switch kind {
    case .time: self != .millisecond
    case .volume, .energy, .length, .count: true
    case .mass: self == .gram || self == .milligram
    case .share, .rate, .pressure, .temperature, .glucose: false
    }
  }

  /// A number in another unit of the kind; nil for one of another kind. It is rounded once where one unit
  /// is a whole multiple of the other.
  func convert(_ value: Double, to other: Unit) -> Double? {
    guard kind == other.kind else { return nil }
    if self == other { return value }
    let shifted = value + offset
    let result =
      size >= other.size && kind != .temperature
      ? shifted * (size / other.size)
      : kind == .temperature ? shifted * size / other.size : shifted / (other.size / size)
    return result - other.offset
  }

  /// The unit that a text names; nil for one that is not known.
  init?(_ text: some StringProtocol) {
    guard let unit = Self.names[text.lowercased().filter { $0 != " " && $0 != "." }] else {
      return nil
    }
    self = unit
  }

  private static let names: [String: Unit] = {
    var names: [String: Unit] = [:]
    func add(_ unit: Unit, _ list: [String]) { for name in list { names[name] = unit } }
    add(.millisecond, ["ms", "msec", "millisecond", "milliseconds"])
    add(.second, ["s", "sec", "secs", "second", "seconds", "sek"])
    add(.minute, ["min", "mins", "minute", "minutes", "minuten", "m.", "minutos"])
    add(.hour, ["h", "hr", "hrs", "hour", "hours", "std", "stunden", "horas", "heures"])
    add(.milligram, ["mg", "milligram", "milligrams"])
    add(.gram, ["g", "gram", "grams", "gr", "gramm"])
    add(.kilogram, ["kg", "kgs", "kilo", "kilos", "kilogram", "kilograms"])
    add(.pound, ["lb", "lbs", "pound", "pounds"])
    add(.ounce, ["oz", "ounce", "ounces"])
    add(.stone, ["st", "stone"])
    add(.millilitre, ["ml", "millilitre", "millilitres", "milliliter", "milliliters"])
    add(.litre, ["l", "litre", "litres", "liter", "liters"])
    add(.fluidOunce, ["floz", "fl_oz", "fluidounces", "fl_oz_us", "floz_us"])
    add(.cup, ["cup", "cups"])
    add(.kilocalorie, ["kcal", "cal", "calories", "kilocalories"])
    add(.kilojoule, ["kj", "kilojoules"])
    add(.metre, ["m", "meter", "meters", "metre", "metres"])
    add(.kilometre, ["km", "kms", "kilometers", "kilometres"])
    add(.mile, ["mi", "mile", "miles"])
    add(.percent, ["%", "percent", "prozent"])
    add(
      .perMinute,
      ["bpm", "count/min", "/min", "beats/min", "beatsperminute", "br/min", "rpm", "brpm"])
    add(.count, ["count", "steps", "times", "x"])
    add(.millimetreOfMercury, ["mmhg"])
    add(.kilopascal, ["kpa"])
    add(.celsius, ["c", "°c", "degc", "celsius", "ºc"])
    add(.fahrenheit, ["f", "°f", "degf", "fahrenheit", "ºf"])
    add(.milligramPerDecilitre, ["mg/dl", "mgdl", "mg_dl"])
    add(.millimolePerLitre, ["mmol/l", "mmoll", "mmol_l", "mmol<180.1558800000541>/l"])
    return names
  }()
}
