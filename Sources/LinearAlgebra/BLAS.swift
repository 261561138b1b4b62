internal import COpenBLAS

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The only file that calls C: BLAS here, LAPACK and the library's own switches below.
///
/// Matrices are column-major; of a symmetric one the lower triangle counts. `at` is where a vector
/// or matrix begins in its array, `lead` the distance of two columns. That everything lies inside
/// its array is a precondition: sizes reach this file checked, so that a breach is a bug of ours.
package enum BLAS {
  /// The inner product of two vectors of `count` entries.
  package static func dot(
    _ count: Int, _ x: ContiguousArray<Double>, xAt: Int = 0, _ y: ContiguousArray<Double>,
    yAt: Int = 0
  ) -> Double {
    holds(x.count, xAt, count)
    holds(y.count, yAt, count)
    return unsafe x.withUnsafeBufferPointer { x in
      unsafe y.withUnsafeBufferPointer { y in
        guard count > 0 else { return 0 }
        return unsafe cblas_ddot(
          Int32(count), x.baseAddress! + xAt, 1, y.baseAddress! + yAt, 1)
      }
    }
  }

  /// y ← αAx + βy for A of rowCount × columnCount, or with its transpose.
  package static func gemv(
    transposed: Bool = false, rowCount: Int, columnCount: Int, alpha: Double = 1,
    _ a: ContiguousArray<Double>, aAt: Int = 0, lead: Int, _ x: ContiguousArray<Double>,
    xAt: Int = 0, beta: Double = 0, _ y: inout ContiguousArray<Double>, yAt: Int = 0
  ) {
    let (output, input) = transposed ? (columnCount, rowCount) : (rowCount, columnCount)
    holds(a.count, aAt, rowCount, columnCount, lead)
    holds(x.count, xAt, input)
    holds(y.count, yAt, output)
    guard output > 0 else { return }
    unsafe a.withUnsafeBufferPointer { a in
      unsafe x.withUnsafeBufferPointer { x in
        unsafe y.withUnsafeMutableBufferPointer { y in
          let y = unsafe y.baseAddress! + yAt
          // Whatever lies in y, NaN too, is gone with β = 0: not every kernel promises that.
          if beta == 0 { unsafe y.update(repeating: 0, count: output) }
          guard input > 0 else { return unsafe cblas_dscal(Int32(output), beta, y, 1) }
          unsafe cblas_dgemv(
            CblasColMajor, transposed ? CblasTrans : CblasNoTrans, Int32(rowCount),
            Int32(columnCount), alpha, a.baseAddress! + aAt, Int32(lead), x.baseAddress! + xAt, 1,
            beta, y, 1)
        }
      }
    }
  }

  /// y ← Ax for symmetric A.
  package static func symv(
    order: Int, _ a: ContiguousArray<Double>, lead: Int, _ x: ContiguousArray<Double>,
    _ y: inout ContiguousArray<Double>
  ) {
    holds(a.count, 0, order, order, lead)
    holds(x.count, 0, order)
    holds(y.count, 0, order)
    guard order > 0 else { return }
    unsafe a.withUnsafeBufferPointer { a in
      unsafe x.withUnsafeBufferPointer { x in
        unsafe y.withUnsafeMutableBufferPointer { y in
          unsafe y.baseAddress!.update(repeating: 0, count: order)
          unsafe cblas_dsymv(
            CblasColMajor, CblasLower, Int32(order), 1, a.baseAddress!, Int32(lead), x.baseAddress!,
            1, 0, y.baseAddress!, 1)
        }
      }
    }
  }

  /// C ← αAAᵀ + βC for A of order × inner, or αAᵀA + βC for A of inner × order: the lower triangle.
  package static func syrk(
    transposed: Bool, order: Int, inner: Int, alpha: Double = 1, _ a: ContiguousArray<Double>,
    aAt: Int = 0, lead: Int, beta: Double = 0, _ c: inout ContiguousArray<Double>,
    cAt: Int = 0, cLead: Int
  ) {
    if transposed {
      holds(a.count, aAt, inner, order, lead)
    } else {
      holds(a.count, aAt, order, inner, lead)
    }
    holds(c.count, cAt, order, order, cLead)
    guard order > 0 else { return }
    unsafe a.withUnsafeBufferPointer { a in
      unsafe c.withUnsafeMutableBufferPointer { c in
        let c = unsafe c.baseAddress! + cAt
        if beta == 0 {
          for j in 0..<order { unsafe (c + j * cLead + j).update(repeating: 0, count: order - j) }
        }
        guard inner > 0 else { return }
        unsafe cblas_dsyrk(
          CblasColMajor, CblasLower, transposed ? CblasTrans : CblasNoTrans, Int32(order),
          Int32(inner), alpha, a.baseAddress! + aAt, Int32(lead), beta, c, Int32(cLead))
      }
    }
  }

  /// C ← αAB + βC, C of rowCount × columnCount with `inner` products a cell; A, B or both transposed.
  package static func gemm(
    transposeA: Bool = false, transposeB: Bool = false, rowCount: Int, columnCount: Int, inner: Int,
    alpha: Double = 1, _ a: ContiguousArray<Double>, aAt: Int = 0, aLead: Int,
    _ b: ContiguousArray<Double>, bAt: Int = 0, bLead: Int, beta: Double = 0,
    _ c: inout ContiguousArray<Double>, cAt: Int = 0, cLead: Int
  ) {
    holds(a.count, aAt, transposeA ? inner : rowCount, transposeA ? rowCount : inner, aLead)
    holds(b.count, bAt, transposeB ? columnCount : inner, transposeB ? inner : columnCount, bLead)
    holds(c.count, cAt, rowCount, columnCount, cLead)
    guard rowCount > 0, columnCount > 0 else { return }
    unsafe a.withUnsafeBufferPointer { a in
      unsafe b.withUnsafeBufferPointer { b in
        unsafe c.withUnsafeMutableBufferPointer { c in
          let c = unsafe c.baseAddress! + cAt
          if beta == 0 {
            for j in 0..<columnCount {
              unsafe (c + j * cLead).update(repeating: 0, count: rowCount)
            }
          }
          guard inner > 0 else { return }
          unsafe cblas_dgemm(
            CblasColMajor, transposeA ? CblasTrans : CblasNoTrans,
            transposeB ? CblasTrans : CblasNoTrans, Int32(rowCount), Int32(columnCount),
            Int32(inner), alpha, a.baseAddress! + aAt, Int32(aLead), b.baseAddress! + bAt,
            Int32(bLead), beta, c, Int32(cLead))
        }
      }
    }
  }

  /// x ← L⁻¹x or L⁻ᵀx for lower triangular L.
  package static func trsv(
    transposed: Bool, order: Int, _ l: ContiguousArray<Double>, lead: Int,
    _ x: inout ContiguousArray<Double>, xAt: Int = 0
  ) {
    holds(l.count, 0, order, order, lead)
    holds(x.count, xAt, order)
    guard order > 0 else { return }
    unsafe l.withUnsafeBufferPointer { l in
      unsafe x.withUnsafeMutableBufferPointer { x in
        unsafe cblas_dtrsv(
          CblasColMajor, CblasLower, transposed ? CblasTrans : CblasNoTrans, CblasNonUnit,
          Int32(order), l.baseAddress!, Int32(lead), x.baseAddress! + xAt, 1)
      }
    }
  }

  /// B ← L⁻¹B or L⁻ᵀB for lower triangular L and B of order × columnCount.
  package static func trsm(
    transposed: Bool, order: Int, columnCount: Int, _ l: ContiguousArray<Double>, lead: Int,
    _ b: inout ContiguousArray<Double>, bLead: Int
  ) {
    holds(l.count, 0, order, order, lead)
    holds(b.count, 0, order, columnCount, bLead)
    guard order > 0, columnCount > 0 else { return }
    unsafe l.withUnsafeBufferPointer { l in
      unsafe b.withUnsafeMutableBufferPointer { b in
        unsafe cblas_dtrsm(
          CblasColMajor, CblasLeft, CblasLower, transposed ? CblasTrans : CblasNoTrans,
          CblasNonUnit, Int32(order), Int32(columnCount), 1, l.baseAddress!, Int32(lead),
          b.baseAddress!, Int32(bLead))
      }
    }
  }

  /// LLᵀ ← LLᵀ + vvᵀ by Givens rotations; `v` is used up.
  ///
  /// `l` has `order` columns and `extra` rows below its triangle, which take part in every rotation
  /// as the entries of `v` beyond `order` do: with L⁻¹B kept there as rows, a right-hand side B
  /// stays solved through the update.
  package static func rankOneUpdate(
    order: Int, extra: Int, _ l: inout ContiguousArray<Double>, lead: Int,
    using v: inout ContiguousArray<Double>
  ) {
    holds(l.count, 0, order + extra, order, lead)
    holds(v.count, 0, order + extra)
    guard order > 0 else { return }
    unsafe l.withUnsafeMutableBufferPointer { l in
      unsafe v.withUnsafeMutableBufferPointer { v in
        for k in 0..<order {
          let pivot = unsafe l.baseAddress! + k * lead + k
          let entry = unsafe v.baseAddress! + k
          let radius = unsafe (pivot.pointee * pivot.pointee + entry.pointee * entry.pointee)
            .squareRoot()
          let cosine = unsafe pivot.pointee / radius
          let sine = unsafe entry.pointee / radius
          unsafe pivot.pointee = radius
          unsafe cblas_drot(Int32(order + extra - k - 1), pivot + 1, 1, entry + 1, 1, cosine, sine)
        }
      }
    }
  }

  /// The second half of a downdate: rotates `zeros` (all 0 on entry) through the columns of L from
  /// the last to the first, with the rotations that take (`a`, remainder) to (0, 1).
  package static func rankOneDowndate(
    order: Int, _ l: inout ContiguousArray<Double>, lead: Int,
    cosines: ContiguousArray<Double>, sines: ContiguousArray<Double>,
    zeros: inout ContiguousArray<Double>
  ) {
    holds(l.count, 0, order, order, lead)
    holds(zeros.count, 0, order)
    holds(cosines.count, 0, order)
    holds(sines.count, 0, order)
    guard order > 0 else { return }
    unsafe l.withUnsafeMutableBufferPointer { l in
      unsafe zeros.withUnsafeMutableBufferPointer { zeros in
        for k in stride(from: order - 1, through: 0, by: -1) {
          let column = unsafe l.baseAddress! + k * lead + k
          unsafe cblas_drot(
            Int32(order - k), zeros.baseAddress! + k, 1, column, 1, cosines[k], sines[k])
        }
      }
    }
  }

  /// block[i, j] ← (A[rows[i], j] − mean[j]) · rootWeight[rows[i]], for the columns of A.
  package static func centre(
    _ a: Matrix, rows: Range<Int>, means: ContiguousArray<Double>, meansAt: Int = 0,
    rootWeights: ContiguousArray<Double>?, into block: inout ContiguousArray<Double>,
    at: Int = 0, lead: Int
  ) {
    let (rowCount, count) = (a.rowCount, rows.count)
    precondition(rows.lowerBound >= 0 && rows.upperBound <= rowCount)
    precondition(rootWeights.map { $0.count == rowCount } ?? true)
    holds(block.count, at, count, a.columnCount, lead)
    holds(means.count, meansAt, a.columnCount)
    unsafe a.storage.withUnsafeBufferPointer { source in
      unsafe block.withUnsafeMutableBufferPointer { block in
        for j in 0..<a.columnCount {
          let from = unsafe source.baseAddress! + j * rowCount + rows.lowerBound
          let into = unsafe block.baseAddress! + at + j * lead
          let mean = means[meansAt + j]
          if let rootWeights {
            unsafe rootWeights.withUnsafeBufferPointer { roots in
              let roots = unsafe roots.baseAddress! + rows.lowerBound
              for i in 0..<count { unsafe into[i] = (from[i] - mean) * roots[i] }
            }
          } else {
            for i in 0..<count { unsafe into[i] = from[i] - mean }
          }
        }
      }
    }
  }

  /// That a vector of `count` entries from `at` on lies inside an array of `length`.
  private static func holds(_ length: Int, _ at: Int, _ count: Int) {
    precondition(at >= 0 && count >= 0 && at + count <= length, "a vector beyond its array")
  }

  /// That a matrix lies inside an array of `length`.
  private static func holds(
    _ length: Int, _ at: Int, _ rowCount: Int, _ columnCount: Int, _ lead: Int
  ) {
    precondition(
      at >= 0 && rowCount >= 0 && columnCount >= 0 && lead >= max(1, rowCount)
        && (rowCount == 0 || columnCount == 0
          || at + (columnCount - 1) * lead + rowCount <= length),
      "a matrix beyond its array")
  }
}

