#include "raw_work.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Rows that go through the path at once: 256 x 500 doubles are 1 MB, within a core's second-level cache.
enum { block_rows = 256 };

static void add_to_diagonal(double *matrix, int p, double value) {
  for (int j = 0; j < p; j++) matrix[(size_t)j * p + j] += value;
}

int limits_ridge(
  const double *x, const double *y, int n, int p, double lambda, double *gram, double *w) {
  cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, p, n, 1, x, n, 0, gram, p);
  cblas_dgemv(CblasColMajor, CblasTrans, n, p, 1, x, n, y, 1, 0, w, 1);
  add_to_diagonal(gram, p, lambda);
  int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', p, gram, p);
  if (info != 0) return info;
  return LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', p, 1, gram, p, w, p);
}

static size_t eigen_workspace(int p) { return 1 + 6 * (size_t)p + 2 * (size_t)p * p; }

size_t limits_ridge_path_workspace(int p, int penalties) {
  size_t basis = (size_t)p * p + 2 * (size_t)p;
  size_t tables = 2 * (size_t)p * penalties;
  size_t blocks = 2 * (size_t)block_rows * p + 2 * (size_t)block_rows * penalties;
  return basis + tables + blocks + eigen_workspace(p) + 3 + 5 * (size_t)p;
}

int limits_ridge_path(
  const double *x, const double *y, int n, int p, const double *lambdas, int penalties,
  double *work, double *scores, double *w) {
  double *basis = work, *eigenvalues = basis + (size_t)p * p, *projected = eigenvalues + p;
  double *inverse = projected + p, *solutions = inverse + (size_t)p * penalties;
  double *rotated = solutions + (size_t)p * penalties;
  double *squared = rotated + (size_t)block_rows * p;
  double *leverages = squared + (size_t)block_rows * p;
  double *fitted = leverages + (size_t)block_rows * penalties;
  double *scratch = fitted + (size_t)block_rows * penalties;
  int *integers = (int *)(scratch + eigen_workspace(p));

  cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, p, n, 1, x, n, 0, basis, p);
  int info = LAPACKE_dsyevd_work(
    LAPACK_COL_MAJOR, 'V', 'L', p, basis, p, eigenvalues, scratch, (int)eigen_workspace(p),
    integers, 3 + 5 * p);
  if (info != 0) return info;
  cblas_dgemv(CblasColMajor, CblasTrans, n, p, 1, x, n, y, 1, 0, w, 1);
  cblas_dgemv(CblasColMajor, CblasTrans, p, p, 1, basis, p, w, 1, 0, projected, 1);
  for (int k = 0; k < penalties; k++) {
    for (int j = 0; j < p; j++) {
      double share = 1 / (fmax(eigenvalues[j], 0) + lambdas[k]);
      inverse[(size_t)k * p + j] = share;
      solutions[(size_t)k * p + j] = share * projected[j];
    }
    scores[k] = 0;
  }
  for (int start = 0; start < n; start += block_rows) {
    int rows = n - start < block_rows ? n - start : block_rows;
    cblas_dgemm(
      CblasColMajor, CblasNoTrans, CblasNoTrans, rows, p, p, 1, x + start, n, basis, p, 0, rotated,
      rows);
    for (int i = 0; i < rows * p; i++) squared[i] = rotated[i] * rotated[i];
    cblas_dgemm(
      CblasColMajor, CblasNoTrans, CblasNoTrans, rows, penalties, p, 1, squared, rows, inverse, p,
      0, leverages, rows);
    cblas_dgemm(
      CblasColMajor, CblasNoTrans, CblasNoTrans, rows, penalties, p, 1, rotated, rows, solutions, p,
      0, fitted, rows);
    for (int k = 0; k < penalties; k++) {
      double sum = 0;
      for (int i = 0; i < rows; i++) {
        double error = (y[start + i] - fitted[(size_t)k * rows + i])
          / (1 - leverages[(size_t)k * rows + i]);
        sum += error * error;
      }
      scores[k] += sum / n;
    }
  }
  int best = 0;
  for (int k = 1; k < penalties; k++) {
    if (scores[k] < scores[best]) best = k;
  }
  cblas_dgemv(
    CblasColMajor, CblasNoTrans, p, p, 1, basis, p, solutions + (size_t)best * p, 1, 0, w, 1);
  return 0;
}

void limits_cholesky_update(double *factor, int p, double *v) {
  for (int j = 0; j < p; j++) {
    double *column = factor + (size_t)j * p + j;
    double pivot = sqrt(column[0] * column[0] + v[j] * v[j]);
    double cosine = column[0] / pivot, sine = v[j] / pivot;
    cblas_drot(p - j, column, 1, v + j, 1, cosine, sine);
  }
}

