#include "raw_work.h"

#include <stdlib.h>

// The sanitizers bring an allocator of their own.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

#if defined(__linux__) && defined(__GLIBC__) && !SANITIZED

#include <errno.h>
#include <stdatomic.h>

// A program's own `malloc` takes the place of the C library's, for every shared library it loads too. These
// count and pass on to the names under which glibc keeps its own.

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_llong calls;

static void count_one(void) { atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed); }

int64_t limits_allocations(void) { return atomic_load_explicit(&calls, memory_order_relaxed); }

void *malloc(size_t size) {
  count_one();
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  count_one();
  return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  count_one();
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  count_one();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count_one();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  count_one();
  void *made = __libc_memalign(alignment, size);
  if (!made) return ENOMEM;
  *block = made;
  return 0;
}

#else

int64_t limits_allocations(void) { return -1; }

#endif
