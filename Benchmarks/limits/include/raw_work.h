/// The raw work that each workload of the benchmarks is measured against: BLAS and LAPACK calls of
/// the same size, or the plain C loop, with nothing around them. No checks, no standardisation, no
/// allocation inside what is timed (workspaces come in), one thread.
///
/// Matrices are column-major with as many rows as `n` says. Triangles are lower ones.
#pragma once

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// MARK: Ridge (ridge.c)

/// Σ (y - Xw)² + λ|w|²: `dsyrk`, `dgemv`, `dpotrf`, `dpotrs`. Leaves the factor of X'X + λI in `gram` (p x p)
/// and the solution in `w` (p). Returns LAPACK's info.
int limits_ridge(
  const double *x, const double *y, int n, int p, double lambda, double *gram, double *w);

/// Doubles of workspace that `limits_ridge_path` needs.
size_t limits_ridge_path_workspace(int p, int penalties);

/// The mean squared leave-one-out error of each of `penalties` λ from one eigendecomposition of X'X, and the
/// coefficients of the best. Rows go through in blocks that stay in cache. Returns LAPACK's info.
int limits_ridge_path(
  const double *x, const double *y, int n, int p, const double *lambdas, int penalties,
  double *work, double *scores, double *w);

/// L L' += v v' by Givens rotations, one `drot` a column. `v` (p) is used up.
void limits_cholesky_update(double *factor, int p, double *v);

/// L L' -= v v' by hyperbolic rotations. `v` (p) is used up. Returns 1 where a pivot would be lost.
int limits_cholesky_downdate(double *factor, int p, double *v);

/// L L' w = b by two `dtrsv`, in place.
void limits_cholesky_solve(const double *factor, int p, double *b);

/// `dpotrf` and two `dtrsv` on a copy of X'X + λI. Returns LAPACK's info.
int limits_refactor(const double *gram, const double *moments, int p, double *factor, double *w);

/// Forecasts of the last `scored` rows, each from all rows before it: sums from one `dsyrk`, then for each day a
/// solve, a `dsyr` and a rank-one update of the factor; every 28 days the sums are scaled anew and factored.
/// `work` holds 2 p² + 4 p doubles.
int limits_rolling_ridge(
  const double *x, const double *y, int n, int p, double lambda, int scored, double *work,
  double *forecasts);

/// The exact solution to compare with: Householder QR of [X; √λ I] after centring, which does not square the
/// condition number. `w` gets p coefficients and the intercept. Allocates. Returns LAPACK's info.
int limits_reference_ridge(
  const double *x, const double *y, int n, int p, double lambda, double *w);

// MARK: Logistic regression (logistic.c)

/// Doubles of workspace that the logistic functions need.
size_t limits_logistic_workspace(int n, int p);

/// Plain Newton steps on (1/n)(Σ log(1 + exp(-s(Xw + b))) + λ/2 |w|²) from `w` (p coefficients, then the
/// intercept) until the gradient's largest entry is at most `tolerance`: per step two `dgemv`, a scaled copy of X,
/// `dsyrk`, `dpotrf`. `labels` are 0 or 1. Returns the number of steps, -1 where it did not converge.
int limits_logistic(
  const double *x, const double *labels, int n, int p, double lambda, double tolerance,
  double *work, double *w);

/// The Cholesky factor of the second derivative of Σ log(1 + exp(-s(Xw + b))) + λ/2 |w|² at `w`, with the intercept
/// last, for the first `n` rows of `x`, whose columns are `lead` apart. `work` holds lead (p + 3) doubles. Returns
/// LAPACK's info.
int limits_logistic_factor(
  const double *x, int n, int lead, int p, const double *w, double lambda, double *work,
  double *factor);

/// Appends row n - 1: rotates it into `factor`, then takes steps with that factor from `w` until the gradient of the
/// mean loss is at most `tolerance`: per step two `dgemv` and two `dtrsv`. Returns the number of steps, -1 where it did
/// not converge.
int limits_logistic_append(
  const double *x, const double *labels, int n, int lead, int p, double lambda, double tolerance,
  double *factor, double *work, double *w);

/// The mean held-out log loss of each λ over `folds` folds of given rows (`fold` holds n numbers), by warm Newton
/// steps down the path. Allocates the folds' matrices, as anybody would have to.
void limits_logistic_folds(
  const double *x, const double *labels, const int32_t *fold, int n, int p, int folds,
  const double *lambdas, int penalties, double tolerance, double *losses);

// MARK: Features (features.c)

/// The 283 columns of workload W8 from `days` x `metrics` values (NaN where missing): 23 per metric, then seven
/// of weekdays. `columns` holds days x (23 metrics + 7) doubles; a value without a past is NaN.
void limits_features(
  const double *values, int days, int metrics, int first_weekday, double *columns);

// MARK: Imports and the store (export.c, rows.c)

/// What a scan of an export's bytes found.
typedef struct {
  int64_t bytes;
  int64_t records;
  int64_t days;
  double total;
} limits_scan;

/// Scans an Apple Health `export.xml` for records of quantities and sums their values by day and type, through a
/// window of 1 MiB. Returns 0, or -1 where the file cannot be read.
int limits_scan_export(const char *path, limits_scan *result);

/// Writes an `export.xml` of about `bytes` bytes, of a phone, a watch and a scale over many years, the same for the
/// same seed. Returns 0, or -1 where it cannot be written.
int limits_write_export(const char *path, int64_t bytes, uint64_t seed);

/// Runs one SELECT of (row, column, value) and puts each value into `columns` (`rows` a column). Returns
/// the number of values, -1 on an error of SQLite.
int64_t limits_select(const char *path, const char *query, int rows, int columns_count, double *columns);

// MARK: The instruments (instruments.c, allocations.c, energy.c)

/// Nanoseconds of the monotonic clock.
uint64_t limits_wall_ns(void);

/// Nanoseconds of processor time of the whole process.
uint64_t limits_cpu_ns(void);

/// Gives memory back to the system and sets the process's peak to what it holds now. Returns 0, or -1 where the
/// system cannot do so: the peak is then that of the process so far.
int limits_reset_peak(void);

/// Bytes of memory that the process holds now, and held at its peak.
int64_t limits_resident_bytes(void);
int64_t limits_peak_bytes(void);

/// Calls of the allocator since the process began, by all threads; -1 where they cannot be counted.
int64_t limits_allocations(void);

/// Microjoules from the processor's package counter of perf, -1 where there is none. The first call opens it.
int64_t limits_energy_uj(void);

/// Writes text to a file descriptor, without a buffer between.
void limits_write(int descriptor, const char *text);

/// Writes doubles to a file as they lie in memory. Returns 0, or -1 where it cannot be written.
int limits_write_doubles(const char *path, const double *values, size_t count);

/// The processor time in nanoseconds, the peak memory in bytes and the exit code of a child process.
typedef struct {
  uint64_t wall_ns;
  uint64_t cpu_ns;
  int64_t peak_bytes;
  int exit_code;
} limits_child;

/// Runs a program to its end with standard output sent to `output` (nil: to nowhere). Returns 0, or -1 where
/// it cannot be started.
int limits_run(
  char *const _Nullable *_Nonnull arguments, const char *_Nullable output, limits_child *result);

/// Replaces this process by a program. Returns only on failure, with -1.
int limits_exec(char *const _Nullable *_Nonnull arguments);

#pragma clang assume_nonnull end
