"""Writes scores.json: scores of forecasts by scikit-learn, intervals of shares by statsmodels and forecasts
of a rolling origin by scikit-learn, for GoldenScoreTests.

    python3 -m venv venv && venv/bin/pip install scikit-learn statsmodels && venv/bin/python make.py
"""

import json
import pathlib
import platform

import numpy as np
import sklearn
import statsmodels
from sklearn import metrics
from sklearn.calibration import calibration_curve
from sklearn.linear_model import Ridge
from sklearn.preprocessing import StandardScaler
from statsmodels.stats.proportion import proportion_confint

here = pathlib.Path(__file__).parent
random = np.random.default_rng(11)


def numbers(name, count, weighted):
    outcomes = random.normal(60, 8, count)
    forecasts = outcomes + random.normal(0.5, 3, count)
    weights = random.uniform(0, 3, count) if weighted else None
    options = dict(sample_weight=weights)
    return dict(
        name=name, forecasts=forecasts.tolist(), outcomes=outcomes.tolist(),
        weights=None if weights is None else weights.tolist(),
        absolute=metrics.mean_absolute_error(outcomes, forecasts, **options),
        rootSquare=metrics.root_mean_squared_error(outcomes, forecasts, **options))


def probabilities(name, count, weighted, levels):
    forecasts = random.uniform(0.01, 0.99, count)
    if levels:
        forecasts = np.clip(np.round(forecasts * levels) / levels, 0.01, 0.99)
    outcomes = (random.uniform(0, 1, count) < forecasts).astype(float)
    weights = random.uniform(0.1, 3, count) if weighted else None
    options = dict(sample_weight=weights)
    observed, mean = calibration_curve(outcomes, forecasts, n_bins=7, strategy="uniform")
    return dict(
        name=name, forecasts=forecasts.tolist(), outcomes=outcomes.tolist(),
        weights=None if weights is None else weights.tolist(),
        logLoss=metrics.log_loss(outcomes, forecasts, **options),
        brier=metrics.brier_score_loss(outcomes, forecasts, **options),
        area=metrics.roc_auc_score(outcomes, forecasts, **options),
        binCount=7, meanForecasts=mean.tolist(), observedShares=observed.tolist())


def share(hits, count):
    lower, upper = proportion_confint(hits, count, alpha=0.05, method="wilson")
    return dict(hits=hits, count=count, lower=lower, upper=upper)


def rolling(name, rows, columns, least, horizon, interval, penalty):
    """Refits every day; scales from the days known when a stretch of `interval` rows begins."""
    x = np.cumsum(random.normal(0, 1, (rows, columns)), axis=0) * random.uniform(0.1, 50, columns) + 20
    y = (x - 20) @ random.normal(0, 0.1, columns) + random.normal(0, 1, rows)
    first = least + horizon - 1
    forecasts = []
    for row in range(first, rows):
        start = row - (row - first) % interval
        scaler = StandardScaler().fit(x[:start + 1 - horizon])
        z = scaler.transform(x)
        known = row + 1 - horizon
        model = Ridge(alpha=penalty, solver="svd").fit(z[:known], y[:known])
        forecasts.append(float(model.predict(z[row:row + 1])[0]))
    return dict(
        name=name, features=x.T.tolist(), target=y.tolist(), least=least, horizon=horizon,
        interval=interval, penalty=penalty, forecasts=forecasts)


document = dict(
    made_with=dict(
        python=platform.python_version(), numpy=np.__version__, scikit_learn=sklearn.__version__,
        statsmodels=statsmodels.__version__),
    numbers=[numbers("plain", 40, False), numbers("weighted", 40, True)],
    probabilities=[
        probabilities("plain", 60, False, 0), probabilities("weighted", 60, True, 0),
        probabilities("ties", 60, False, 8), probabilities("weighted ties", 60, True, 5)],
    shares=[share(7, 20), share(0, 9), share(9, 9), share(1, 400)],
    rolling=[
        rolling("daily", 70, 4, 30, 1, 14, 1.0), rolling("three days ahead", 60, 3, 25, 3, 10, 20.0),
        rolling("more columns than rows", 40, 12, 8, 1, 7, 5.0)])
(here / "scores.json").write_text(json.dumps(document) + "\n")
