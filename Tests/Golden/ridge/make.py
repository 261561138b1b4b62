"""Writes ridge.json: what scikit-learn, statsmodels and scipy find, for GoldenRidgeTests.

    python3 -m venv venv && venv/bin/pip install scikit-learn statsmodels scipy && venv/bin/python make.py

Their objective is ours, so no penalty is converted: scikit-learn's Ridge minimises
sum w (y - b - x'beta)^2 + alpha sum beta^2 with b free. Where columns are to be scaled, its
StandardScaler (weighted standard deviation, divisor sum w) scales them first, and coefficients are
brought back to the columns' own units. Leave-one-out errors of a path come from explicit refits; where
RidgeCV offers them too, it must agree. Generalised cross-validation is computed from the hat matrix.
"""

import json
import pathlib
import platform

import numpy as np
import scipy
import sklearn
import statsmodels
import statsmodels.api as sm
from sklearn.linear_model import Ridge, RidgeCV
from sklearn.preprocessing import StandardScaler

here = pathlib.Path(__file__).parent
random = np.random.default_rng(20240229)


def rows(n, p, targets=1, mean=20.0):
    """Columns with unlike means and scales, neighbours correlated as trailing means are."""
    base = random.normal(size=(n, p))
    for j in range(1, p):
        base[:, j] = 0.8 * base[:, j - 1] + 0.6 * base[:, j]
    x = base * np.exp(random.uniform(-2, 2, p)) + random.uniform(-mean, mean, p)
    y = base @ random.normal(size=(p, targets)) + random.normal(size=(n, targets)) + 5
    # Few digits keep the file small; what is written is what is fitted.
    return np.round(x, 6), np.round(y, 6)


def scaler(x, weights, scaled):
    return StandardScaler(with_std=scaled).fit(x, sample_weight=weights)


def ridge(x, y, weights, penalty, scaled):
    """Intercepts and coefficients in the columns' own units, a row of them per target."""
    s = scaler(x, weights, scaled)
    if penalty == 0:
        # The minimum-norm solution on centred rows times root weights.
        w = np.ones(len(x)) if weights is None else weights
        root = np.sqrt(w)[:, None]
        mean = np.average(y, axis=0, weights=w)
        beta = scipy.linalg.lstsq(s.transform(x) * root, (y - mean) * root, cond=1e-12)[0].T
    else:
        fitted = Ridge(alpha=penalty, solver="svd").fit(s.transform(x), y, sample_weight=weights)
        beta, mean = np.atleast_2d(fitted.coef_), np.atleast_1d(fitted.intercept_)
    scale = s.scale_ if scaled else np.ones(x.shape[1])
    coefficients = beta / scale
    return mean - coefficients @ s.mean_, coefficients


def condition(x, weights, penalty, scaled):
    w = np.ones(len(x)) if weights is None else weights
    z = scaler(x, weights, scaled).transform(x) * np.sqrt(w)[:, None]
    values = np.linalg.svd(z, compute_uv=False) ** 2
    if penalty == 0:
        values = values[values > 1e-20 * values[0]]
    elif len(x) <= x.shape[1]:
        values = np.append(values, 0)
    return (values.max() + penalty) / (values.min() + penalty)


def listed(array):
    return None if array is None else np.asarray(array).tolist()


def fit(name, x, y, penalty, weights=None, scaled=True):
    intercepts, coefficients = ridge(x, y, weights, penalty, scaled)
    return dict(
        name=name, features=listed(x), targets=listed(y), weights=listed(weights), penalty=penalty, scaled=scaled,
        condition=condition(x, weights, penalty, scaled), intercepts=listed(intercepts),
        coefficients=listed(coefficients))


def path(name, x, y, penalties, weights=None, scaled=True):
    n = len(x)
    w = np.ones(n) if weights is None else weights
    # Leaving a row out keeps the scales of all rows, so the scaled columns are what is refitted.
    z = scaler(x, weights, scaled).transform(x)
    scores, generalised, freedom = [], [], []
    for penalty in penalties:
        square = 0.0
        for i in range(n):
            kept = np.arange(n) != i
            refit = Ridge(alpha=penalty, solver="svd").fit(z[kept], y[kept], sample_weight=w[kept])
            square += w[i] * (y[i, 0] - refit.predict(z[i : i + 1]).ravel()[0]) ** 2
        scores.append(square / w.sum())
        root = np.sqrt(w)
        centred = (z - np.average(z, axis=0, weights=w)) * root[:, None]
        hat = centred @ np.linalg.solve(centred.T @ centred + penalty * np.eye(z.shape[1]), centred.T)
        hat += np.outer(root, root) / w.sum()
        residual = root * y[:, 0] - hat @ (root * y[:, 0])
        freedom.append(np.trace(hat))
        generalised.append((residual**2).sum() / w.sum() / (1 - freedom[-1] / n) ** 2)
    if weights is None:
        for mode in ("svd", "eigen"):
            cv = RidgeCV(alphas=penalties, gcv_mode=mode, store_cv_results=True).fit(z, y[:, 0])
            found = cv.cv_results_.mean(axis=0)
            assert np.allclose(found, scores, rtol=1e-8), (name, mode, found / scores - 1)
            assert cv.alpha_ == penalties[int(np.argmin(scores))], (name, mode)
    return dict(
        name=name, features=listed(x), target=listed(y[:, 0]), weights=listed(weights), scaled=scaled,
        penalties=list(penalties), leaveOneOut=scores, generalised=generalised, freedom=freedom,
        best=int(np.argmin(scores)), bestGeneralised=int(np.argmin(generalised)))


