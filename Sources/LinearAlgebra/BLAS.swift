internal import CNumerics

// The only file that calls C. Sizes are checked here, as C checks nothing.

/// BLAS on column-major matrices that lie in arrays; of a symmetric one the lower triangle counts.
///
/// That sizes fit each other and everything lies inside its array is a precondition: sizes reach this
/// file checked, and a breach is a bug of ours. Outputs that are overwritten are cleared first, as a NaN
/// left there would survive a β of 0 in some kernels; `isFinite` says that there is none.
package enum BLAS {
  package typealias Numbers = ContiguousArray<Double>
  /// Numbers of single precision: enough where an answer is refined afterwards, at twice the rate.
  package typealias Singles = ContiguousArray<Float>

  /// The inner product of two vectors of `count` entries.
  package static func dot(
    _ count: Int, _ x: Numbers, xAt: Int = 0, _ y: Numbers, yAt: Int = 0
  ) -> Double {
    holds(x.count, xAt, count)
    holds(y.count, yAt, count)
    guard count > 0 else { return 0 }
    return unsafe x.withUnsafeBufferPointer { x in
      unsafe y.withUnsafeBufferPointer { y in
        unsafe numerics_dot(Int32(count), x.baseAddress! + xAt, y.baseAddress! + yAt)
      }
    }
  }

  /// y ← Ax, or y + Ax where it accumulates.
  package static func gemv(
    _ a: Block, _ x: Numbers, xAt: Int = 0, accumulates: Bool = false, _ y: inout Numbers,
    yAt: Int = 0
  ) {
    holds(x.count, xAt, a.columnCount)
    holds(y.count, yAt, a.rowCount)
    if !accumulates { clear(&y, yAt, a.rowCount, 1, max(1, a.rowCount)) }
    guard a.rowCount > 0, a.columnCount > 0 else { return }
    unsafe with(a.storage, x, &y) { numbers, x, y in
      unsafe numerics_gemv(
        a.isTransposed, Int32(a.storedRowCount), Int32(a.storedColumnCount), numbers + a.at,
        Int32(a.lead), x + xAt, accumulates ? 1 : 0, y + yAt)
    }
  }

  /// y ← Ax for symmetric A.
  package static func symv(_ a: Block, _ x: Numbers, _ y: inout Numbers) {
    let order = square(a)
    holds(x.count, 0, order)
    clear(&y, 0, order, 1, max(1, order))
    guard order > 0 else { return }
    unsafe with(a.storage, x, &y) { numbers, x, y in
      unsafe numerics_symv(Int32(order), numbers + a.at, Int32(a.lead), x, y)
    }
  }

  /// C ← αAAᵀ, or C + αAAᵀ where it accumulates: the lower triangle of a square without gaps.
  package static func syrk(
    _ a: Block, alpha: Double = 1, accumulates: Bool = false, isFinite: Bool = false,
    _ c: inout Numbers
  ) {
    let (order, inner) = (a.rowCount, a.columnCount)
    let lead = max(1, order)
    Block.check(c.count, at: 0, rowCount: order, columnCount: order, lead: lead)
    if !accumulates && !isFinite { clear(&c, 0, order, order, lead) }
    guard order > 0, inner > 0 else { return }
    unsafe with(a.storage, &c) { numbers, c in
      unsafe numerics_syrk(
        a.isTransposed, Int32(order), Int32(inner), alpha, numbers + a.at, Int32(a.lead),
        accumulates ? 1 : 0, c, Int32(lead))
    }
  }

  /// C ← α(ABᵀ + BAᵀ): the lower triangle of a square without gaps. Neither matrix may be transposed.
  package static func syr2k(
    _ a: Block, _ b: Block, alpha: Double = 1, isFinite: Bool = false, _ c: inout Numbers
  ) {
    let (order, inner) = (a.rowCount, a.columnCount)
    precondition(
      b.rowCount == order && b.columnCount == inner && !a.isTransposed && !b.isTransposed)
    let lead = max(1, order)
    Block.check(c.count, at: 0, rowCount: order, columnCount: order, lead: lead)
    if !isFinite { clear(&c, 0, order, order, lead) }
    guard order > 0, inner > 0 else { return }
    unsafe with(a.storage, b.storage, &c) { x, y, c in
      unsafe numerics_syr2k(
        Int32(order), Int32(inner), alpha, x + a.at, Int32(a.lead), y + b.at, Int32(b.lead), c,
        Int32(lead))
    }
  }

  /// C ← AᵀA + C for A of inner × order in single precision: the lower triangle.
  package static func syrk(
    addingSingles a: Singles, order: Int, inner: Int, aLead: Int, _ c: inout Singles
  ) {
    Block.check(a.count, at: 0, rowCount: inner, columnCount: order, lead: aLead)
    Block.check(c.count, at: 0, rowCount: order, columnCount: order, lead: max(1, order))
    guard order > 0, inner > 0 else { return }
    unsafe with(a, &c) { a, c in
      unsafe numerics_syrk_single(Int32(order), Int32(inner), a, Int32(aLead), c, Int32(order))
    }
  }

  /// C ← AB, from the start of an array.
  ///
  /// - Parameter lead: The distance of two columns of C; nil where they follow each other without a gap.
  package static func gemm(
    _ a: Block, _ b: Block, isFinite: Bool = false, _ c: inout Numbers, lead: Int? = nil
  ) {
    let (rows, columns, inner) = (a.rowCount, b.columnCount, a.columnCount)
    let lead = max(1, lead ?? rows)
    precondition(b.rowCount == inner, "\(inner) columns times \(b.rowCount) rows")
    Block.check(c.count, at: 0, rowCount: rows, columnCount: columns, lead: lead)
    if !isFinite { clear(&c, 0, rows, columns, lead) }
    guard rows > 0, columns > 0, inner > 0 else { return }
    unsafe with(a.storage, b.storage, &c) { left, right, c in
      unsafe numerics_gemm(
        a.isTransposed, b.isTransposed, Int32(rows), Int32(columns), Int32(inner), left + a.at,
        Int32(a.lead), right + b.at, Int32(b.lead), c, Int32(lead))
    }
  }

  /// x ← L⁻¹x for lower triangular L, or L⁻ᵀx for one that is transposed.
  package static func trsv(_ l: Block, _ x: inout Numbers) {
    let order = square(l)
    holds(x.count, 0, order)
    guard order > 0 else { return }
    unsafe with(l.storage, &x) { numbers, x in
      unsafe numerics_trsv(l.isTransposed, Int32(order), numbers + l.at, Int32(l.lead), x)
    }
  }

  /// B ← L⁻¹B for lower triangular L and B of `count` columns, or BL⁻¹ from the right for B of `count`
  /// rows; with L⁻ᵀ for an L that is transposed.
  ///
  /// - Parameter lead: The distance of two columns of B; nil where they follow each other without a gap.
  package static func trsm(
    _ l: Block, fromRight: Bool = false, count: Int, _ b: inout Numbers, lead: Int? = nil
  ) {
    let order = square(l)
    let (rows, columns) = fromRight ? (count, order) : (order, count)
    let lead = max(1, lead ?? rows)
    Block.check(b.count, at: 0, rowCount: rows, columnCount: columns, lead: lead)
    guard rows > 0, columns > 0 else { return }
    unsafe with(l.storage, &b) { numbers, b in
      unsafe numerics_trsm(
        fromRight, l.isTransposed, Int32(rows), Int32(columns), numbers + l.at, Int32(l.lead), b,
        Int32(lead))
    }
  }

  /// LLᵀ ← LLᵀ + vvᵀ by Givens rotations from the first column to the last; `v` is used up.
  ///
  /// `l` has `rowsBelow` rows below its triangle, which take part in every rotation as the entries of `v`
  /// beyond `order` do: with L⁻¹b kept there as a row, a right-hand side stays solved.
  package static func rotateIn(
    order: Int, rowsBelow: Int, _ l: inout Numbers, using v: inout Numbers
  ) {
    let lead = order + rowsBelow
    Block.check(l.count, at: 0, rowCount: lead, columnCount: order, lead: max(1, lead))
    holds(v.count, 0, lead)
    guard order > 0 else { return }
    unsafe with(&l, &v) { l, v in
      for k in 0..<order {
        let (pivot, entry) = unsafe (l + k * lead + k, v + k)
        let (old, new) = unsafe (pivot.pointee, entry.pointee)
        let radius = length(old, new)
        unsafe pivot.pointee = radius
        unsafe numerics_rot(Int32(lead - k - 1), pivot + 1, entry + 1, old / radius, new / radius)
      }
    }
  }

  /// √(a² + b²), also where the squares leave the range of a double.
  private static func length(_ a: Double, _ b: Double) -> Double {
    let square = a * a + b * b
    if square > 0x1p-900 && square < 0x1p1000 { return square.squareRoot() }
    let (larger, smaller) = (max(abs(a), abs(b)), min(abs(a), abs(b)))
    guard larger > 0, larger.isFinite else { return square }
    return larger * (1 + (smaller / larger) * (smaller / larger)).squareRoot()
  }

  /// Rotates `zeros` (all 0 on entry) through the columns of L from the last to the first: the second
  /// half of a downdate. Rows below the triangle are left alone.
  package static func rotateOut(
    order: Int, rowsBelow: Int, _ l: inout Numbers, cosines: Numbers, sines: Numbers,
    zeros: inout Numbers
  ) {
    let lead = order + rowsBelow
    Block.check(l.count, at: 0, rowCount: lead, columnCount: order, lead: max(1, lead))
    holds(min(zeros.count, cosines.count, sines.count), 0, order)
    guard order > 0 else { return }
    unsafe with(&l, &zeros) { l, zeros in
      for k in stride(from: order - 1, through: 0, by: -1) {
        unsafe numerics_rot(
          Int32(order - k), zeros + k, l + k * lead + k, cosines[k], sines[k])
      }
    }
  }

  /// z ← body(x, y, z), entry by entry: the body is compiled into the loop.
  @inline(__always) static func update(
    _ count: Int, _ x: Numbers, xAt: Int = 0, _ y: Numbers, yAt: Int = 0, _ z: inout Numbers,
    zAt: Int = 0, _ body: (Double, Double, Double) -> Double
  ) {
    precondition(count >= 0 && min(xAt, yAt, zAt) >= 0 && xAt + count <= x.count)
    precondition(yAt + count <= y.count && zAt + count <= z.count)
    guard count > 0 else { return }
    unsafe x.withUnsafeBufferPointer { x in
      unsafe y.withUnsafeBufferPointer { y in
        unsafe z.withUnsafeMutableBufferPointer { z in
          let (x, y, z) = unsafe (x.baseAddress! + xAt, y.baseAddress! + yAt, z.baseAddress! + zAt)
          for i in 0..<count { unsafe z[i] = body(x[i], y[i], z[i]) }
        }
      }
    }
  }

  /// The order of a square.
  private static func square(_ a: Block) -> Int {
    precondition(a.rowCount == a.columnCount, "\(a.rowCount) rows and \(a.columnCount) columns")
    return a.rowCount
  }

  /// That a vector of `count` entries from `at` on lies inside an array of `length`.
  private static func holds(_ length: Int, _ at: Int, _ count: Int) {
    precondition(at >= 0 && count >= 0 && at + count <= length, "a vector beyond its array")
  }

  /// Zeros for an output.
  private static func clear(
    _ c: inout Numbers, _ at: Int, _ rows: Int, _ columns: Int, _ lead: Int
  ) {
    Block.check(c.count, at: at, rowCount: rows, columnCount: columns, lead: lead)
    guard rows > 0, columns > 0 else { return }
    unsafe with(&c) { c in
      for j in 0..<columns { unsafe (c + at + j * lead).update(repeating: 0, count: rows) }
    }
  }
}

