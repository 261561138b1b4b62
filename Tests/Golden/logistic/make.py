"""Golden numbers of logistic regression by scikit-learn and statsmodels, for LogisticGoldenTests.

Writes rows.csv (a table with labels and weights), wide.csv (more columns than rows) and solutions.csv: a line per fit
with its name, penalty, intercept and coefficients in the units of the columns. Run with numpy, scikit-learn 1.9.1 and
statsmodels 0.15:

    python make.py
"""

import csv
import warnings

import numpy as np
import statsmodels.api as sm
from sklearn.linear_model import LogisticRegression

warnings.simplefilter("error")
random = np.random.default_rng(20_240_501)


def labels(x, strength):
    scores = (x - x.mean(0)) / x.std(0) @ random.normal(size=x.shape[1]) * strength
    return (random.uniform(size=len(x)) < 1 / (1 + np.exp(0.4 - scores))).astype(float)


n = 80
base = random.normal(size=(n, 4))
rows = np.column_stack([
    60 + 12 * base[:, 0],
    8000 + 3000 * base[:, 1],
    1e-3 * (base[:, 0] + 0.5 * base[:, 3]),
    np.round(7 + base[:, 2], 1),
    random.integers(0, 2, size=n).astype(float),
])
rows_labels = labels(rows, 0.8)
rows_weights = random.choice([0.5, 1.0, 2.0, 3.0], size=n)
wide = random.normal(size=(15, 24)) * np.exp(random.normal(size=24))
wide_labels = labels(wide, 0.3)

solutions = []


def penalised(name, x, y, weights, penalty, scaled=True):
    """scikit-learn on columns standardised by hand: its objective is C Σ w loss + |β|² / 2, so C = 1 / λ."""
    mean = np.average(x, axis=0, weights=weights)
    scale = np.sqrt(np.average((x - mean) ** 2, axis=0, weights=weights)) if scaled else 1
    model = LogisticRegression(C=1 / penalty, solver="newton-cholesky", tol=1e-13, max_iter=200)
    model.fit((x - mean) / scale, y, sample_weight=weights)
    beta = model.coef_[0] / scale
    solutions.append([name, penalty, model.intercept_[0] - beta @ mean, *beta])


ones = np.ones(n)
for penalty in (0.01, 1.0, 50.0):
    penalised("plain", rows, rows_labels, ones, penalty)
    penalised("weighted", rows, rows_labels, rows_weights, penalty)
penalised("centred", rows[:, [0, 3, 4]], rows_labels, ones, 2.0, scaled=False)
for penalty in (0.1, 10.0):
    penalised("wide", wide, wide_labels, np.ones(len(wide)), penalty)
# Columns in units of 1 for statsmodels' own iteration, which does not standardise.
mean, scale = rows.mean(0), rows.std(0)
for name, weights in (("plain", ones), ("weighted", rows_weights)):
    design = sm.add_constant((rows - mean) / scale)
    fit = sm.GLM(rows_labels, design, family=sm.families.Binomial(), freq_weights=weights).fit(
        tol=1e-15, maxiter=200)
    beta = fit.params[1:] / scale
    solutions.append([name, 0.0, fit.params[0] - beta @ mean, *beta])


def write(name, lines):
    with open(name, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(
            [[v if isinstance(v, str) else repr(float(v)) for v in line] for line in lines])


write("rows.csv", np.column_stack([rows, rows_labels, rows_weights]))
write("wide.csv", np.column_stack([wide, wide_labels]))
write("solutions.csv", solutions)
