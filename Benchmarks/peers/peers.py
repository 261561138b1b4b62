"""The workloads of `swift run bench` in the libraries that people use for them today.

Reads a folder that the benchmark wrote (manifest.json and matrices as little-endian doubles, column after
column), times every rival in its best documented configuration, and prints one JSON object: how long each took
and what it found, so that the benchmark can check that all solved the same problem.

    peers.py FOLDER --threads 1
"""

import argparse
import importlib
import json
import os
import resource
import subprocess
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("folder")
parser.add_argument("--threads", type=int, default=1)
arguments = parser.parse_args()

# Read by the libraries when they are loaded; the rest of the environment stays as it came.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ[name] = str(arguments.threads)

imports, missing, results = {}, [], []


def load(name):
    """The module, with the time its first import takes noted; None where it is not installed."""
    start = time.perf_counter()
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        missing.append(f"{name} ({error})")
        return None
    imports.setdefault(name, time.perf_counter() - start)
    return module


np = load("numpy")
if np is None:
    print(json.dumps({"imports": imports, "missing": missing, "results": []}))
    sys.exit(0)

with open(os.path.join(arguments.folder, "manifest.json")) as file:
    manifest = json.load(file)


def doubles(name, *shape):
    values = np.fromfile(os.path.join(arguments.folder, name), dtype="<f8")
    return values.reshape(shape, order="F")


def quantile(samples, share):
    return float(np.quantile(np.array(samples), share))


def is_measured(workload, shape):
    return f"{workload} {shape}" in manifest["measured"]


def measure(
        workload, shape, rival, work, *, seconds=1.0, least=3, per=1, found=None, within=1e-8, note=None):
    """Times `work` until `seconds` are over; `found` turns what it returned into numbers to compare.

    The first time warms up and does not count, except for work that takes longer than all the others may:
    that is done once. What the benchmark has not measured itself is left out. `within` is how far from ours the
    numbers may be, relative to their largest.
    """
    if not is_measured(workload, shape):
        return
    wall, cpu = [], []

    def sample():
        cpu_before, before = time.process_time(), time.perf_counter()
        outcome = work()
        wall.append((time.perf_counter() - before) / per)
        cpu.append((time.process_time() - cpu_before) / per)
        return outcome

    start = time.perf_counter()
    try:
        outcome = sample()
    except Exception as error:  # A rival that fails is reported, not hidden.
        missing.append(f"{rival}, {workload} {shape} ({type(error).__name__}: {error})")
        return
    if time.perf_counter() - start < 4 * seconds:
        wall.clear()
        cpu.clear()
        start = time.perf_counter()
        while len(wall) < least or time.perf_counter() - start < seconds:
            outcome = sample()
            if time.perf_counter() - start > 8 * seconds:
                break
    results.append({
        "workload": workload, "shape": shape, "rival": rival, "threads": arguments.threads,
        "median_us": 1e6 * quantile(wall, 0.5), "min_us": 1e6 * min(wall),
        "cpu_us": 1e6 * quantile(cpu, 0.5), "samples": len(wall), "note": note,
        "found": None if found is None else [float(v) for v in found(outcome)], "within": within,
    })


class Data:
    """One shape as numpy sees it best: rows contiguous for libraries that want them so."""

    def __init__(self, entry):
        self.name, n, p = entry["name"], entry["rows"], entry["columns"]
        later = entry["later"]
        self.x = doubles(f"{self.name}.x", n, p)
        self.rows = np.ascontiguousarray(self.x)
        self.y = doubles(f"{self.name}.y", n)
        self.labels = doubles(f"{self.name}.labels", n)
        self.later = np.ascontiguousarray(doubles(f"{self.name}.later", p, later).T)
        self.later_y = doubles(f"{self.name}.later-y", later)
        self.later_labels = doubles(f"{self.name}.later-labels", later)
        self.folds = np.array(entry["folds"])


def coefficients(model):
    return list(np.ravel(model.coef_)) + list(np.ravel(model.intercept_))


def refit(data, linear, workload, rows, target):
    """One fit of the rows that an edit leaves behind: what it costs where nothing can be updated."""
    measure(
        workload, data.name, "scikit-learn Ridge, refit",
        lambda: linear.Ridge(alpha=manifest["lambda"], solver="cholesky").fit(rows, target),
        found=coefficients)


