#include "raw_work.h"

#include <math.h>

enum { lags = 7, windows = 3, columns_per_metric = 23 };

static const int window_days[windows] = {7, 14, 28};

/// Mean, spread (n - 1), minimum and maximum of the values present in `values[from..<to]`.
static void trailing(const double *values, int from, int to, double *out[4], int row) {
  int count = 0;
  double sum = 0, least = INFINITY, most = -INFINITY;
  for (int i = from; i < to; i++) {
    // Without branches: which days are missing cannot be predicted. A NaN is neither less nor more.
    double value = values[i];
    int present = value == value;
    count += present;
    sum += present ? value : 0;
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  if (count == 0) {
    for (int k = 0; k < 4; k++) out[k][row] = NAN;
    return;
  }
  double mean = sum / count, squares = 0;
  for (int i = from; i < to; i++) {
    double away = values[i] - mean;
    squares += away == away ? away * away : 0;
  }
  out[0][row] = mean;
  out[1][row] = count > 1 ? sqrt(squares / (count - 1)) : NAN;
  out[2][row] = least;
  out[3][row] = most;
}

/// The exponential mean of what lies before each day, normalised over the values present.
static void exponential(const double *values, int days, double half_life, double *out) {
  double decay = exp2(-1 / half_life), sum = 0, weight = 0;
  for (int t = 0; t < days; t++) {
    out[t] = weight > 0 ? sum / weight : NAN;
    sum *= decay;
    weight *= decay;
    if (!isnan(values[t])) {
      sum += decay * values[t];
      weight += decay;
    }
  }
}

void limits_features(
  const double *values, int days, int metrics, int first_weekday, double *columns) {
  for (int m = 0; m < metrics; m++) {
    const double *x = values + (size_t)m * days;
    double *first = columns + (size_t)m * columns_per_metric * days;
    for (int lag = 1; lag <= lags; lag++) {
      double *out = first + (size_t)(lag - 1) * days;
      for (int t = 0; t < days; t++) out[t] = t >= lag ? x[t - lag] : NAN;
    }
    double *means28 = 0, *spreads28 = 0;
    for (int k = 0; k < windows; k++) {
      double *out[4];
      for (int s = 0; s < 4; s++) out[s] = first + (size_t)(lags + 4 * k + s) * days;
      for (int t = 0; t < days; t++) {
        trailing(x, t > window_days[k] ? t - window_days[k] : 0, t, out, t);
      }
      means28 = out[0];
      spreads28 = out[1];
    }
    double *rest = first + (size_t)(lags + 4 * windows) * days;
    exponential(x, days, 7, rest);
    exponential(x, days, 28, rest + days);
    for (int t = 0; t < days; t++) {
      rest[2 * (size_t)days + t] = (x[t] - means28[t]) / spreads28[t];
      rest[3 * (size_t)days + t] = t > 0 ? x[t] - x[t - 1] : NAN;
    }
  }
  double *weekday = columns + (size_t)metrics * columns_per_metric * days;
  for (int t = 0; t < 7 * days; t++) weekday[t] = 0;
  for (int t = 0; t < days; t++) {
    weekday[(size_t)((first_weekday + t) % 7) * days + t] = 1;
  }
}
