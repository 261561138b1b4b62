// Daily sums of an Apple Health export by expat. Build: cc -O2 expat.c -lexpat
#include <expat.h>

#include "daily_sums.h"

static void XMLCALL start(void *context, const XML_Char *name, const XML_Char **attributes) {
  (void)context;
  if (strcmp(name, "Record") != 0) return;
  const char *type = NULL, *from = NULL, *value = NULL;
  for (; attributes[0]; attributes += 2) {
    if (strcmp(attributes[0], "type") == 0) type = attributes[1];
    else if (strcmp(attributes[0], "startDate") == 0) from = attributes[1];
    else if (strcmp(attributes[0], "value") == 0) value = attributes[1];
  }
  add_record(type, from, value);
}

int main(int count, char **arguments) {
  FILE *file = count == 2 ? fopen(arguments[1], "r") : NULL;
  if (!file) return 64;
  XML_Parser parser = XML_ParserCreate(NULL);
  XML_SetStartElementHandler(parser, start);
  for (;;) {
    void *buffer = XML_GetBuffer(parser, 1 << 20);
    size_t length = fread(buffer, 1, 1 << 20, file);
    if (XML_ParseBuffer(parser, (int)length, length == 0) == XML_STATUS_ERROR) return 1;
    if (length == 0) break;
  }
  print_sums();
  return 0;
}
