"""Numbers that the insights are held to, from SciPy and NumPy. Writes insights.json beside this file.

Usage: python3 make.py
"""

import json
import pathlib

import numpy as np
import scipy
from scipy import stats


def tails():
    rows = []
    for df in (1, 2.5, 7, 29, 76, 340, 5000.5):
        for t in (0.01, 0.3, 1.0, 2.2, 4.5, 9.0, 30.0):
            rows.append({"df": df, "t": t, "tail": 2 * stats.t.sf(t, df)})
    return rows


def case():
    """A person's outcome and factor on some days of a stretch, with noise that hangs together and a weekly pattern."""
    rng = np.random.default_rng(11)
    first, count = 20_003, 150
    days = np.sort(rng.choice(count, size=118, replace=False))
    noise = np.zeros(count)
    for day in range(1, count):
        noise[day] = 0.45 * noise[day - 1] + rng.standard_normal()
    factor = rng.standard_normal(count).round(3)
    outcome = (0.3 * factor + noise + 0.2 * ((first + np.arange(count)) % 7)).round(3)
    return first, days, factor[days], outcome[days]


def level(days):
    span = days[-1] - days[0] + 1
    waves = range(1, 2 * span // 84 + 1)
    return [np.ones(len(days))] + [np.cos(np.pi * w / span * (days - days[0] + 0.5)) for w in waves]


def covariance(first, days, phi, spread):
    """Of the noise and of the weekdays' random effects."""
    weekday = (first + days + 3) % 7
    return phi ** np.abs(days[:, None] - days[None, :]).astype(float) + spread**2 * (
        weekday[:, None] == weekday[None, :]
    )


def regression():
    """Generalised least squares with the whole covariance matrix, as it is written down in textbooks."""
    first, days, x, y = case()
    phi, spread = 0.45, 0.6
    design = np.column_stack(level(days) + [x])
    inverse = np.linalg.inv(covariance(first, days, phi, spread))
    gram = np.linalg.inv(design.T @ inverse @ design)
    beta = gram @ design.T @ inverse @ y
    rest = y - design @ beta
    return {
        "firstDay": first,
        "days": days.tolist(),
        "factor": x.tolist(),
        "outcome": y.tolist(),
        "autocorrelation": phi,
        "weekdaySpread": spread,
        "slope": beta[-1],
        "variance": gram[-1, -1],
        "rest": rest @ inverse @ rest,
    }


def likeliest():
    """The noise of greatest restricted likelihood, by dense algebra on a grid."""
    first, days, _, y = case()
    design = np.column_stack(level(days))
    best = (-np.inf, 0.0, 0.0)
    for phi in np.arange(-0.4, 0.96, 0.005):
        for spread in (0.0, 0.1, 0.2, 0.3, 0.6, 1.2, 2.4, 10.0):
            whole = covariance(first, days, phi, spread)
            inverse = np.linalg.inv(whole)
            gram = design.T @ inverse @ design
            rest = y - design @ np.linalg.solve(gram, design.T @ inverse @ y)
            height = -0.5 * (
                np.linalg.slogdet(whole)[1]
                + np.linalg.slogdet(gram)[1]
                + (len(y) - design.shape[1]) * np.log(rest @ inverse @ rest)
            )
            best = max(best, (height, phi, spread))
    return {"autocorrelation": best[1], "weekdaySpread": best[2]}


def scores():
    values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0]
    ranks = stats.rankdata(values)
    return {"values": values, "scores": stats.norm.ppf((ranks - 0.375) / (len(values) + 0.25)).tolist()}


# The fifteen tests of Benjamini and Hochberg (1995), section 3.2; `stats.false_discovery_control` adjusts them.
PAPER = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
    0.7590, 1.0,
]

document = {
    "madeWith": f"SciPy {scipy.__version__}, NumPy {np.__version__}",
    "tails": tails(),
    "regression": regression(),
    "likeliest": likeliest(),
    "normalScores": scores(),
    "discoveries": {"p": PAPER, "adjusted": stats.false_discovery_control(PAPER).tolist()},
}
path = pathlib.Path(__file__).parent / "insights.json"
path.write_text(json.dumps(document, indent=1) + "\n")
