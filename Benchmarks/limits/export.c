#define _GNU_SOURCE
#include "raw_work.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// MARK: The scanner

enum { window_bytes = 1 << 20, slots = 1 << 18 };

/// The sum of one type on one day.
typedef struct {
  uint64_t key;
  double total;
} slot;

typedef struct {
  const char *start;
  const char *end;
} text;

/// A hash of a name, eight bytes at a time.
static uint64_t hash_of(text name) {
  uint64_t hash = (uint64_t)(name.end - name.start), word;
  const char *c = name.start;
  for (; name.end - c >= 8; c += 8) {
    memcpy(&word, c, 8);
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  for (; c < name.end; c++) hash = (hash ^ (unsigned char)*c) * 0x100000001B3u;
  return hash * 0x9E3779B97F4A7C15u;
}

/// The digits of `yyyy-MM-dd` as one number that ascends with the day.
static uint64_t day_of(text date) {
  if (date.end - date.start < 10) return 0;
  const char *c = date.start;
  uint64_t year = (c[0] - '0') * 1000 + (c[1] - '0') * 100 + (c[2] - '0') * 10 + (c[3] - '0');
  return year * 372 + ((c[5] - '0') * 10 + (c[6] - '0')) * 31 + ((c[8] - '0') * 10 + (c[9] - '0'));
}

static double number_of(text digits) {
  double whole = 0, scale = 1;
  const char *c = digits.start;
  for (; c < digits.end && *c >= '0' && *c <= '9'; c++) whole = whole * 10 + (*c - '0');
  if (c < digits.end && *c == '.') {
    for (c++; c < digits.end && *c >= '0' && *c <= '9'; c++) {
      whole = whole * 10 + (*c - '0');
      scale *= 10;
    }
  }
  return whole / scale;
}

/// Reads the attributes of one record and adds its value to its day; 0 where it has no number.
static int add_record(const char *at, const char *end, slot *table, limits_scan *result) {
  text type = {0, 0}, start = {0, 0}, value = {0, 0};
  while (at < end) {
    const char *equals = memchr(at, '=', (size_t)(end - at));
    if (!equals || equals + 1 >= end) break;
    const char *close = memchr(equals + 2, '"', (size_t)(end - equals - 2));
    if (!close) break;
    size_t length = (size_t)(equals - at);
    text content = {equals + 2, close};
    if (length == 4 && memcmp(at, "type", 4) == 0) type = content;
    else if (length == 5 && memcmp(at, "value", 5) == 0) value = content;
    else if (length == 9 && memcmp(at, "startDate", 9) == 0) start = content;
    at = close + 2;
  }
  if (!type.start || !value.start || !start.start) return 0;
  if (*value.start < '0' || *value.start > '9') return 0;
  double number = number_of(value);
  uint64_t key = (hash_of(type) & ~(uint64_t)0xFFFFF) | day_of(start);
  size_t place = (key * 0x9E3779B97F4A7C15u) >> 46;
  while (table[place].key != key && table[place].key != 0) place = (place + 1) & (slots - 1);
  if (table[place].key == 0) {
    if (result->days >= slots / 2) return 0;
    table[place].key = key;
    result->days++;
  }
  table[place].total += number;
  result->total += number;
  result->records++;
  return 1;
}

int limits_scan_export(const char *path, limits_scan *result) {
  memset(result, 0, sizeof *result);
  int file = open(path, O_RDONLY);
  if (file < 0) return -1;
  char *window = malloc(window_bytes);
  slot *table = calloc(slots, sizeof(slot));
  size_t kept = 0;
  for (;;) {
    ssize_t count = read(file, window + kept, window_bytes - kept);
    if (count <= 0) break;
    result->bytes += count;
    const char *at = window, *end = window + kept + count;
    for (;;) {
      const char *open_bracket = memchr(at, '<', (size_t)(end - at));
      if (!open_bracket) {
        at = end;
        break;
      }
      at = open_bracket;
      if (end - at < 8) break;
      if (memcmp(at, "<Record ", 8) != 0) {
        at++;
        continue;
      }
      const char *close = memchr(at, '\n', (size_t)(end - at));
      if (!close) break;
      add_record(at + 8, close, table, result);
      at = close;
    }
    kept = (size_t)(end - at);
    if (kept == window_bytes) kept = 0;  // no record is that long: damage, dropped
    memmove(window, at, kept);
  }
  free(window);
  free(table);
  close(file);
  return 0;
}

// MARK: The generator

static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static int between(uint64_t *state, int low, int high) {
  return low + (int)(next_random(state) % (uint64_t)(high - low + 1));
}

/// Writes second `second` of day `day` (days since 1970) as `yyyy-MM-dd HH:mm:ss +0000`.
static void write_moment(char out[32], int day, int second) {
  day += second / 86400;
  second %= 86400;
  // Howard Hinnant, "chrono-compatible low-level date algorithms": civil_from_days.
  int z = day + 719468, era = z / 146097, doe = z - era * 146097;
  int yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  int doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
  int month = mp < 10 ? mp + 3 : mp - 9, year = yoe + era * 400 + (month <= 2);
  snprintf(
    out, 32, "%04d-%02d-%02d %02d:%02d:%02d +0000", year, month, doy - (153 * mp + 2) / 5 + 1,
    second / 3600, second / 60 % 60, second % 60);
}

static const char watch[] =
  "sourceName=\"Watch\" sourceVersion=\"10.1\" device=\"&lt;&lt;HKDevice: 0x28&gt;, name:Apple Watch, "
  "manufacturer:Apple Inc., model:Watch, hardware:Watch6,2, software:10.1&gt;\"";
static const char phone[] =
  "sourceName=\"Phone\" sourceVersion=\"17.1\" device=\"&lt;&lt;HKDevice: 0x29&gt;, name:iPhone, "
  "manufacturer:Apple Inc., model:iPhone, hardware:iPhone14,2, software:17.1&gt;\"";

static void write_record(
  FILE *file, const char *type, const char *source, const char *unit, int day, int from, int to,
  const char *value, const char *inside) {
  char created[32], start[32], end[32];
  write_moment(created, day, to + 60);
  write_moment(start, day, from);
  write_moment(end, day, to);
  fprintf(
    file,
    " <Record type=\"HK%s\" %s%s%s%s creationDate=\"%s\" startDate=\"%s\" endDate=\"%s\" value=\"%s\"",
    type, source, unit ? " unit=\"" : "", unit ? unit : "", unit ? "\"" : "", created, start, end,
    value);
  if (inside) fprintf(file, ">\n  %s\n </Record>\n", inside);
  else fputs("/>\n", file);
}

/// One day of a phone, a watch and a scale.
static void write_day(FILE *file, int day, uint64_t *state) {
  char value[48];
  for (int minute = 420; minute < 1320; minute += between(state, 4, 14)) {
    int from = minute * 60, to = from + between(state, 60, 600);
    snprintf(value, sizeof value, "%d", between(state, 3, 240));
    write_record(
      file, "QuantityTypeIdentifierStepCount", minute % 3 ? watch : phone, "count", day, from, to,
      value, NULL);
  }
  for (int minute = 0; minute < 1440; minute += between(state, 3, 8)) {
    snprintf(value, sizeof value, "%d", between(state, 48, 130));
    write_record(
      file, "QuantityTypeIdentifierHeartRate", watch, "count/min", day, minute * 60, minute * 60, value,
      "<MetadataEntry key=\"HKMetadataKeyHeartRateMotionContext\" value=\"0\"/>");
  }
  for (int minute = 420; minute < 1320; minute += between(state, 5, 15)) {
    snprintf(value, sizeof value, "%d.%03d", between(state, 0, 9), between(state, 0, 999));
    write_record(
      file, "QuantityTypeIdentifierActiveEnergyBurned", watch, "kcal", day, minute * 60,
      minute * 60 + 58, value, NULL);
  }
  for (int k = 0; k < 6; k++) {
    int at = between(state, 0, 86000);
    snprintf(value, sizeof value, "%d.%04d", between(state, 20, 95), between(state, 0, 9999));
    write_record(
      file, "QuantityTypeIdentifierHeartRateVariabilitySDNN", watch, "ms", day, at, at + 60, value,
      "<HeartRateVariabilityMetadataList>\n   <InstantaneousBeatsPerMinute bpm=\"61\" "
      "time=\"1:01:03.52 AM\"/>\n  </HeartRateVariabilityMetadataList>");
  }
  snprintf(value, sizeof value, "%d", between(state, 46, 70));
  write_record(
    file, "QuantityTypeIdentifierRestingHeartRate", watch, "count/min", day, 0, 86000, value, NULL);
  snprintf(value, sizeof value, "%d.%d", between(state, 70, 74), between(state, 0, 9));
  write_record(
    file, "QuantityTypeIdentifierBodyMass", "sourceName=\"Scale\"", "kg", day, 25200, 25200, value, NULL);
  static const char *const stages[] = {
    "AsleepCore", "AsleepDeep", "AsleepREM", "Awake"};
  for (int at = 0; at < 25000; ) {
    int length = between(state, 300, 3600);
    snprintf(
      value, sizeof value, "HKCategoryValueSleepAnalysis%s", stages[between(state, 0, 3)]);
    write_record(
      file, "CategoryTypeIdentifierSleepAnalysis", watch, NULL, day, at, at + length, value, NULL);
    at += length;
  }
}

int limits_write_export(const char *path, int64_t bytes, uint64_t seed) {
  FILE *file = fopen(path, "w");
  if (!file) return -1;
  setvbuf(file, NULL, _IOFBF, 1 << 20);
  fputs(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE HealthData [\n<!ELEMENT HealthData "
    "(ExportDate,Me,Record*)>\n<!ATTLIST HealthData\n  locale CDATA #REQUIRED\n>\n]>\n"
    "<HealthData locale=\"en_GB\">\n <ExportDate value=\"2026-01-01 08:00:00 +0000\"/>\n"
    " <Me HKCharacteristicTypeIdentifierDateOfBirth=\"\"/>\n",
    file);
  // The days end with the last of 2025 whatever the size, and are written from the last backwards.
  for (int day = 20453; ftell(file) < bytes && day > 4000; day--) write_day(file, day, &seed);
  fputs("</HealthData>\n", file);
  int failed = ferror(file);
  return fclose(file) != 0 || failed ? -1 : 0;
}
