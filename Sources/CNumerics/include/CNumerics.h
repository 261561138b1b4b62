#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 The calls of the numeric core into C. This target alone knows which BLAS and LAPACK are linked:
 OpenBLAS through CBLAS and LAPACKE (OpenBLAS.c), or Accelerate on Apple's systems (Accelerate.c).

 Conventions of every call:
 - Matrices are column-major: entry (i, j) of A is a[i + j * a_lead], with a_lead >= max(1, rows).
 - Of a symmetric or triangular matrix only the lower triangle is read and written.
 - Counts are 32-bit and at least 1, but for a row or column count that is documented as "may be 0".
 - Nothing is checked here: callers pass sizes that fit their memory, and outputs overlap no input.
 - No call allocates, but for what the library itself keeps.
*/

/* BLAS ------------------------------------------------------------------------------------- */

/* The inner product of x and y, `count` entries each. */
double numerics_dot(int32_t count, const double *x, const double *y);

/* y <- A x + beta y, or A'x + beta y where `transposed`. A is rows x columns. With beta 0 some
   kernels still read y, so it must hold finite numbers. */
void numerics_gemv(bool transposed, int32_t rows, int32_t columns, const double *a, int32_t a_lead,
                   const double *x, double beta, double *y);

/* y <- A x for symmetric A of order x order. y must hold finite numbers. */
void numerics_symv(int32_t order, const double *a, int32_t a_lead, const double *x, double *y);

/* C <- alpha A A' + beta C for A of order x inner, or alpha A'A + beta C for A of inner x order
   where `transposed`. C is symmetric, order x order, and must hold finite numbers. */
void numerics_syrk(bool transposed, int32_t order, int32_t inner, double alpha, const double *a,
                   int32_t a_lead, double beta, double *c, int32_t c_lead);

/* C <- alpha (A B' + B A') for A and B of order x inner. C is symmetric and must hold finite numbers. */
void numerics_syr2k(int32_t order, int32_t inner, double alpha, const double *a, int32_t a_lead,
                    const double *b, int32_t b_lead, double *c, int32_t c_lead);

/* C <- A'A + C in single precision, for A of inner x order. */
void numerics_syrk_single(int32_t order, int32_t inner, const float *a, int32_t a_lead, float *c,
                          int32_t c_lead);

/* C <- op(A) op(B) for C of rows x columns; op(A) is rows x inner and op(B) is inner x columns.
   op(A) is A' where `a_transposed`, and A is then inner x rows; B likewise. C must hold finite
   numbers. */
void numerics_gemm(bool a_transposed, bool b_transposed, int32_t rows, int32_t columns,
                   int32_t inner, const double *a, int32_t a_lead, const double *b, int32_t b_lead,
                   double *c, int32_t c_lead);

/* x <- L^-1 x, or L^-T x where `transposed`, for lower triangular L of order x order. A zero on the
   diagonal gives infinity or NaN. */
void numerics_trsv(bool transposed, int32_t order, const double *l, int32_t l_lead, double *x);

/* B <- L^-1 B, or L^-T B where `transposed`; B L^-1 or B L^-T where `from_right`. B is
   rows x columns; the order of L is `rows`, or `columns` where `from_right`. */
void numerics_trsm(bool from_right, bool transposed, int32_t rows, int32_t columns,
                   const double *l, int32_t l_lead, double *b, int32_t b_lead);

/* Rotates the points (x[i], y[i]): x <- cosine x + sine y, y <- cosine y - sine x. `count` may
   be 0. */
void numerics_rot(int32_t count, double *x, double *y, double cosine, double sine);

/* LAPACK ----------------------------------------------------------------------------------- */
/* Each returns LAPACK's info: 0 for success, -k where argument k is wrong (a bug of the caller),
   and above 0 what the call says. */

/* Cholesky: the lower triangle of A, order x order, becomes L with A = LL'. info k > 0: the leading
   block of order k is not positive definite; the factor is then incomplete. */
int32_t numerics_potrf(int32_t order, double *a, int32_t a_lead);

/* Eigendecomposition of symmetric A, order x order without a gap between columns: A becomes the
   eigenvectors, one per column, and `values` the eigenvalues, ascending. `work` has at least
   1 + 6 order + 2 order^2 numbers, `integers` at least 3 + 5 order. info > 0: not converged. */
int32_t numerics_syevd(int32_t order, double *a, double *values, double *work, int32_t work_count,
                       int32_t *integers, int32_t integer_count);

/* Singular values: A = U diag(values) V', with k = min(rows, columns). A, rows x columns, is used
   up; `u` is rows x k, `values` has k entries, descending, and `v_transposed` is k x columns, all
   without gaps. `integers` has 8 k entries. With work_count -1 nothing is decomposed and work[0]
   becomes the count that `work` needs. info > 0: not converged. */
int32_t numerics_gesdd(int32_t rows, int32_t columns, double *a, double *values, double *u,
                       double *v_transposed, double *work, int32_t work_count, int32_t *integers);

/* The library ------------------------------------------------------------------------------ */

/* What is linked: "OpenBLAS" or "Accelerate". */
const char *numerics_library_name(void);

/* Its version, such as "0.3.21"; of Accelerate that of the system it is part of. Empty where it
   does not tell. The text stays in place. */
const char *numerics_library_version(void);

/* What its results depend on beside the version: OpenBLAS's kernel, such as "Haswell", or the
   processor on Apple's systems. Empty where it does not tell. The text stays in place until the
   kernel changes. */
const char *numerics_library_kernel(void);

/* How many threads one call may use. */
int32_t numerics_library_threads(void);

/* Lets every call use one thread, and ends those that the library started when it was loaded: they
   would spin for a tenth of a second of processor time before they sleep. */
void numerics_library_use_one_thread(void);

/* Whether the environment names the kernel (OPENBLAS_CORETYPE). */
bool numerics_library_kernel_is_chosen(void);

/* Initialises the library anew with this kernel. Must come before any BLAS call and any thread.
   False, and nothing has changed, where the library has no such choice. */
bool numerics_library_choose_kernel(const char *kernel);

/* The machine ------------------------------------------------------------------------------ */

/* How wide the vectors of this processor are, in the steps OpenBLAS has kernels for: 0 none that
   matters here, 1 AVX, 2 AVX2 with FMA, 3 AVX-512, 4 AVX-512 with bfloat16. Counts only what the
   operating system saves. */
int32_t numerics_vector_level(void);

/* Has glibc keep up to 64 MB of freed memory. By default it gives a matrix of 128 kB and more back
   to the system as soon as it is freed, and the next one costs a page fault every 4 kB. Does nothing
   with another C library. */
void numerics_keep_freed_memory(void);

/* Runs `body(argument)` on a thread of its own. True, and `thread` names it, where it has started; it
   must then be joined once. */
bool numerics_thread_start(void (*body)(void *), void *argument, uintptr_t *thread);

/* Waits for the end of a thread. */
void numerics_thread_join(uintptr_t thread);