/// LAPACK: `info` becomes a typed error where the data can cause it and a trap where only we can.
package enum LAPACK {
  /// `dpotrf`: the lower triangle of A becomes L, A = LLᵀ.
  package static func potrf(
    order: Int, _ a: inout ContiguousArray<Double>, lead: Int
  ) throws(LinearAlgebraError) {
    guard order > 0 else { return }
    precondition(lead >= order && (order - 1) * lead + order <= a.count)
    let info = unsafe a.withUnsafeMutableBufferPointer { a in
      unsafe LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, lower, Int32(order), a.baseAddress, Int32(lead))
    }
    try check(info) { .notPositiveDefinite(order: $0) }
  }

  /// `dsyevd`: A becomes its eigenvectors, columns in ascending order of the eigenvalues returned.
  package static func syevd(
    order: Int, _ a: inout ContiguousArray<Double>
  ) throws(LinearAlgebraError) -> ContiguousArray<Double> {
    precondition(a.count == order * order)
    var values = ContiguousArray<Double>(repeating: 0, count: order)
    guard order > 0 else { return values }
    var work = ContiguousArray<Double>(repeating: 0, count: 1 + 6 * order + 2 * order * order)
    var integers = ContiguousArray<Int32>(repeating: 0, count: 3 + 5 * order)
    let info = unsafe a.withUnsafeMutableBufferPointer { a in
      unsafe values.withUnsafeMutableBufferPointer { values in
        unsafe work.withUnsafeMutableBufferPointer { work in
          unsafe integers.withUnsafeMutableBufferPointer { integers in
            unsafe LAPACKE_dsyevd_work(
              LAPACK_COL_MAJOR, CChar(UInt8(ascii: "V")), lower, Int32(order), a.baseAddress,
              Int32(order), values.baseAddress, work.baseAddress, Int32(work.count),
              integers.baseAddress, Int32(integers.count))
          }
        }
      }
    }
    try check(info) { _ in .notConverged }
    return values
  }

  /// `dgelsd`: the minimum-norm solution of least ‖AX − B‖ by the singular values, in the first
  /// `columnCount` rows of B, which has max(rowCount, columnCount) of them; A is used up.
  ///
  /// - Returns: The singular values in descending order and how many exceed `threshold` times the
  ///   first.
  package static func gelsd(
    rowCount: Int, columnCount: Int, rightCount: Int, _ a: inout ContiguousArray<Double>,
    _ b: inout ContiguousArray<Double>, threshold: Double
  ) throws(LinearAlgebraError) -> (singularValues: ContiguousArray<Double>, rank: Int) {
    let longest = max(rowCount, columnCount, 1)
    precondition(a.count == rowCount * columnCount && b.count == longest * rightCount)
    var singular = ContiguousArray<Double>(repeating: 0, count: min(rowCount, columnCount))
    var rank: Int32 = 0
    guard !singular.isEmpty, rightCount > 0 else { return (singular, 0) }
    var size = 0.0
    var integerSize: Int32 = 0
    var info: Int32 = 0
    // The first call asks for the size of the workspace, the second solves.
    for asks in [true, false] {
      var work = ContiguousArray<Double>(repeating: 0, count: asks ? 1 : Int(size))
      var integers = ContiguousArray<Int32>(repeating: 0, count: asks ? 1 : Int(integerSize))
      info = unsafe a.withUnsafeMutableBufferPointer { a in
        unsafe b.withUnsafeMutableBufferPointer { b in
          unsafe singular.withUnsafeMutableBufferPointer { singular in
            unsafe work.withUnsafeMutableBufferPointer { work in
              unsafe integers.withUnsafeMutableBufferPointer { integers in
                unsafe LAPACKE_dgelsd_work(
                  LAPACK_COL_MAJOR, Int32(rowCount), Int32(columnCount), Int32(rightCount),
                  a.baseAddress, Int32(max(1, rowCount)), b.baseAddress, Int32(longest),
                  singular.baseAddress, threshold, &rank, work.baseAddress,
                  asks ? -1 : Int32(work.count), integers.baseAddress)
              }
            }
          }
        }
      }
      size = work[0]
      integerSize = integers[0]
    }
    try check(info) { _ in .notConverged }
    return (singular, Int(rank))
  }

  private static let lower = CChar(UInt8(ascii: "L"))

  private static func check(
    _ info: Int32, _ error: (Int) -> LinearAlgebraError
  ) throws(LinearAlgebraError) {
    precondition(info >= 0, "argument \(-info) of a LAPACK call is wrong, a bug in this file")
    if info > 0 { throw error(Int(info)) }
  }
}

