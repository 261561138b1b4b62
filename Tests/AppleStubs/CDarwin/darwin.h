#pragma once
/* What our sources call of Darwin's C library and Glibc does not declare, with the types of the headers named. */

#include <stddef.h>
#include <sys/time.h>

/* <sys/sysctl.h>: the start of a process is in a union whose member the macro p_starttime names; Swift sees the
   member only. */
struct extern_proc {
  union {
    struct timeval __p_starttime;
  } p_un;
};
struct kinfo_proc {
  struct extern_proc kp_proc;
};

#define CTL_KERN 1
#define KERN_PROC 14
#define KERN_PROC_PID 1

int sysctl(int *names, unsigned int count, void *old, size_t *oldSize, void *new, size_t newSize);