/// LAPACK: `info` becomes a typed error where the data can cause it and a trap where only we can.
package enum LAPACK {
  /// `dpotrf`: the lower triangle of A becomes L, A = LLᵀ.
  package static func potrf(
    order: Int, _ a: inout BLAS.Numbers, lead: Int
  ) throws(LinearAlgebraError) {
    guard order > 0 else { return }
    precondition(lead >= order && (order - 1) * lead + order <= a.count)
    let info = unsafe with(&a) { a in
      unsafe numerics_potrf(Int32(order), a, Int32(lead))
    }
    if traps(info) { throw .notPositiveDefinite(order: Int(info)) }
  }

  /// `dsyevd`: A becomes its eigenvectors, `values` its eigenvalues in ascending order.
  package static func syevd(
    order: Int, _ a: inout BLAS.Numbers, values: inout BLAS.Numbers
  ) throws(LinearAlgebraError) {
    precondition(a.count == order * order && values.count == order)
    guard order > 0 else { return }
    var work = BLAS.Numbers(repeating: 0, count: 1 + 6 * order + 2 * order * order)
    var integers = ContiguousArray<Int32>(repeating: 0, count: 3 + 5 * order)
    let (size, integerSize) = (Int32(work.count), Int32(integers.count))
    let info = unsafe with(&a, &values) { a, values in
      unsafe with(&work, &integers) { work, integers in
        unsafe numerics_syevd(Int32(order), a, values, work, size, integers, integerSize)
      }
    }
    if traps(info) { throw .notConverged }
  }

  /// `dgesdd`: A = U diag(values) Vᵀ with min(rowCount, columnCount) singular values in descending
  /// order; A is used up.
  package static func gesdd(
    rowCount: Int, columnCount: Int, _ a: inout BLAS.Numbers, u: inout BLAS.Numbers,
    values: inout BLAS.Numbers, vTransposed: inout BLAS.Numbers
  ) throws(LinearAlgebraError) {
    let count = min(rowCount, columnCount)
    precondition(a.count == rowCount * columnCount && u.count == rowCount * count)
    precondition(values.count == count && vTransposed.count == count * columnCount)
    guard count > 0 else { return }
    var integers = ContiguousArray<Int32>(repeating: 0, count: 8 * count)
    var work: BLAS.Numbers = [0]
    // The first call asks for the size of the workspace, the second decomposes.
    for size in [-1, 0] {
      if size == 0 { work = BLAS.Numbers(repeating: 0, count: Int(work[0])) }
      let length = size == 0 ? Int32(work.count) : -1
      let info = unsafe with(&a, &u) { a, u in
        unsafe with(&values, &vTransposed) { values, v in
          unsafe with(&work, &integers) { work, integers in
            unsafe numerics_gesdd(
              Int32(rowCount), Int32(columnCount), a, values, u, v, work, length, integers)
          }
        }
      }
      if traps(info) { throw .notConverged }
    }
  }

  /// Traps where an argument was wrong, which is a bug in this file; true where the data is at fault.
  private static func traps(_ info: Int32) -> Bool {
    precondition(info >= 0, "argument \(-info) of a LAPACK call is wrong")
    return info > 0
  }
}

