#include "CNumerics.h"

#include <pthread.h>
#include <stdlib.h>
#if defined(__linux__)
#include <malloc.h>
#endif

int32_t numerics_vector_level(void) {
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

void numerics_keep_freed_memory(void) {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

struct work {
  void (*body)(void *);
  void *argument;
};

static void *run(void *pointer) {
  struct work work = *(struct work *)pointer;
  free(pointer);
  work.body(work.argument);
  return NULL;
}

bool numerics_thread_start(void (*body)(void *), void *argument, uintptr_t *thread) {
  struct work *work = malloc(sizeof *work);
  if (work == NULL) return false;
  *work = (struct work){body, argument};
  pthread_t started;
  if (pthread_create(&started, NULL, run, work) != 0) {
    free(work);
    return false;
  }
  /* An integer on Linux, a pointer on Apple's systems. */
  *thread = (uintptr_t)started;
  return true;
}

void numerics_thread_join(uintptr_t thread) { pthread_join((pthread_t)thread, NULL); }
