#pragma once
#include <cblas.h>
#include <lapacke.h>
#if defined(__linux__)
#include <malloc.h>
#endif

/* How wide the vectors of this processor are, in the steps OpenBLAS has kernels for: 0 none that
   matters here, 1 AVX, 2 AVX2 with FMA, 3 AVX-512, 4 AVX-512 with bfloat16. The compiler's builtins
   also ask whether the operating system saves those registers; Swift has no way to. */
static inline int diurnal_vector_level(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl"))
    return __builtin_cpu_supports("avx512bf16") ? 4 : 3;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return 2;
  if (__builtin_cpu_supports("avx")) return 1;
#endif
  return 0;
}

/* By default glibc gives a matrix of 128 kB and more back to the system as soon as it is freed, so that
   the next one of its size costs a page fault every 4 kB. Keeps up to 64 MB instead. */
static inline void diurnal_keep_freed_memory(void) {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}
