"""The 283 columns of W8 in pandas: 23 for each metric, then the weekday."""

import numpy as np
import pandas


def columns(frame, weekdays):
    """A frame of the columns of `frame`, which has a row a day; `weekdays` are 0 to 6."""
    made = {}
    for name in frame.columns:
        x = frame[name]
        past = x.shift(1)
        for lag in range(1, 8):
            made[f"{name} lag {lag}"] = x.shift(lag)
        for window in (7, 14, 28):
            trailing = past.rolling(window, min_periods=1)
            made[f"{name} mean {window}"] = trailing.mean()
            made[f"{name} sd {window}"] = trailing.std()
            made[f"{name} min {window}"] = trailing.min()
            made[f"{name} max {window}"] = trailing.max()
        for half_life in (7, 28):
            made[f"{name} ewm {half_life}"] = past.ewm(halflife=half_life).mean()
        made[f"{name} z"] = (x - made[f"{name} mean 28"]) / made[f"{name} sd 28"]
        made[f"{name} diff"] = x.diff()
    for k in range(7):
        made[f"weekday {k}"] = np.where(weekdays == k, 1.0, 0.0)
    return pandas.DataFrame(made, index=frame.index)
