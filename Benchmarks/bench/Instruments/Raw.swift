internal import limits

/// Doubles at one address that C can keep: the operands and workspaces of the raw work.
@safe final class Buffer {
  let count: Int
  fileprivate let base: UnsafeMutablePointer<Double>

  /// `count` zeros.
  init(count: Int) {
    self.count = count
    unsafe base = .allocate(capacity: count)
    unsafe base.initialize(repeating: 0, count: count)
  }

  /// A copy of these values.
  convenience init(_ values: some Collection<Double>) {
    self.init(count: values.count)
    for (i, value) in values.enumerated() { unsafe base[i] = value }
  }

  deinit { unsafe base.deallocate() }

  subscript(index: Int) -> Double {
    get {
      precondition(index >= 0 && index < count)
      return unsafe base[index]
    }
    set {
      precondition(index >= 0 && index < count)
      unsafe base[index] = newValue
    }
  }

  /// Takes the values of another buffer of the same length.
  func copy(from other: Buffer) {
    precondition(count == other.count)
    unsafe base.update(from: other.base, count: count)
  }

  /// Takes these values.
  func copy(from values: ContiguousArray<Double>) {
    precondition(count == values.count)
    for i in 0..<count { unsafe base[i] = values[i] }
  }

  /// Sets every value to 0.
  func clear() { unsafe base.update(repeating: 0, count: count) }

  var values: ContiguousArray<Double> {
    unsafe ContiguousArray(UnsafeBufferPointer(start: base, count: count))
  }
}

/// The C target `limits`: the only place of the benchmark that touches pointers.
enum Raw {
  // MARK: Ridge

  static func ridge(_ design: Design, lambda: Double, gram: Buffer, w: Buffer) -> Bool {
    unsafe limits_ridge(
      design.x.base, design.y.base, design.n, design.p, lambda, gram.base, w.base) == 0
  }

  static func pathWorkspace(_ design: Design, penalties: Int) -> Buffer {
    Buffer(count: limits_ridge_path_workspace(design.p, Int32(penalties)))
  }

  static func ridgePath(
    _ design: Design, lambdas: Buffer, work: Buffer, scores: Buffer, w: Buffer
  ) -> Bool {
    unsafe limits_ridge_path(
      design.x.base, design.y.base, design.n, design.p, lambdas.base, Int32(lambdas.count),
      work.base, scores.base, w.base) == 0
  }

  static func update(factor: Buffer, by v: Buffer) {
    unsafe limits_cholesky_update(factor.base, Int32(v.count), v.base)
  }

  static func downdate(factor: Buffer, by v: Buffer) -> Bool {
    unsafe limits_cholesky_downdate(factor.base, Int32(v.count), v.base) == 0
  }

  static func solve(factor: Buffer, _ right: Buffer) {
    unsafe limits_cholesky_solve(factor.base, Int32(right.count), right.base)
  }

  static func refactor(gram: Buffer, moments: Buffer, factor: Buffer, w: Buffer) -> Bool {
    unsafe limits_refactor(gram.base, moments.base, Int32(moments.count), factor.base, w.base) == 0
  }

  static func rollingWorkspace(_ design: Design) -> Buffer {
    Buffer(count: 2 * design.columnCount * design.columnCount + 4 * design.columnCount)
  }

  static func rollingRidge(_ design: Design, lambda: Double, work: Buffer, forecasts: Buffer)
    -> Bool
  {
    unsafe limits_rolling_ridge(
      design.x.base, design.y.base, design.n, design.p, lambda, Int32(forecasts.count), work.base,
      forecasts.base) == 0
  }

  /// Coefficients and intercept by QR of rows `rows` of `x`, the solution others are compared with.
  static func referenceRidge(x: Buffer, y: Buffer, columnCount: Int, lambda: Double)
    -> ContiguousArray<Double>?
  {
    let w = Buffer(count: columnCount + 1)
    let info = unsafe limits_reference_ridge(
      x.base, y.base, Int32(y.count), Int32(columnCount), lambda, w.base)
    return info == 0 ? w.values : nil
  }

  // MARK: Logistic regression

  static func logisticWorkspace(_ design: Design) -> Buffer {
    Buffer(count: limits_logistic_workspace(design.n, design.p))
  }

  /// Newton steps from `w`; the number of them, nil where they did not converge.
  static func logistic(
    _ design: Design, lambda: Double, tolerance: Double, work: Buffer, w: Buffer
  ) -> Int? {
    let steps = unsafe limits_logistic(
      design.x.base, design.labels.base, design.n, design.p, lambda, tolerance, work.base, w.base)
    return steps < 0 ? nil : Int(steps)
  }

  /// The factor of the second derivative at `w`, of the first `rowCount` rows of `x`; false where it has none.
  static func logisticFactor(
    x: Buffer, rowCount: Int, lead: Int, w: Buffer, lambda: Double, work: Buffer, factor: Buffer
  ) -> Bool {
    unsafe limits_logistic_factor(
      x.base, Int32(rowCount), Int32(lead), Int32(w.count - 1), w.base, lambda, work.base,
      factor.base) == 0
  }

