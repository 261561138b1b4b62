#define _GNU_SOURCE
#include "raw_work.h"

#ifdef __linux__

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Reads the one value of a one-line file of sysfs; 0 where it is not there.
static int read_value(const char *name, const char *format, void *value) {
  char path[128];
  snprintf(path, sizeof path, "/sys/bus/event_source/devices/power/%s", name);
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  int found = fscanf(file, format, value) == 1;
  fclose(file);
  return found;
}

/// Opens perf's counter of the package's energy on the first processor, -1 where there is none.
static int open_counter(double *joules_per_count) {
  unsigned type, event;
  if (!read_value("type", "%u", &type)
    || !read_value("events/energy-pkg", "event=0x%x", &event)
    || !read_value("events/energy-pkg.scale", "%lf", joules_per_count)) return -1;
  struct perf_event_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.size = sizeof attributes;
  attributes.type = type;
  attributes.config = event;
  return (int)syscall(SYS_perf_event_open, &attributes, -1, 0, -1, 0);
}

int64_t limits_energy_uj(void) {
  static int counter = -2;
  static double scale;
  if (counter == -2) counter = open_counter(&scale);
  uint64_t counts;
  if (counter < 0 || read(counter, &counts, sizeof counts) != sizeof counts) return -1;
  return (int64_t)((double)counts * scale * 1e6);
}

#else

int64_t limits_energy_uj(void) { return -1; }

#endif
