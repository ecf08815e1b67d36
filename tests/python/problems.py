"""Random data sets for the tests, each fixed by its arguments."""

from __future__ import annotations

import numpy as np

TASKS = ("binary", "multiclass", "regression")
CLASS_EDGES = [-0.5, 0.5]  # of `uneven_columns`


def labels(*sizes):
    """Class 0 as many times as the first size says, class 1 as the second, and so on."""
    return np.repeat(np.arange(len(sizes)), sizes)


def problem(task, n=60, d=4, seed=0, balanced=False):
    """Rows and target: classes that overlap, of unequal sizes unless `balanced`, in mixed order."""
    rng = np.random.default_rng([TASKS.index(task), n, d, seed])
    x = rng.normal(size=(n, d)) + 0.4
    if task == "regression":
        return x, np.sin(x[:, 0]) + 0.5 * x[:, -1] + 0.2 * rng.normal(size=n) + 1.0
    classes = 2 if task == "binary" else 4
    shares = np.ones(classes) if balanced else np.arange(1, classes + 1)
    edges = np.round(n * np.cumsum(shares) / shares.sum())
    y = rng.permutation(np.searchsorted(edges, np.arange(n), side="right"))
    x[:, 0] += 0.8 * y
    x[:, -1] += 0.5 * (y == 1)
    return x, y


def api_task(task):
    return "regression" if task == "regression" else "classification"


def uneven_columns(n=160, new=400):
    """Rows of which one column counts much, one a little and two nothing, and new ones like them.

    Returned are the rows, numbers with noise, classes, the new rows and their numbers without.
    """

    def smooth(rows):
        return np.sin(2 * rows[:, 0]) + 0.3 * rows[:, 1]

    rng = np.random.default_rng(2)
    x = rng.normal(size=(n, 4))
    numbers = smooth(x) + 0.1 * rng.normal(size=n)
    unseen = np.random.default_rng(3).normal(size=(new, 4))
    return x, numbers, np.digitize(smooth(x), CLASS_EDGES), unseen, smooth(unseen)
