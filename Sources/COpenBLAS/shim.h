#pragma once
#include <cblas.h>
#include <lapacke.h>

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
