"""W11 in pandas and scikit-learn: a process from the store to a saved model.

    whole_process.py STORE MODEL

Loads the log, makes the 283 features, fits a ridge regression over 100 penalties and a logistic one over 10 with
five folds, predicts tomorrow from both and saves them. Prints the two predictions and the penalties chosen.
"""

import os
import pickle
import sqlite3
import sys

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import features
import numpy as np
import pandas
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegressionCV, RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import warnings

warnings.simplefilter("ignore")

database = sqlite3.connect(sys.argv[1])
entries = pandas.read_sql_query(
    "SELECT day, metric.name AS metric, value FROM entry JOIN metric ON metric.id = metric", database)
frame = entries.pivot(index="day", columns="metric", values="value")
frame = frame.reindex(range(frame.index.min(), frame.index.max() + 1))

made = features.columns(frame, (frame.index.to_numpy() + 3) % 7).replace([np.inf, -np.inf], np.nan)

outcome = frame[frame.columns[1]].shift(-1)
known = outcome.notna().to_numpy()
x = SimpleImputer().fit_transform(made)
y = outcome.to_numpy()[known]
low = (y <= 4).astype(float)
folds = np.arange(len(y)) % 5
splits = [(np.flatnonzero(folds != k), np.flatnonzero(folds == k)) for k in range(5)]
ridge = make_pipeline(StandardScaler(), RidgeCV(alphas=np.geomspace(1e-3, 1e6, 100), gcv_mode="svd"))
ridge.fit(x[known], y)
logistic = make_pipeline(
    StandardScaler(),
    LogisticRegressionCV(
        Cs=1 / np.geomspace(1e-4, 1e5, 10), cv=splits, solver="newton-cholesky", tol=1e-6,
        scoring="neg_log_loss", max_iter=1000, use_legacy_attributes=True))
logistic.fit(x[known], low)
with open(sys.argv[2], "wb") as file:
    pickle.dump((ridge, logistic), file)
print(
    ridge.predict(x[-1:])[0], logistic.predict_proba(x[-1:])[0, 1], ridge[-1].alpha_,
    1 / np.ravel(logistic[-1].C_)[0])