static inline __attribute__((always_inline)) void rotate_column(
  double *restrict column, double *restrict v, int count, double cosine, double sine) {
  double inverse = 1 / cosine;
  for (int i = 0; i < count; i++) {
    double entry = (column[i] - sine * v[i]) * inverse;
    v[i] = cosine * v[i] - sine * entry;
    column[i] = entry;
  }
}

#if defined(__x86_64__)
/// The same loop compiled for the widest registers, which BLAS has no call for.
__attribute__((target("avx512f"))) static void rotate_column_wide(
  double *column, double *v, int count, double cosine, double sine) {
  rotate_column(column, v, count, cosine, sine);
}
#endif

/// One column of the downdate by a hyperbolic rotation.
static void hyperbolic_rotation(double *column, double *v, int count, double cosine, double sine) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) {
    rotate_column_wide(column, v, count, cosine, sine);
    return;
  }
#endif
  rotate_column(column, v, count, cosine, sine);
}

int limits_cholesky_downdate(double *factor, int p, double *v) {
  for (int j = 0; j < p; j++) {
    double *column = factor + (size_t)j * p + j;
    double sine = v[j] / column[0];
    double squared = 1 - sine * sine;
    if (!(squared > 0)) return 1;
    double cosine = sqrt(squared);
    column[0] *= cosine;
    hyperbolic_rotation(column + 1, v + j + 1, p - j - 1, cosine, sine);
  }
  return 0;
}

void limits_cholesky_solve(const double *factor, int p, double *b) {
  cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, p, factor, p, b, 1);
  cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, p, factor, p, b, 1);
}

int limits_refactor(const double *gram, const double *moments, int p, double *factor, double *w) {
  memcpy(factor, gram, (size_t)p * p * sizeof(double));
  memcpy(w, moments, (size_t)p * sizeof(double));
  int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', p, factor, p);
  if (info == 0) limits_cholesky_solve(factor, p, w);
  return info;
}

int limits_rolling_ridge(
  const double *x, const double *y, int n, int p, double lambda, int scored, double *work,
  double *forecasts) {
  double *gram = work, *factor = gram + (size_t)p * p, *moments = factor + (size_t)p * p;
  double *row = moments + p, *w = row + p, *scales = w + p;
  int known = n - scored;
  cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, p, known, 1, x, n, 0, gram, p);
  cblas_dgemv(CblasColMajor, CblasTrans, known, p, 1, x, n, y, 1, 0, moments, 1);
  for (int day = 0; day < scored; day++) {
    int next = known + day;
    if (day % 28 == 0) {
      for (int j = 0; j < p; j++) scales[j] = sqrt(next / gram[(size_t)j * p + j]);
      for (int j = 0; j < p; j++) {
        for (int i = j; i < p; i++) {
          factor[(size_t)j * p + i] = gram[(size_t)j * p + i] * scales[i] * scales[j];
        }
      }
      add_to_diagonal(factor, p, lambda);
      int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', p, factor, p);
      if (info != 0) return info;
    }
    for (int j = 0; j < p; j++) w[j] = moments[j] * scales[j];
    limits_cholesky_solve(factor, p, w);
    cblas_dcopy(p, x + next, n, row, 1);
    double forecast = 0;
    for (int j = 0; j < p; j++) forecast += row[j] * scales[j] * w[j];
    forecasts[day] = forecast;
    cblas_dsyr(CblasColMajor, CblasLower, p, 1, row, 1, gram, p);
    cblas_daxpy(p, y[next], row, 1, moments, 1);
    for (int j = 0; j < p; j++) row[j] *= scales[j];
    limits_cholesky_update(factor, p, row);
  }
  return 0;
}

int limits_reference_ridge(
  const double *x, const double *y, int n, int p, double lambda, double *w) {
  size_t rows = (size_t)n + p;
  double *system = calloc(rows * p, sizeof(double)), *target = calloc(rows, sizeof(double));
  double *means = malloc((size_t)p * sizeof(double));
  long double target_mean = 0;
  for (int i = 0; i < n; i++) target_mean += y[i];
  target_mean /= n;
  for (int i = 0; i < n; i++) target[i] = (double)(y[i] - target_mean);
  for (int j = 0; j < p; j++) {
    long double mean = 0;
    for (int i = 0; i < n; i++) mean += x[(size_t)j * n + i];
    mean /= n;
    means[j] = (double)mean;
    for (int i = 0; i < n; i++) system[j * rows + i] = (double)(x[(size_t)j * n + i] - mean);
    system[j * rows + n + j] = sqrt(lambda);
  }
  int info = LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', (int)rows, p, 1, system, (int)rows, target, (int)rows);
  double intercept = (double)target_mean;
  for (int j = 0; j < p; j++) {
    w[j] = target[j];
    intercept -= means[j] * w[j];
  }
  w[p] = intercept;
  free(system);
  free(target);
  free(means);
  return info;
}
