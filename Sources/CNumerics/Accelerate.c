#include "CNumerics.h"
#include "Library.h"

#if defined(NUMERICS_ACCELERATE)

#if defined(__APPLE__)
#include <sys/sysctl.h>
#endif
#include <unistd.h>

/* LAPACK by its own names, in 32-bit integers. */

int32_t numerics_potrf(int32_t order, double *a, int32_t a_lead) {
  int info = 0;
  dpotrf_("L", &order, a, &a_lead, &info HIDDEN_LENGTH);
  return info;
}

int32_t numerics_syevd(int32_t order, double *a, double *values, double *work, int32_t work_count,
                       int32_t *integers, int32_t integer_count) {
  int info = 0;
  dsyevd_("V", "L", &order, a, &order, values, work, &work_count, integers, &integer_count,
          &info HIDDEN_LENGTH HIDDEN_LENGTH);
  return info;
}

int32_t numerics_gesdd(int32_t rows, int32_t columns, double *a, double *values, double *u,
                       double *v_transposed, double *work, int32_t work_count, int32_t *integers) {
  int info = 0;
  int32_t count = rows < columns ? rows : columns;
  dgesdd_("S", &rows, &columns, a, &rows, values, u, &rows, v_transposed, &count, work, &work_count,
          integers, &info HIDDEN_LENGTH);
  return info;
}

#if defined(__APPLE__)
/* A text that the kernel tells; empty where it does not know the name. */
static const char *system_text(const char *name, char *text, size_t size) {
  if (sysctlbyname(name, text, &size, NULL, 0) != 0) text[0] = 0;
  return text;
}

const char *numerics_library_name(void) { return "Accelerate"; }

/* Accelerate has no version of its own. Two threads that ask at once write the same bytes. */
const char *numerics_library_version(void) {
  static char version[64];
  return version[0] != 0 ? version
                         : system_text("kern.osproductversion", version, sizeof version);
}

const char *numerics_library_kernel(void) {
  static char processor[128];
  return processor[0] != 0
             ? processor
             : system_text("machdep.cpu.brand_string", processor, sizeof processor);
}
#else
const char *numerics_library_name(void) { return "OpenBLAS by way of Accelerate's calls"; }
const char *numerics_library_version(void) { return ""; }
const char *numerics_library_kernel(void) { return ""; }
#endif

int32_t numerics_library_threads(void) {
  if (BLASGetThreading() == BLAS_THREADING_SINGLE_THREADED) return 1;
  return (int32_t)sysconf(_SC_NPROCESSORS_ONLN);
}

void numerics_library_use_one_thread(void) { BLASSetThreading(BLAS_THREADING_SINGLE_THREADED); }

/* There is one kernel for each processor, and it is chosen by the system. */
bool numerics_library_kernel_is_chosen(void) { return true; }
bool numerics_library_choose_kernel(const char *kernel) {
  (void)kernel;
  return false;
}

#endif
