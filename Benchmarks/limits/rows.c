#include "raw_work.h"

#include <sqlite3.h>

int64_t limits_select(
  const char *path, const char *query, int rows, int columns_count, double *columns) {
  sqlite3 *database = 0;
  sqlite3_stmt *statement = 0;
  int64_t found = -1;
  if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, 0) == SQLITE_OK
    && sqlite3_prepare_v2(database, query, -1, &statement, 0) == SQLITE_OK) {
    int outcome;
    found = 0;
    while ((outcome = sqlite3_step(statement)) == SQLITE_ROW) {
      int row = sqlite3_column_int(statement, 0), column = sqlite3_column_int(statement, 1);
      if (row < 0 || row >= rows || column < 0 || column >= columns_count) continue;
      columns[(int64_t)column * rows + row] = sqlite3_column_double(statement, 2);
      found++;
    }
    if (outcome != SQLITE_DONE) found = -1;
  }
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return found;
}
