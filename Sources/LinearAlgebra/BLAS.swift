internal import CNumerics

// The only file that calls C. Sizes are checked here, as C checks nothing.

/// BLAS on column-major matrices that lie in arrays; of a symmetric one the lower triangle counts.
///
/// `aAt` is where A begins in its array, `aLead` the distance of two of its columns. That everything
/// lies inside its array is a precondition: sizes reach this file checked, a breach is a bug of ours.
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

  /// y ← αAx + βy, or αAᵀx + βy, for A of rowCount × columnCount, with β 0 or 1.
  package static func gemv(
    transposed: Bool = false, rowCount: Int, columnCount: Int, alpha: Double = 1, _ a: Numbers,
    aAt: Int = 0, aLead: Int, _ x: Numbers, xAt: Int = 0, accumulates: Bool = false,
    _ y: inout Numbers, yAt: Int = 0
  ) {
    let (output, input) = transposed ? (columnCount, rowCount) : (rowCount, columnCount)
    holds(a.count, aAt, rowCount, columnCount, aLead)
    holds(x.count, xAt, input)
    holds(y.count, yAt, output)
    if !accumulates { clear(&y, yAt, output, 1, max(1, output)) }
    guard output > 0, input > 0 else { return }
    unsafe with(a, x, &y) { a, x, y in
      unsafe numerics_gemv(
        transposed, Int32(rowCount), Int32(columnCount), alpha, a + aAt, Int32(aLead), x + xAt,
        accumulates ? 1 : 0, y + yAt)
    }
  }

  /// y ← Ax for symmetric A.
  package static func symv(
    order: Int, _ a: Numbers, aLead: Int, _ x: Numbers, xAt: Int = 0, _ y: inout Numbers
  ) {
    holds(a.count, 0, order, order, aLead)
    holds(x.count, xAt, order)
    clear(&y, 0, order, 1, max(1, order))
    guard order > 0 else { return }
    unsafe with(a, x, &y) { a, x, y in
      unsafe numerics_symv(Int32(order), a, Int32(aLead), x + xAt, y)
    }
  }

  /// C ← αAAᵀ + βC for A of order × inner, or αAᵀA + βC for A of inner × order: the lower triangle,
  /// with β 0 or 1. A C that is known to hold finite numbers only need not be cleared first.
  package static func syrk(
    transposed: Bool, order: Int, inner: Int, alpha: Double = 1, _ a: Numbers, aAt: Int = 0,
    aLead: Int, accumulates: Bool = false, isFinite: Bool = false, _ c: inout Numbers,
    cAt: Int = 0, cLead: Int
  ) {
    holds(a.count, aAt, transposed ? inner : order, transposed ? order : inner, aLead)
    holds(c.count, cAt, order, order, cLead)
    if !accumulates && !isFinite { clear(&c, cAt, order, order, cLead) }
    guard order > 0, inner > 0 else { return }
    unsafe with(a, &c) { a, c in
      unsafe numerics_syrk(
        transposed, Int32(order), Int32(inner), alpha, a + aAt, Int32(aLead), accumulates ? 1 : 0,
        c + cAt, Int32(cLead))
    }
  }

  /// C ← AᵀA + C for A of inner × order in single precision: the lower triangle.
  package static func syrk(
    addingSingles a: Singles, order: Int, inner: Int, aLead: Int, _ c: inout Singles
  ) {
    holds(a.count, 0, inner, order, aLead)
    holds(c.count, 0, order, order, max(1, order))
    guard order > 0, inner > 0 else { return }
    unsafe with(a, &c) { a, c in
      unsafe numerics_syrk_single(Int32(order), Int32(inner), a, Int32(aLead), c, Int32(order))
    }
  }

  /// C ← AB, C of rowCount × columnCount with `inner` products a cell; A, B or both transposed. A C that
  /// is known to hold finite numbers only need not be cleared first.
  package static func gemm(
    transposeA: Bool = false, transposeB: Bool = false, rowCount: Int, columnCount: Int, inner: Int,
    _ a: Numbers, aAt: Int = 0, aLead: Int, _ b: Numbers, bAt: Int = 0, bLead: Int,
    isFinite: Bool = false, _ c: inout Numbers, cAt: Int = 0, cLead: Int
  ) {
    holds(a.count, aAt, transposeA ? inner : rowCount, transposeA ? rowCount : inner, aLead)
    holds(b.count, bAt, transposeB ? columnCount : inner, transposeB ? inner : columnCount, bLead)
    holds(c.count, cAt, rowCount, columnCount, cLead)
    if !isFinite { clear(&c, cAt, rowCount, columnCount, cLead) }
    guard rowCount > 0, columnCount > 0, inner > 0 else { return }
    unsafe with(a, b, &c) { a, b, c in
      unsafe numerics_gemm(
        transposeA, transposeB, Int32(rowCount), Int32(columnCount), Int32(inner), a + aAt,
        Int32(aLead), b + bAt, Int32(bLead), c + cAt, Int32(cLead))
    }
  }

  /// x ← L⁻¹x or L⁻ᵀx for lower triangular L.
  package static func trsv(
    transposed: Bool, order: Int, _ l: Numbers, lLead: Int, _ x: inout Numbers, xAt: Int = 0
  ) {
    holds(l.count, 0, order, order, lLead)
    holds(x.count, xAt, order)
    guard order > 0 else { return }
    unsafe with(l, &x) { l, x in
      unsafe numerics_trsv(transposed, Int32(order), l, Int32(lLead), x + xAt)
    }
  }

  /// B ← L⁻¹B or L⁻ᵀB for lower triangular L and B of rowCount × columnCount; from the right BL⁻¹ or
  /// BL⁻ᵀ.
  package static func trsm(
    fromRight: Bool = false, transposed: Bool, rowCount: Int, columnCount: Int, _ l: Numbers,
    lLead: Int, _ b: inout Numbers, bLead: Int
  ) {
    let order = fromRight ? columnCount : rowCount
    holds(l.count, 0, order, order, lLead)
    holds(b.count, 0, rowCount, columnCount, bLead)
    guard rowCount > 0, columnCount > 0 else { return }
    unsafe with(l, &b) { l, b in
      unsafe numerics_trsm(
        fromRight, transposed, Int32(rowCount), Int32(columnCount), l, Int32(lLead), b,
        Int32(bLead))
    }
  }

  /// LLᵀ ← LLᵀ + vvᵀ by Givens rotations from the first column to the last; `v` is used up.
  ///
  /// `l` has `extra` rows below its triangle, which take part in every rotation as the entries of `v`
  /// beyond `order` do: with L⁻¹b kept there as a row, a right-hand side stays solved.
  package static func rotateIn(
    order: Int, extra: Int, _ l: inout Numbers, lLead: Int, using v: inout Numbers
  ) {
    holds(l.count, 0, order + extra, order, lLead)
    holds(v.count, 0, order + extra)
    guard order > 0 else { return }
    unsafe with(&l, &v) { l, v in
      for k in 0..<order {
        let (pivot, entry) = unsafe (l + k * lLead + k, v + k)
        let (old, new) = unsafe (pivot.pointee, entry.pointee)
        let radius = (old * old + new * new).squareRoot()
        unsafe pivot.pointee = radius
        unsafe numerics_rot(
          Int32(order + extra - k - 1), pivot + 1, entry + 1, old / radius, new / radius)
      }
    }
  }

  /// Rotates `zeros` (all 0 on entry) through the columns of L from the last to the first: the second
  /// half of a downdate.
  package static func rotateOut(
    order: Int, _ l: inout Numbers, lLead: Int, cosines: Numbers, sines: Numbers,
    zeros: inout Numbers
  ) {
    holds(l.count, 0, order, order, lLead)
    holds(min(zeros.count, cosines.count, sines.count), 0, order)
    guard order > 0 else { return }
    unsafe with(&l, &zeros) { l, zeros in
      for k in stride(from: order - 1, through: 0, by: -1) {
        unsafe numerics_rot(
          Int32(order - k), zeros + k, l + k * lLead + k, cosines[k], sines[k])
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

  /// That a vector of `count` entries from `at` on lies inside an array of `length`.
  private static func holds(_ length: Int, _ at: Int, _ count: Int) {
    precondition(at >= 0 && count >= 0 && at + count <= length, "a vector beyond its array")
  }

  /// That a matrix lies inside an array of `length`.
  private static func holds(_ length: Int, _ at: Int, _ rows: Int, _ columns: Int, _ lead: Int) {
    precondition(
      at >= 0 && rows >= 0 && columns >= 0 && lead >= max(1, rows)
        && (rows == 0 || columns == 0 || at + (columns - 1) * lead + rows <= length),
      "a matrix beyond its array")
  }

  /// Zeros for an output: NaN left there would survive a β of 0 in some kernels.
  private static func clear(
    _ c: inout Numbers, _ at: Int, _ rows: Int, _ columns: Int, _ lead: Int
  ) {
    holds(c.count, at, rows, columns, lead)
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
