#define _GNU_SOURCE
#include "raw_work.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

extern char **environ;

static uint64_t nanoseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t limits_wall_ns(void) { return nanoseconds(CLOCK_MONOTONIC); }

uint64_t limits_cpu_ns(void) { return nanoseconds(CLOCK_PROCESS_CPUTIME_ID); }

static int64_t peak_of(const struct rusage *usage) {
#ifdef __APPLE__
  return usage->ru_maxrss;
#else
  return (int64_t)usage->ru_maxrss * 1024;
#endif
}

#ifdef __linux__
/// One line of /proc/self/status, in bytes; -1 where it is not there.
static int64_t status_line(const char *name) {
  FILE *file = fopen("/proc/self/status", "r");
  if (!file) return -1;
  char line[256];
  long long kilobytes = -1;
  size_t length = strlen(name);
  while (fgets(line, sizeof line, file)) {
    if (strncmp(line, name, length) == 0) sscanf(line + length, " %lld", &kilobytes);
  }
  fclose(file);
  return kilobytes < 0 ? -1 : (int64_t)kilobytes * 1024;
}
#endif

int limits_reset_peak(void) {
#ifdef __linux__
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  int file = open("/proc/self/clear_refs", O_WRONLY);
  if (file < 0) return -1;
  ssize_t written = write(file, "5", 1);
  close(file);
  return written == 1 ? 0 : -1;
#else
  return -1;
#endif
}

int64_t limits_resident_bytes(void) {
#ifdef __linux__
  return status_line("VmRSS:");
#else
  return -1;
#endif
}

int64_t limits_peak_bytes(void) {
#ifdef __linux__
  int64_t peak = status_line("VmHWM:");
  if (peak >= 0) return peak;
#endif
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return peak_of(&usage);
}

void limits_write(int descriptor, const char *text) {
  size_t left = strlen(text);
  while (left > 0) {
    ssize_t count = write(descriptor, text, left);
    if (count < 0 && errno != EINTR) return;
    if (count > 0) {
      text += count;
      left -= (size_t)count;
    }
  }
}

int limits_write_doubles(const char *path, const double *values, size_t count) {
  FILE *file = fopen(path, "w");
  if (!file) return -1;
  size_t written = fwrite(values, sizeof(double), count, file);
  return fclose(file) == 0 && written == count ? 0 : -1;
}

static uint64_t microseconds(struct timeval time) {
  return (uint64_t)time.tv_sec * 1000000u + (uint64_t)time.tv_usec;
}

int limits_run(
  char *const _Nullable *_Nonnull arguments, const char *_Nullable output, limits_child *result) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(
    &actions, 1, output ? output : "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  pid_t child;
  uint64_t start = limits_wall_ns();
  int failed = posix_spawnp(&child, arguments[0], &actions, 0, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed) return -1;
  int status;
  struct rusage usage;
  while (wait4(child, &status, 0, &usage) < 0) {
    if (errno != EINTR) return -1;
  }
  result->wall_ns = limits_wall_ns() - start;
  result->cpu_ns = 1000 * (microseconds(usage.ru_utime) + microseconds(usage.ru_stime));
  result->peak_bytes = peak_of(&usage);
  result->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return 0;
}

int limits_exec(char *const _Nullable *_Nonnull arguments) {
  execvp(arguments[0], arguments);
  return -1;
}
