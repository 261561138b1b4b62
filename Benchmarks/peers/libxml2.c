// Daily sums of an Apple Health export by libxml2's SAX2. Build: cc -O2 libxml2.c $(pkg-config --cflags --libs libxml-2.0)
#include <libxml/parser.h>

#include "daily_sums.h"

/// The attribute's value with an end, in a buffer of the caller's.
static const char *ended(const xmlChar **attribute, char *buffer, size_t size) {
  size_t length = (size_t)(attribute[4] - attribute[3]);
  if (length >= size) return NULL;
  memcpy(buffer, attribute[3], length);
  buffer[length] = 0;
  return buffer;
}

static void start(
  void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaces,
  const xmlChar **declared, int count, int defaulted, const xmlChar **attributes) {
  (void)context, (void)prefix, (void)uri, (void)namespaces, (void)declared, (void)defaulted;
  if (strcmp((const char *)name, "Record") != 0) return;
  const char *type = NULL, *from = NULL, *value = NULL;
  char buffers[3][128];
  for (int i = 0; i < count; i++, attributes += 5) {
    const char *key = (const char *)attributes[0];
    if (strcmp(key, "type") == 0) type = ended(attributes, buffers[0], 128);
    else if (strcmp(key, "startDate") == 0) from = ended(attributes, buffers[1], 128);
    else if (strcmp(key, "value") == 0) value = ended(attributes, buffers[2], 128);
  }
  add_record(type, from, value);
}

int main(int count, char **arguments) {
  if (count != 2) return 64;
  xmlSAXHandler handler;
  memset(&handler, 0, sizeof handler);
  handler.initialized = XML_SAX2_MAGIC;
  handler.startElementNs = start;
  if (xmlSAXUserParseFile(&handler, NULL, arguments[1]) != 0) return 1;
  print_sums();
  return 0;
}