/// What the library says about itself and lets us set.
enum BLASLibrary {
  static var name: String { unsafe String(cString: numerics_library_name()) }
  static var version: String { unsafe String(cString: numerics_library_version()) }
  static var kernel: String { unsafe String(cString: numerics_library_kernel()) }
  static var threadCount: Int { Int(numerics_library_threads()) }

  /// Sets one thread, and ends those that the library started when it was loaded.
  static func useOneThread() { numerics_library_use_one_thread() }

  /// How wide the processor's vectors are, see `CNumerics.h`.
  static var vectorLevel: Int { Int(numerics_vector_level()) }

  /// Whether the environment names a kernel already.
  static var kernelIsChosen: Bool { numerics_library_kernel_is_chosen() }

  /// Initialises the library anew with this kernel; false where it has no choice of them.
  static func reinitialise(kernel: String) -> Bool {
    unsafe numerics_library_choose_kernel(kernel)
  }

  /// Has the allocator keep freed memory, see `CNumerics.h`.
  static func keepFreedMemory() { numerics_keep_freed_memory() }
}

/// A piece of work that a thread of the system can run.
class ThreadedWork {
  private var thread: UInt = 0

  func run() {}

  /// Runs on a thread of its own; false where there is none. Must be joined before this goes.
  func start() -> Bool {
    unsafe numerics_thread_start(
      { argument in
        unsafe Unmanaged<ThreadedWork>.fromOpaque(argument!).takeUnretainedValue().run()
      }, Unmanaged.passUnretained(self).toOpaque(), &thread)
  }

