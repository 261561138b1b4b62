/// What the command line asks for.
struct Options: Equatable {
  /// The suites to run, in the order in which they are listed; the long one only where it is named.
  var suites: [SuiteName] = SuiteName.allCases.filter { $0 != .gate && $0 != .insights }
  /// Only scenarios whose name holds this text.
  var scenario: String?
  /// Fewer and smaller runs: counts, memory and growth, not timing.
  var isQuick = false
  /// Every shape and scenario, however long it takes.
  var isEverything = false
  /// Judge the run by `budgets.json`.
  var checksBudgets = false
  /// Run the rivals too.
  var runsPeers = false
  /// Only name what could be run.
  var lists = false
  var showsHelp = false
  /// Where to write the results as JSON.
  var jsonPath: String?
  /// An earlier JSON to compare with.
  var comparisonPath: String?
  /// The page whose tables are to be those of this run.
  var pagePath: String?
  /// Where to write the chart of the sweep.
  var chartPath: String?
  /// Write over files that no run of this program wrote.
  var forces = false
  /// The Python that has the rivals.
  var python = "python3"
  /// Seconds of the processing window on external power. An assumption: Apple promises minutes, no figure.
  var processingWindow = 180.0
  /// Watts of one busy core where no counter moves. An assumption too.
  var watts = 5.0

  /// Whether the environment names the BLAS kernel, for this program and the rivals alike.
  var kernelIsAsked = false

  /// The options that decide what comes out, as they would be written.
  var decisive: [String] {
    let all = Options.standard
    var words = suites == all.suites ? [] : suites.flatMap { ["--suite", $0.rawValue] }
    if let scenario { words += ["--scenario", "'\(scenario)'"] }
    if isQuick { words.append("--quick") }
    if isEverything { words.append("--all") }
    if runsPeers { words.append("--peers") }
    if checksBudgets { words.append("--check") }
    if processingWindow != all.processingWindow { words += ["--window", "\(processingWindow)"] }
    if watts != all.watts { words += ["--watts", "\(watts)"] }
    return words
  }

  /// Those of a run without arguments.
  static let standard = Options()

  private init() {}

  /// Wrong usage, in one sentence.
  struct Wrong: Error, Equatable {
    let sentence: String
  }

  /// Reads the arguments that follow the program's name.
  init(_ arguments: [String]) throws(Wrong) {
    var rest = arguments[...]
    var chosen: [SuiteName] = []
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      let name = parts.first ?? argument
      func value() throws(Wrong) -> String {
        if parts.count == 2 { return parts[1] }
        guard let next = rest.popFirst() else { throw Wrong(sentence: "\(name) needs a value") }
        return next
      }
      func positiveNumber() throws(Wrong) -> Double {
        guard let number = Double(try value()), number > 0, number.isFinite else {
          throw Wrong(sentence: "\(name) needs a number above 0")
        }
        return number
      }
      switch name {
      case "--suite":
        let text = try value()
        guard let suite = SuiteName(rawValue: text) else {
          let known = SuiteName.allCases.map(\.rawValue).joined(separator: ", ")
          throw Wrong(sentence: "there is no suite '\(text)'; there are \(known)")
        }
        chosen.append(suite)
      case "--scenario": scenario = try value()
      case "--json": jsonPath = try value()
      case "--compare": comparisonPath = try value()
      case "--page": pagePath = try value()
      case "--chart": chartPath = try value()
      case "--python": python = try value()
      case "--window": processingWindow = try positiveNumber()
      case "--watts": watts = try positiveNumber()
      case "--quick": isQuick = true
      case "--all": isEverything = true
      case "--force": forces = true
      case "--check": checksBudgets = true
      case "--peers": runsPeers = true
      case "--list": lists = true
      case "--help", "-h": showsHelp = true
      default: throw Wrong(sentence: "there is no option '\(argument)'; see --help")
      }
    }
    if isQuick && isEverything { throw Wrong(sentence: "--quick and --all exclude each other") }
    if !chosen.isEmpty { suites = SuiteName.allCases.filter(chosen.contains) }
  }

  static let help = """
    USAGE: swift run bench [OPTIONS]

    What retraining costs against the time and power that a phone grants, beside the raw BLAS, LAPACK or
    plain C work of the same size in the same run. A debug build runs itself again as a release build.

    WHAT TO RUN
      --suite NAME      \(SuiteName.allCases.map(\.rawValue).joined(separator: ", ")); may be repeated
      --scenario TEXT   only what has this text in its name (see --list)
      --quick           smaller runs, for counts, memory and growth; timings are not judged
      --all             every shape and scenario, the large ones too
      --peers           the same work in scikit-learn and others beside ours, and every goal beside what was
                        reached (see Benchmarks/README.md)
      --python FILE     the Python that has them (default python3)
      --list            name the workloads and stop

    WHAT COMES OUT
      --json FILE       the results as JSON
      --compare FILE    ratios to an earlier JSON, with the noise of both runs
      --page FILE       put the tables into a page, as Benchmarks/README.md is one
      --chart FILE      the chart of the sweep as SVG (default .build/bench-scaling.svg)
      --force           write over files of these names that no run has written
      --check           judge the run by Benchmarks/budgets.json

    ASSUMPTIONS
      --window SECONDS  length of the processing window on external power (default 180)
      --watts NUMBER    watts of one busy core, where no energy counter moves (default 5)

    Exit codes: 0 within budget, 2 beyond it, 64 wrong usage, 1 anything else.

    EXAMPLE
      swift run bench --suite retrain --scenario '365 days'
    """
}

/// The parts of the benchmark.
enum SuiteName: String, CaseIterable {
  // `process` is first: a child begins with the peak memory of its parent.
  case process, core, features, retrain, scaling, store, `import`, loop, gate, insights

  /// What it measures, in one line.
  var summary: String {
    switch self {
    case .core: "one fit, one path, one edit: W1 to W4 beside the raw work"
    case .features: "columns out of days: W8 beside plain C"
    case .retrain: "what a phone pays: full, one new day, an edit, a day forgotten"
    case .process: "the tool as whole processes on ten years: W12, one new day, predict"
    case .scaling: "cost against days, features and bytes, with the exponents"
    case .store: "ten years in and out of SQLite beside a bare C loop"
    case .loop: "simulated days of the background loop a second"
    case .gate: "simulated people: is the gate honest, do intervals hold (minutes; only when named)"
    case .insights: "simulated people: is what they are told true (minutes; only when named)"
    case .import: "an Apple Health export beside a byte scanner in C: W10"
    }
  }
}