/// What the library says about itself and lets us set.
enum BLASLibrary {
  static var name: String { "OpenBLAS" }

  /// The configuration line, such as `OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ...`.
  static var configuration: String {
    unsafe openblas_get_config().map { unsafe String(cString: $0) } ?? ""
  }

  static var kernel: String {
    unsafe openblas_get_corename().map { unsafe String(cString: $0) } ?? ""
  }

  static var threadCount: Int {
    get { Int(openblas_get_num_threads()) }
    set { openblas_set_num_threads(Int32(newValue)) }
  }

  /// How wide the processor's vectors are, see `shim.h`.
  static var vectorLevel: Int { Int(diurnal_vector_level()) }

  /// Whether the environment names a kernel already.
  static var kernelIsChosen: Bool { unsafe getenv("OPENBLAS_CORETYPE") != nil }

  /// Lets the library initialise once more, as if `OPENBLAS_CORETYPE` had been set before the
  /// process began; false where it does not export what that takes.
  static func reinitialise(kernel: String) -> Bool {
    typealias Switch = @convention(c) () -> Void
    guard let quit = unsafe dlsym(nil, "gotoblas_dynamic_quit"),
      let start = unsafe dlsym(nil, "gotoblas_dynamic_init"),
      unsafe setenv("OPENBLAS_CORETYPE", kernel, 1) == 0
    else { return false }
    unsafe unsafeBitCast(quit, to: Switch.self)()
    unsafe unsafeBitCast(start, to: Switch.self)()
    // Children decide for themselves.
    return unsafe unsetenv("OPENBLAS_CORETYPE") == 0
  }
}
