#include "raw_work.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t limits_logistic_workspace(int n, int p) {
  return (size_t)n * p + 3 * (size_t)n + (size_t)(p + 1) * (p + 1) + 2 * (size_t)(p + 1);
}

/// The Hessian of the mean loss with the intercept as its last row and column, from the rows' weights.
static void hessian(
  const double *x, const double *weights, int n, int p, double lambda, double *scaled,
  double *sums, double *matrix) {
  int size = p + 1;
  for (int i = 0; i < n; i++) sums[i] = sqrt(weights[i]);
  for (int j = 0; j < p; j++) {
    const double *column = x + (size_t)j * n;
    double *out = scaled + (size_t)j * n;
    for (int i = 0; i < n; i++) out[i] = column[i] * sums[i];
  }
  cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, p, n, 1.0 / n, scaled, n, 0, matrix, size);
  cblas_dgemv(
    CblasColMajor, CblasTrans, n, p, 1.0 / n, scaled, n, sums, 1, 0, matrix + p, size);
  double total = 0;
  for (int i = 0; i < n; i++) total += weights[i];
  matrix[(size_t)p * size + p] = total / n;
  for (int j = 0; j < p; j++) matrix[(size_t)j * size + j] += lambda / n;
}

int limits_logistic(
  const double *x, const double *labels, int n, int p, double lambda, double tolerance,
  double *work, double *w) {
  int size = p + 1;
  double *scaled = work, *scores = scaled + (size_t)n * p, *weights = scores + n;
  double *roots = weights + n, *matrix = roots + n, *gradient = matrix + (size_t)size * size;
  for (int step = 0; step < 50; step++) {
    cblas_dgemv(CblasColMajor, CblasNoTrans, n, p, 1, x, n, w, 1, 0, scores, 1);
    double residual_sum = 0;
    for (int i = 0; i < n; i++) {
      double z = scores[i] + w[p], e = exp(-fabs(z));
      double probability = z >= 0 ? 1 / (1 + e) : e / (1 + e);
      weights[i] = e / ((1 + e) * (1 + e));
      scores[i] = probability - labels[i];
      residual_sum += scores[i];
    }
    cblas_dgemv(CblasColMajor, CblasTrans, n, p, 1.0 / n, x, n, scores, 1, 0, gradient, 1);
    double largest = fabs(residual_sum / n);
    gradient[p] = residual_sum / n;
    for (int j = 0; j < p; j++) {
      gradient[j] += lambda / n * w[j];
      if (fabs(gradient[j]) > largest) largest = fabs(gradient[j]);
    }
    if (largest <= tolerance) return step;
    hessian(x, weights, n, p, lambda, scaled, roots, matrix);
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', size, matrix, size) != 0) return -1;
    limits_cholesky_solve(matrix, size, gradient);
    cblas_daxpy(size, -1, gradient, 1, w, 1);
  }
  return -1;
}

int limits_logistic_factor(
  const double *x, int n, int lead, int p, const double *w, double lambda, double *work,
  double *factor) {
  int size = p + 1;
  double *scaled = work, *roots = work + (size_t)lead * size;
  cblas_dgemv(CblasColMajor, CblasNoTrans, n, p, 1, x, lead, w, 1, 0, roots, 1);
  for (int i = 0; i < n; i++) {
    double e = exp(-fabs(roots[i] + w[p]));
    roots[i] = sqrt(e) / (1 + e);
  }
  for (int j = 0; j < size; j++) {
    for (int i = 0; i < n; i++) {
      scaled[(size_t)j * n + i] = (j < p ? x[(size_t)j * lead + i] : 1) * roots[i];
    }
  }
  cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, size, n, 1, scaled, n, 0, factor, size);
  for (int j = 0; j < p; j++) factor[(size_t)j * size + j] += lambda;
  return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', size, factor, size);
}

int limits_logistic_append(
  const double *x, const double *labels, int n, int lead, int p, double lambda, double tolerance,
  double *factor, double *work, double *w) {
  int size = p + 1;
  double *scores = work, *gradient = work + n, *row = gradient + size;
  double z = w[p];
  for (int j = 0; j < p; j++) {
    row[j] = x[(size_t)j * lead + n - 1];
    z += row[j] * w[j];
  }
  row[p] = 1;
  double e = exp(-fabs(z)), root = sqrt(e) / (1 + e);
  for (int j = 0; j < size; j++) row[j] *= root;
  limits_cholesky_update(factor, size, row);
  for (int step = 0; step < 200; step++) {
    cblas_dgemv(CblasColMajor, CblasNoTrans, n, p, 1, x, lead, w, 1, 0, scores, 1);
    double residual_sum = 0;
    for (int i = 0; i < n; i++) {
      double score = scores[i] + w[p], power = exp(-fabs(score));
      scores[i] = (score >= 0 ? 1 : power) / (1 + power) - labels[i];
      residual_sum += scores[i];
    }
    cblas_dgemv(CblasColMajor, CblasTrans, n, p, 1, x, lead, scores, 1, 0, gradient, 1);
    gradient[p] = residual_sum;
    double largest = fabs(residual_sum);
    for (int j = 0; j < p; j++) {
      gradient[j] += lambda * w[j];
      if (fabs(gradient[j]) > largest) largest = fabs(gradient[j]);
    }
    if (largest <= tolerance * n) return step;
    limits_cholesky_solve(factor, size, gradient);
    cblas_daxpy(size, -1, gradient, 1, w, 1);
  }
  return -1;
}

void limits_logistic_folds(
  const double *x, const double *labels, const int32_t *fold, int n, int p, int folds,
  const double *lambdas, int penalties, double tolerance, double *losses) {
  double *rows = malloc((size_t)n * p * sizeof(double));
  double *targets = malloc((size_t)n * sizeof(double));
  double *held = malloc((size_t)n * p * sizeof(double));
  double *held_targets = malloc((size_t)n * sizeof(double));
  double *scores = malloc((size_t)n * sizeof(double));
  double *work = malloc(limits_logistic_workspace(n, p) * sizeof(double));
  double *w = malloc((size_t)(p + 1) * sizeof(double));
  for (int k = 0; k < penalties; k++) losses[k] = 0;
  for (int f = 0; f < folds; f++) {
    int inside = 0, outside = 0;
    for (int i = 0; i < n; i++) {
      if (fold[i] == f) held_targets[outside++] = labels[i];
      else targets[inside++] = labels[i];
    }
    for (int j = 0; j < p; j++) {
      const double *column = x + (size_t)j * n;
      double *in = rows + (size_t)j * inside, *out = held + (size_t)j * outside;
      for (int i = 0; i < n; i++) {
        if (fold[i] == f) *out++ = column[i];
        else *in++ = column[i];
      }
    }
    memset(w, 0, (size_t)(p + 1) * sizeof(double));
    for (int k = penalties - 1; k >= 0; k--) {
      limits_logistic(rows, targets, inside, p, lambdas[k], tolerance, work, w);
      cblas_dgemv(CblasColMajor, CblasNoTrans, outside, p, 1, held, outside, w, 1, 0, scores, 1);
      double sum = 0;
      for (int i = 0; i < outside; i++) {
        double z = scores[i] + w[p];
        sum += fmax(z, 0) - z * held_targets[i] + log1p(exp(-fabs(z)));
      }
      losses[k] += sum / n;
    }
  }
  free(rows);
  free(targets);
  free(held);
  free(held_targets);
  free(scores);
  free(work);
  free(w);
}