def uncertainty(name, x, y, weights=None):
    """Leverages, leave-one-out residuals and variances of least squares, from statsmodels."""
    w = np.ones(len(x)) if weights is None else weights
    design = sm.add_constant(x)
    fitted = sm.WLS(y[:, 0], design, weights=w).fit()
    left_out = []
    for i in range(len(x)):
        kept = np.arange(len(x)) != i
        refit = sm.WLS(y[kept, 0], design[kept], weights=w[kept]).fit()
        left_out.append(y[i, 0] - refit.predict(design[i]).item())
    # Influence is that of ordinary least squares on rows times root weights.
    influence = sm.OLS(fitted.model.wendog, fitted.model.wexog).fit().get_influence()
    if weights is None:
        assert np.allclose(influence.resid_press, left_out, rtol=1e-9)
    new = np.round(x[:4] * 1.3 + 0.5, 6)
    predicted = fitted.get_prediction(sm.add_constant(new, has_constant="add"))
    return dict(
        name=name, features=listed(x), target=listed(y[:, 0]), weights=listed(weights),
        leverages=listed(influence.hat_matrix_diag), residuals=listed(fitted.resid), leaveOneOut=left_out,
        residualVariance=fitted.scale, newFeatures=listed(new), predictions=listed(predicted.predicted_mean),
        fittedVariances=listed(predicted.se_mean**2), observationVariances=listed(predicted.se_obs**2))


def weights(n):
    return np.round(random.uniform(0.25, 4, n), 3)


tall, tall_target = rows(30, 5)
several, several_targets = rows(25, 4, targets=3)
wide, wide_targets = rows(9, 14, targets=2)
far, far_target = rows(40, 3, mean=1e6)
twice, twice_target = rows(20, 3)
twice = np.column_stack([twice, twice[:, 0], twice[:, 1] * 2 - 7])
penalties = [0.01, 0.3, 1, 3, 10, 100, 3000]

document = dict(
    madeWith=", ".join(
        [f"Python {platform.python_version()}", f"numpy {np.__version__}", f"scipy {scipy.__version__}",
         f"scikit-learn {sklearn.__version__}", f"statsmodels {statsmodels.__version__}"]),
    fits=[
        fit("scaled columns", tall, tall_target, 2.5),
        fit("columns in their own units", tall, tall_target, 2.5, scaled=False),
        fit("weights", tall, tall_target, 0.7, weights=weights(30)),
        fit("weights, columns in their own units", tall, tall_target, 0.7, weights=weights(30), scaled=False),
        fit("several targets", several, several_targets, 10),
        fit("several targets with weights", several, several_targets, 1, weights=weights(25)),
        fit("more columns than rows", wide, wide_targets, 0.5),
        fit("more columns than rows, with weights", wide, wide_targets, 3, weights=weights(9)),
        fit("a mean far from zero", far, far_target, 1),
        fit("no penalty", tall, tall_target, 0),
        fit("collinear columns without a penalty", twice, twice_target, 0),
        fit("collinear columns with a penalty", twice, twice_target, 1),
        fit("more columns than rows without a penalty", wide, wide_targets, 0),
    ],
    paths=[
        path("scaled columns", tall, tall_target, penalties),
        path("columns in their own units", tall, tall_target, penalties, scaled=False),
        path("weights", tall, tall_target, penalties, weights=weights(30)),
        path("more columns than rows", wide, wide_targets, penalties),
    ],
    uncertainties=[
        uncertainty("ordinary least squares", tall, tall_target),
        uncertainty("weighted least squares", tall, tall_target, weights(30)),
    ])


def written(value, indent):
    """One line per case, so that a change shows which."""
    if isinstance(value, dict) and indent == 0:
        return "{\n" + ",\n".join(f' "{k}": {written(v, 1)}' for k, v in value.items()) + "\n}\n"
    if isinstance(value, list) and indent == 1:
        return "[\n" + ",\n".join("  " + json.dumps(v) for v in value) + "\n ]"
    return json.dumps(value)


(here / "ridge.json").write_text(written(document, 0))
