#pragma once

#include <dlfcn.h>
#include <stddef.h>

/*
 What Accelerate.c finds in Apple's headers, over OpenBLAS: for tests only.

 gfortran passes the length of every character argument as a hidden one after the last; Apple's
 LAPACK has none. Leaving it out is undefined and has crashed in optimised builds.
*/
#define HIDDEN_LENGTH , (size_t)1

void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t);
void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info, size_t,
             size_t);
void dgesdd_(const char *jobz, const int *m, const int *n, double *a, const int *lda, double *s,
             double *u, const int *ldu, double *vt, const int *ldvt, double *work,
             const int *lwork, int *iwork, int *info, size_t);

typedef enum {
  BLAS_THREADING_MULTI_THREADED = 0,
  BLAS_THREADING_SINGLE_THREADED = 1
} BLAS_THREADING;

static inline BLAS_THREADING BLASGetThreading(void) {
  return openblas_get_num_threads() == 1 ? BLAS_THREADING_SINGLE_THREADED
                                         : BLAS_THREADING_MULTI_THREADED;
}

static inline int BLASSetThreading(BLAS_THREADING threading) {
  if (threading != BLAS_THREADING_SINGLE_THREADED) return -1;
  openblas_set_num_threads(1);
  int (*end)(void) = (int (*)(void))dlsym(NULL, "blas_thread_shutdown_");
  if (end != NULL) end();
  return 0;
}