def ridge(data, linear):
    penalty = manifest["lambda"]
    is_large = data.name == "L"
    for solver in ("cholesky",) if is_large else ("cholesky", "svd", "lsqr"):
        options = {"tol": 1e-12} if solver == "lsqr" else {}
        measure(
            "W1", data.name, f"scikit-learn Ridge({solver})",
            lambda: linear.Ridge(alpha=penalty, solver=solver, **options).fit(data.x, data.y),
            found=coefficients)
    alphas = np.array(manifest["path"])
    # A minute, and at the large size several: once, and only where everything is asked for.
    modes = ("svd", "eigen")
    if is_large and not manifest["everything"]:
        modes = ("svd",) if arguments.threads == 1 else ()
    for mode in modes:
        measure(
            "W2", data.name, f"scikit-learn RidgeCV({mode})",
            lambda: linear.RidgeCV(alphas=alphas, gcv_mode=mode).fit(data.x, data.y),
            found=lambda model: [model.alpha_] + coefficients(model), least=2)
    refit(
        data, linear, "W3", np.vstack([data.rows, data.later[:1]]), np.append(data.y, data.later_y[0]))
    refit(data, linear, "W4 remove", data.x[1:], data.y[1:])
    refit(
        data, linear, "W4 change", np.vstack([data.rows[1:], data.later[:1]]),
        np.append(data.y[1:], data.later_y[0]))
    measure(
        "W9", data.name, "scikit-learn Ridge, refitted daily", lambda: rolling(data, linear), least=1,
        found=lambda forecasts: forecasts)


