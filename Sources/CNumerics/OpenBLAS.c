#if defined(__linux__)
#define _GNU_SOURCE /* for RTLD_DEFAULT */
#endif
#include "CNumerics.h"
#include "Library.h"

#if !defined(NUMERICS_ACCELERATE)

#include <dlfcn.h>
#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

/* LAPACK through LAPACKE, without its own search for NaN: the core checks its rows as they come. */

int32_t numerics_potrf(int32_t order, double *a, int32_t a_lead) {
  return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', order, a, a_lead);
}

int32_t numerics_syevd(int32_t order, double *a, double *values, double *work, int32_t work_count,
                       int32_t *integers, int32_t integer_count) {
  return LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', order, a, order, values, work, work_count,
                             integers, integer_count);
}

int32_t numerics_gesdd(int32_t rows, int32_t columns, double *a, double *values, double *u,
                       double *v_transposed, double *work, int32_t work_count, int32_t *integers) {
  int32_t count = rows < columns ? rows : columns;
  return LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'S', rows, columns, a, rows, values, u, rows,
                             v_transposed, count, work, work_count, integers);
}

const char *numerics_library_name(void) { return "OpenBLAS"; }

const char *numerics_library_version(void) {
  /* The configuration reads "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ...". */
  static char version[32];
  const char *begin = strchr(openblas_get_config(), ' ');
  if (begin == NULL) return "";
  size_t length = strcspn(begin + 1, " ");
  if (length >= sizeof version) return "";
  char copy[sizeof version] = {0};
  memcpy(copy, begin + 1, length);
  /* Whoever calls at the same time writes the same bytes. */
  if (strcmp(version, copy) != 0) memcpy(version, copy, sizeof version);
  return version;
}

const char *numerics_library_kernel(void) {
  const char *name = openblas_get_corename();
  return name == NULL ? "" : name;
}

int32_t numerics_library_threads(void) { return openblas_get_num_threads(); }

void numerics_library_use_one_thread(void) {
  openblas_set_num_threads(1);
  int (*end)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "blas_thread_shutdown_");
  if (end != NULL) end();
}

bool numerics_library_kernel_is_chosen(void) { return getenv("OPENBLAS_CORETYPE") != NULL; }

bool numerics_library_choose_kernel(const char *kernel) {
  void (*quit)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "gotoblas_dynamic_quit");
  void (*start)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "gotoblas_dynamic_init");
  if (quit == NULL || start == NULL || setenv("OPENBLAS_CORETYPE", kernel, 1) != 0) return false;
  quit();
  start();
  /* Children decide for themselves. */
  return unsetenv("OPENBLAS_CORETYPE") == 0;
}

#endif
