// Preloaded by Scripts/torture: lets the n-th call that changes a file kill the process or fail.
//
//   FAULT_AT=n        which call, counted from 1
//   FAULT_ONLY=NAME   counts only write, sync, rename, unlink or truncate
//   FAULT_ERROR=e     the errno of the failure; the process is killed where it is not set
//   FAULT_LASTS=1     all calls from then on fail too
//   FAULT_COUNT=FILE  writes how many calls there were into FILE at the end
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;
static long faultAt, faultError, faultLasts;
static const char *faultOnly;

__attribute__((constructor)) static void begin(void) {
  const char *at = getenv("FAULT_AT"), *error = getenv("FAULT_ERROR");
  faultAt = at ? atol(at) : 0;
  faultError = error ? atol(error) : 0;
  faultLasts = getenv("FAULT_LASTS") != NULL;
  faultOnly = getenv("FAULT_ONLY");
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("FAULT_COUNT");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld\n", atomic_load(&calls));
  fclose(file);
}

// Whether this call is to fail; does not return where it is to be the last.
static int fails(const char *name) {
  if (faultOnly && strcmp(name, faultOnly) != 0) return 0;
  long call = atomic_fetch_add(&calls, 1) + 1;
  if (faultAt == 0 || !(call == faultAt || (faultLasts && call > faultAt))) return 0;
  if (faultError == 0) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
  }
  errno = (int)faultError;
  return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define WRAP(name, what, isFile, parameters, arguments, type) \
  type name parameters { \
    if ((isFile) && fails(what)) return -1; \
    return REAL(name) arguments; \
  }

WRAP(write, "write", fd > 2, (int fd, const void *data, size_t count), (fd, data, count), ssize_t)
WRAP(pwrite, "write", 1, (int fd, const void *data, size_t count, off_t at), (fd, data, count, at), ssize_t)
WRAP(pwrite64, "write", 1, (int fd, const void *data, size_t count, off64_t at), (fd, data, count, at), ssize_t)
WRAP(fsync, "sync", 1, (int fd), (fd), int)
WRAP(fdatasync, "sync", 1, (int fd), (fd), int)
WRAP(ftruncate, "truncate", 1, (int fd, off_t length), (fd, length), int)
WRAP(ftruncate64, "truncate", 1, (int fd, off64_t length), (fd, length), int)
WRAP(unlink, "unlink", 1, (const char *path), (path), int)
WRAP(unlinkat, "unlink", 1, (int folder, const char *path, int flags), (folder, path, flags), int)
WRAP(rename, "rename", 1, (const char *from, const char *to), (from, to), int)
WRAP(renameat, "rename", 1, (int one, const char *from, int two, const char *to), (one, from, two, to), int)
WRAP(link, "rename", 1, (const char *from, const char *to), (from, to), int)