def rolling(data, linear):
    """The last 1,000 days, or half of them, each forecast by a fit on the days before it.

    Scales are those of the days before each stretch of 28.
    """
    forecasts = []
    first = len(data.y) - min(1000, len(data.y) // 2)
    for day in range(first, len(data.y)):
        if (day - first) % 28 == 0:
            columns = data.x / data.x[:day].std(axis=0)
        model = linear.Ridge(alpha=manifest["lambda"], solver="cholesky")
        forecasts.append(model.fit(columns[:day], data.y[:day]).predict(columns[day:day + 1])[0])
    return forecasts


def streaming(data):
    river_linear = load("river.linear_model")
    if river_linear is not None and is_measured("W3", data.name):
        names = [f"x{j}" for j in range(data.x.shape[1])]
        model = river_linear.BayesianLinearRegression(alpha=manifest["lambda"], beta=1)
        for i in range(min(len(data.y), 400)):
            model.learn_one(dict(zip(names, data.rows[i])), float(data.y[i]))
        rows = [dict(zip(names, row)) for row in data.later[:200]]
        targets = [float(value) for value in data.later_y[:200]]

        def learn():
            for row, target in zip(rows, targets):
                model.learn_one(row, target)

        measure(
            "W3", data.name, "river BayesianLinearRegression", learn, per=len(rows),
            note="penalises the intercept; cannot remove a row")
    statsmodels = load("statsmodels.regression.rolling")
    if statsmodels is not None and data.name != "L":
        steps = 20
        window = min(len(data.y) - steps, 2 * data.x.shape[1] + 20)
        rows, targets = data.rows[:window + steps], data.y[:window + steps]
        measure(
            "W4 remove", data.name, "statsmodels RollingOLS, a step",
            lambda: statsmodels.RollingOLS(targets, rows, window=window).fit(params_only=True),
            per=steps, note="no penalty, a window only")


def logistic(data, linear):
    if data.name == "L":
        return
    penalty = manifest["lambda"]
    labels = data.labels
    # All stop at a gradient of 1e-8; how far that is from the minimum depends on the way there.
    for solver, within in (("newton-cholesky", 1e-6), ("lbfgs", 1e-4)):
        measure(
            "W5", data.name, f"scikit-learn {solver}",
            lambda: linear.LogisticRegression(
                C=1 / penalty, solver=solver, tol=1e-8, max_iter=10000).fit(data.x, labels),
            found=coefficients, within=within, least=2)
    glum = load("glum")
    if glum is not None:
        measure(
            "W5", data.name, "glum GeneralizedLinearRegressor",
            lambda: glum.GeneralizedLinearRegressor(
                family="binomial", l1_ratio=0, alpha=penalty / len(labels), gradient_tol=1e-8,
                max_iter=100).fit(data.x, labels),
            found=coefficients, within=1e-6, least=2)
    warm_append(data, linear)
    folds = [(np.flatnonzero(data.folds != k), np.flatnonzero(data.folds == k))
             for k in range(data.folds.max() + 1)]
    inverse = 1 / np.array(manifest["logistic_path"])
    measure(
        "W6", data.name, "scikit-learn LogisticRegressionCV",
        lambda: linear.LogisticRegressionCV(
            Cs=inverse, cv=folds, solver="newton-cholesky", tol=1e-6, max_iter=1000,
            scoring="neg_log_loss", use_legacy_attributes=True).fit(data.x, labels),
        found=lambda model: -np.mean(next(iter(model.scores_.values())), axis=0), within=1e-4, least=1)


def warm_append(data, linear):
    if not is_measured("W7", data.name):
        return
    warm = linear.LogisticRegression(
        C=1 / manifest["lambda"], solver="newton-cholesky", tol=1e-8, warm_start=True)
    everything = np.vstack([data.rows, data.later[:1]])
    all_labels = np.append(data.labels, data.later_labels[0])
    warm.fit(data.rows, data.labels)
    start, intercept = warm.coef_.copy(), warm.intercept_.copy()

    def append():
        warm.coef_, warm.intercept_ = start.copy(), intercept.copy()
        return warm.fit(everything, all_labels)

    measure(
        "W7", data.name, "scikit-learn newton-cholesky, warm", append, found=coefficients, within=1e-6)


def day_features():
    entry = manifest["features"]
    days, metrics = entry["days"], entry["metrics"]
    table = doubles("features.values", days, metrics)
    names = [f"m{j}" for j in range(metrics)]
    pandas = load("pandas")
    if pandas is not None:
        import features

        frame = pandas.DataFrame(table, columns=names)
        weekdays = np.arange(days) % 7
        measure(
            "W8", "M", "pandas", lambda: features.columns(frame, weekdays),
            found=lambda made: [made.shape[1]] + list(np.nansum(made.to_numpy(), axis=0)))
    polars = load("polars")
    if polars is not None:
        frame = polars.DataFrame({name: table[:, j] for j, name in enumerate(names)}).with_columns(
            polars.all().fill_nan(None))
        column = polars.col

        def expressions():
            for name in names:
                x = column(name)
                past = x.shift(1)
                for lag in range(1, 8):
                    yield x.shift(lag).alias(f"{name} lag {lag}")
                for window in (7, 14, 28):
                    options = {"window_size": window, "min_samples": 1}
                    yield past.rolling_mean(**options).alias(f"{name} mean {window}")
                    yield past.rolling_std(window_size=window, min_samples=2).alias(
                        f"{name} sd {window}")
                    yield past.rolling_min(**options).alias(f"{name} min {window}")
                    yield past.rolling_max(**options).alias(f"{name} max {window}")
                for half_life in (7, 28):
                    yield past.ewm_mean(half_life=half_life, ignore_nulls=False).forward_fill().alias(
                        f"{name} ewm {half_life}")
                yield ((x - past.rolling_mean(window_size=28, min_samples=1))
                       / past.rolling_std(window_size=28, min_samples=2)).alias(f"{name} z")
                yield x.diff().alias(f"{name} diff")
            for k in range(7):
                yield (polars.int_range(days) % 7 == k).cast(polars.Float64).alias(f"weekday {k}")

        wanted = list(expressions())
        measure("W8", "M", "polars", lambda: frame.lazy().select(wanted).collect(), found=lambda made:
                [made.shape[1]] + list(np.nansum(made.to_numpy(), axis=0)))


def exports():
    entry = manifest.get("export")
    if entry is None:
        return
    path, shape = entry["path"], entry["shape"]

    def total(attributes):
        try:
            return float(attributes.get("value", ""))
        except ValueError:
            return 0.0

    def tree(module):
        days, records = {}, 0
        for _, element in module.iterparse(path, events=("end",)):
            if element.tag == "Record":
                key = (element.get("type"), element.get("startDate")[:10])
                days[key] = days.get(key, 0) + total(element.attrib)
                records += 1
            if element.tag in ("Record", "HealthData"):
                element.clear()
                if hasattr(element, "getprevious"):
                    while element.getprevious() is not None:
                        del element.getparent()[0]
        return [records, sum(days.values())]

    once = {"least": 1, "seconds": 0.1}
    measure("W10 sums", shape, "xml.etree.ElementTree", lambda: tree(
        importlib.import_module("xml.etree.ElementTree")), found=lambda found: found, **once)
    lxml = load("lxml.etree")
    if lxml is not None:
        measure("W10 sums", shape, "lxml", lambda: tree(lxml), found=lambda found: found, **once)
    tool = os.path.join(os.path.dirname(sys.executable), "healthkit-to-sqlite")
    if not os.path.exists(tool):
        missing.append("healthkit-to-sqlite (not beside this Python)")
        return
    database = os.path.join(arguments.folder, "healthkit.db")

    def convert():
        if os.path.exists(database):
            os.remove(database)
        subprocess.run([tool, path, database, "--xml", "-s"], check=True, capture_output=True)

    def children():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    before, cpu_before = time.perf_counter(), children()
    try:
        convert()
    except subprocess.CalledProcessError as error:
        missing.append(f"healthkit-to-sqlite ({error.stderr.decode().strip().splitlines()[-1:]})")
        return
    taken = time.perf_counter() - before
    results.append({
        "workload": "W10", "shape": shape, "rival": "healthkit-to-sqlite", "threads": arguments.threads,
        "median_us": 1e6 * taken, "min_us": 1e6 * taken, "cpu_us": 1e6 * (children() - cpu_before),
        "samples": 1, "note": "a process of its own, start included", "found": None, "within": None})


linear_model = load("sklearn.linear_model")
if linear_model is not None:
    import warnings

    warnings.simplefilter("ignore")
wanted = manifest["workloads"]
for shape in manifest["shapes"]:
    data = Data(shape)
    if linear_model is not None and "core" in wanted:
        ridge(data, linear_model)
        logistic(data, linear_model)
    if "core" in wanted:
        streaming(data)
if "features" in wanted:
    day_features()
if "import" in wanted and arguments.threads == 1:
    exports()
print(json.dumps({"imports": imports, "missing": missing, "results": results}))
