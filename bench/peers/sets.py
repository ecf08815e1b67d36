"""The sixteen sets of the comparison, and their rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..papers.tools.data import (  # type: ignore[import-not-found]
    Split,
    load,
    manifest,
    scale,
    seed_of,
)

# Two classes, several classes, numbers: all that have rows left to test on at every size.
SETS = (
    *("a9a", "mushrooms", "phishing", "skin_nonskin", "w8a", "german.numer", "svmguide3", "splice"),
    *("letter", "pendigits", "usps", "shuttle"),
    *("cadata", "cpusmall", "kin40k", "protein"),
)
MOST_TEST = 4000


def part(folder: Path, name: str, rows: int, number: int) -> Split | None:
    """Rows to train on, standardised, and at most 4000 others; None where there are too few."""
    entry = manifest(folder)[name]
    if entry.rows < rows + 200:
        return None
    X, y = load(folder, entry)
    rng = np.random.default_rng(seed_of(name, number))
    order = rng.permutation(len(y))
    train, test = order[:rows], order[rows : rows + MOST_TEST]
    if entry.task != "regression":
        labels, sizes = np.unique(y[train], return_counts=True)
        kept = labels[sizes >= 5]  # five folds of the rivals want five rows of each class
        train, test = (rows[np.isin(y[rows], kept)] for rows in (train, test))
    X_train, X_test = scale(X[train], X[test], "standard")
    y_train, y_test = y[train], y[test]
    if entry.task == "regression":
        centre, width = y_train.mean(), y_train.std()
        y_train, y_test = (y_train - centre) / width, (y_test - centre) / width
        return Split(X_train, y_train, X_test, y_test, "regression")
    return Split(X_train, y_train, X_test, y_test, "classification")