  /// Takes the last of `rowCount` rows into the factor and goes from `w` to the minimum; the number of steps, nil
  /// where they did not converge.
  static func logisticAppend(
    x: Buffer, labels: Buffer, rowCount: Int, lambda: Double, tolerance: Double, factor: Buffer,
    work: Buffer, w: Buffer
  ) -> Int? {
    let steps = unsafe limits_logistic_append(
      x.base, labels.base, Int32(rowCount), Int32(labels.count), Int32(w.count - 1), lambda,
      tolerance, factor.base, work.base, w.base)
    return steps < 0 ? nil : Int(steps)
  }

  static func logisticFolds(
    _ design: Design, folds: ContiguousArray<Int32>, lambdas: Buffer, tolerance: Double
  ) -> ContiguousArray<Double> {
    let losses = Buffer(count: lambdas.count)
    let count = (folds.max() ?? 0) + 1
    unsafe folds.withUnsafeBufferPointer { fold in
      guard let rows = fold.baseAddress else { return }
      unsafe limits_logistic_folds(
        design.x.base, design.labels.base, rows, design.n, design.p, count, lambdas.base,
        Int32(lambdas.count), tolerance, losses.base)
    }
    return losses.values
  }

  // MARK: Features, imports, the store

  static func features(values: Buffer, days: Int, metrics: Int, columns: Buffer) {
    precondition(columns.count == days * (23 * metrics + 7))
    unsafe limits_features(values.base, Int32(days), Int32(metrics), 0, columns.base)
  }

  /// What a byte scanner found in an export: records with a number, and the sum of them.
  static func scanExport(_ path: String) -> (records: Int, total: Double)? {
    var result = limits_scan()
    guard unsafe limits_scan_export(path, &result) == 0 else { return nil }
    return (Int(result.records), result.total)
  }

  static func writeExport(_ path: String, bytes: Int, seed: UInt64) -> Bool {
    unsafe limits_write_export(path, Int64(bytes), seed) == 0
  }

  /// The number of values that a SELECT of (row, column, value) put into `columns`.
  static func select(_ path: String, _ query: String, rows: Int, columns: Buffer) -> Int? {
    let found = unsafe limits_select(
      path, query, Int32(rows), Int32(columns.count / rows), columns.base)
    return found < 0 ? nil : Int(found)
  }

  // MARK: Instruments

  static var wallSeconds: Double { Double(limits_wall_ns()) * 1e-9 }
  static var cpuSeconds: Double { Double(limits_cpu_ns()) * 1e-9 }

  /// Calls of the allocator so far; nil where they cannot be counted.
  static var allocations: Int? {
    let calls = limits_allocations()
    return calls < 0 ? nil : Int(calls)
  }

  static var peakBytes: Double { Double(limits_peak_bytes()) }
  static var residentBytes: Double { Double(limits_resident_bytes()) }

  /// Whether the peak could be set to what the process holds now.
  @discardableResult static func resetPeak() -> Bool { limits_reset_peak() == 0 }

  /// Joules of the processor's package so far from perf's counter; nil where there is none.
  static var joules: Double? {
    let microjoules = limits_energy_uj()
    return microjoules < 0 ? nil : Double(microjoules) * 1e-6
  }

  /// Writes text to a file descriptor at once; what a closed one loses is nobody's.
  static func write(_ text: String, to descriptor: Int32) {
    unsafe limits_write(descriptor, text)
  }

  /// Writes doubles to a file as they lie in memory.
  static func write(_ values: Buffer, to path: String) -> Bool {
    unsafe limits_write_doubles(path, values.base, values.count) == 0
  }

  /// How a program ended that ran beside this one.
  struct Child {
    let exitCode: Int
    let time: Sample
    let peakBytes: Double
  }

  /// Runs a program to its end; nil where it cannot be started.
  static func run(_ arguments: [String], output: String? = nil) -> Child? {
    var result = limits_child()
    let started = unsafe withArguments(arguments) { list in
      unsafe limits_run(list, output, &result) == 0
    }
    guard started else { return nil }
    return Child(
      exitCode: Int(result.exit_code),
      time: Sample(wall: Double(result.wall_ns) * 1e-9, cpu: Double(result.cpu_ns) * 1e-9),
      peakBytes: Double(result.peak_bytes))
  }

  /// Becomes another program. Returns only where that cannot be done.
  static func become(_ arguments: [String]) {
    _ = unsafe withArguments(arguments) { unsafe limits_exec($0) }
  }

  /// The arguments as C wants them: ended strings, and a null at the end.
  private static func withArguments<R>(
    _ arguments: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R
  ) -> R {
    var bytes: [CChar] = []
    var starts: [Int] = []
    for argument in arguments {
      starts.append(bytes.count)
      bytes += argument.utf8CString
    }
    return unsafe bytes.withUnsafeMutableBufferPointer { text in
      var list: [UnsafeMutablePointer<CChar>?] = unsafe []
      for start in starts { unsafe list.append(text.baseAddress?.advanced(by: start)) }
      unsafe list.append(nil)
      return unsafe body(list)
    }
  }
}

extension Design {
  fileprivate var n: Int32 { Int32(rowCount) }
  fileprivate var p: Int32 { Int32(columnCount) }
}