  /// Waits for the end of the thread that ``start()`` began.
  func join() { numerics_thread_join(thread) }
}

private typealias Out<Element> = UnsafeMutablePointer<Element>

private func with<A, R>(_ a: inout ContiguousArray<A>, _ body: (Out<A>) -> R) -> R {
  unsafe a.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress!) }
}

private func with<A, B, R>(
  _ a: inout ContiguousArray<A>, _ b: inout ContiguousArray<B>, _ body: (Out<A>, Out<B>) -> R
) -> R {
  unsafe with(&a) { a in unsafe with(&b) { b in unsafe body(a, b) } }
}

private func with<A, R>(
  _ a: ContiguousArray<A>, _ b: inout ContiguousArray<A>, _ body: (UnsafePointer<A>, Out<A>) -> R
) -> R {
  unsafe a.withUnsafeBufferPointer { a in
    unsafe with(&b) { b in unsafe body(a.baseAddress!, b) }
  }
}

private func with<R>(
  _ a: BLAS.Numbers, _ b: BLAS.Numbers, _ c: inout BLAS.Numbers,
  _ body: (UnsafePointer<Double>, UnsafePointer<Double>, Out<Double>) -> R
) -> R {
  unsafe a.withUnsafeBufferPointer { a in
    unsafe with(b, &c) { b, c in unsafe body(a.baseAddress!, b, c) }
  }
}
