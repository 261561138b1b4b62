"""Writes decompositions.json: eigenvalues and singular values by scipy, for GoldenDecompositionTests.

    python3 -m venv venv && venv/bin/pip install scipy mpmath && venv/bin/python make.py

scipy's values must agree with those that mpmath finds with 50 digits, to a few roundings of the largest;
the latter are written, rounded to a double.
"""

import json
import pathlib
import platform

import mpmath as mp
import numpy as np
import scipy
import scipy.linalg

mp.mp.dps = 50
here = pathlib.Path(__file__).parent
random = np.random.default_rng(7)


def checked(found, exact, size):
    found, exact = np.sort(np.asarray(found)), sorted(exact)
    assert len(found) == len(exact)
    for a, b in zip(found, exact):
        assert abs(mp.mpf(float(a)) - b) <= 64 * 2.3e-16 * max(size, 1e-300), (a, b)
    return [float(value) for value in exact]


def symmetric(name, matrix):
    a = np.asarray(matrix, dtype=float)
    exact = list(mp.eigsy(mp.matrix(a.tolist()), eigvals_only=True))
    values = checked(scipy.linalg.eigh(a, eigvals_only=True), exact, np.abs(a).max() * len(a))
    return dict(name=name, rows=a.tolist(), values=values)


def rectangular(name, matrix, rank):
    a = np.asarray(matrix, dtype=float)
    wide = a if a.shape[0] >= a.shape[1] else a.T
    exact = list(mp.svd_r(mp.matrix(wide.tolist()), compute_uv=False))
    values = checked(scipy.linalg.svdvals(a), exact, np.abs(a).max() * max(a.shape))
    assert np.linalg.matrix_rank(a) == rank, name
    return dict(name=name, rows=a.tolist(), values=values[::-1], rank=rank)


def whole(n, p):
    return random.integers(-9, 10, (n, p))


square = whole(7, 7)
tall = whole(12, 4)
document = dict(
    madeWith=f"Python {platform.python_version()}, scipy {scipy.__version__}, mpmath {mp.__version__}",
    symmetric=[
        symmetric("one entry", [[-3.5]]),
        symmetric("a diagonal", np.diag([4.0, -1, 0, 4])),
        symmetric("whole numbers", square + square.T),
        symmetric("Hilbert's matrix of order 8", scipy.linalg.hilbert(8)),
        symmetric("an eigenvalue many times", np.full((6, 6), 2.0) + 3 * np.eye(6)),
        symmetric("a product of rank 4", tall @ tall.T),
        symmetric("entries of 1e150", (square + square.T) * 1e150),
    ],
    rectangular=[
        rectangular("one entry", [[-3.5]], 1),
        rectangular("tall", tall, 4),
        rectangular("wide", whole(3, 9), 3),
        rectangular("rank 2 of 5", whole(8, 2) @ whole(2, 5), 2),
        rectangular("nothing but zeros", np.zeros((4, 3)), 0),
        rectangular("Hilbert's matrix, 10 x 6", scipy.linalg.hilbert(10)[:, :6], 6),
    ])

lines = {key: ",\n".join("  " + json.dumps(v) for v in document[key]) for key in ("symmetric", "rectangular")}
(here / "decompositions.json").write_text(
    '{\n "madeWith": %s,\n "symmetric": [\n%s\n ],\n "rectangular": [\n%s\n ]\n}\n'
    % (json.dumps(document["madeWith"]), lines["symmetric"], lines["rectangular"]))
