"""Writes inference.json: what statsmodels finds, for RidgeInferenceTests.

    python3 -m venv venv && venv/bin/pip install statsmodels && venv/bin/python make.py

Without a penalty, OLS and WLS are the golden. With one, statsmodels gets the standardised columns with a
row sqrt(lambda) e_j below for each: the covariance of that least squares fit, without its scale, is
(G + lambda I)^-1. The scale comes from the rows themselves, with their effective degrees of freedom.
"""

import json
import pathlib

import numpy as np
import statsmodels
import statsmodels.api as sm
from scipy import stats

here = pathlib.Path(__file__).parent
random = np.random.default_rng(20261130)
cases = []
for name, n, p, penalty, weighted in [
    ("least squares", 40, 3, 0.0, False),
    ("weighted least squares", 50, 5, 0.0, True),
    ("ridge", 40, 4, 3.0, False),
    ("weighted ridge", 60, 6, 10.0, True),
]:
    x = random.normal(size=(n, p)) * random.uniform(0.5, 3, p) + random.uniform(-5, 5, p)
    x[:, 1] += 0.8 * x[:, 0]
    y = 2 + x @ random.normal(size=p) + random.normal(size=n)
    w = random.uniform(0.25, 3, n) if weighted else np.ones(n)
    row = x.mean(axis=0) + random.normal(size=p)
    if penalty == 0:
        fit = sm.WLS(y, sm.add_constant(x), weights=w).fit()
        frame = fit.get_prediction(np.concatenate([[1], row])[None, :]).summary_frame(alpha=0.1)
        errors, r2, adjusted = fit.bse, fit.rsquared, fit.rsquared_adj
        mean = [float(frame.mean_ci_lower.iloc[0]), float(frame.mean_ci_upper.iloc[0])]
        new = [float(frame.obs_ci_lower.iloc[0]), float(frame.obs_ci_upper.iloc[0])]
        left = fit.df_resid
    else:
        means = np.average(x, axis=0, weights=w)
        scales = np.sqrt(np.average((x - means) ** 2, axis=0, weights=w))
        z = np.column_stack([np.ones(n), (x - means) / scales]) * np.sqrt(w)[:, None]
        below = np.column_stack([np.zeros(p), np.sqrt(penalty) * np.eye(p)])
        fit = sm.OLS(np.concatenate([y * np.sqrt(w), np.zeros(p)]), np.vstack([z, below])).fit()
        shape = fit.normalized_cov_params
        freedom = np.trace(z @ shape @ z.T)
        left = n - freedom
        residuals = y * np.sqrt(w) - z @ fit.params
        variance = residuals @ residuals / left
        back = np.diag(np.concatenate([[1], 1 / scales]))
        back[0, 1:] = -means / scales
        errors = np.sqrt(variance * np.diag(back @ shape @ back.T))
        total = np.average((y - np.average(y, weights=w)) ** 2, weights=w) * w.sum()
        r2 = 1 - residuals @ residuals / total
        adjusted = 1 - (n - 1) / left * (1 - r2)
        v = np.concatenate([[1], (row - means) / scales])
        middle, spread = v @ fit.params, v @ shape @ v
        t = stats.t.ppf(0.95, left)
        mean = [float(middle + s * t * np.sqrt(variance * spread)) for s in (-1, 1)]
        new = [float(middle + s * t * np.sqrt(variance * (1 + spread))) for s in (-1, 1)]
    cases.append({
        "name": name, "penalty": penalty, "rows": x.tolist(), "target": y.tolist(),
        "weights": w.tolist(), "row": row.tolist(), "freedomLeft": float(left),
        "interceptError": float(errors[0]), "errors": [float(e) for e in errors[1:]],
        "rSquared": float(r2), "adjusted": float(adjusted), "mean": mean, "new": new,
    })

document = {"software": f"statsmodels {statsmodels.__version__}, numpy {np.__version__}", "cases": cases}
(here / "inference.json").write_text(json.dumps(document, indent=1) + "\n")
