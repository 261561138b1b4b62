/// Sums of records by type and day, as the C programs beside this file keep them.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { slots = 1 << 18 };

static struct {
  uint64_t key;
  double total;
} table[slots];

static long records;

/// Adds one record; a value that is no number counts as 0.
static void add_record(const char *type, const char *start, const char *value) {
  if (!type || !start || strlen(start) < 10) return;
  records++;
  uint64_t key = 1469598103934665603u;
  for (const char *c = type; *c; c++) key = (key ^ (unsigned char)*c) * 1099511628211u;
  for (int i = 0; i < 10; i++) key = (key ^ (unsigned char)start[i]) * 1099511628211u;
  size_t place = key >> 46;
  while (table[place].key != key && table[place].key != 0) place = (place + 1) & (slots - 1);
  table[place].key = key;
  table[place].total += value ? strtod(value, NULL) : 0;
}

/// Prints the number of records and the sum of all days.
static void print_sums(void) {
  double total = 0;
  for (size_t i = 0; i < slots; i++) total += table[i].total;
  printf("%ld %.6f\n", records, total);
}
