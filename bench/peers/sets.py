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

# A set takes part at every size that leaves 200 rows or more to test on: three of the first line
# are there at 500 rows, or at 1000, only.
CLASSES = (
    *("a9a", "mushrooms", "phishing", "skin_nonskin", "w8a", "german.numer", "svmguide3", "splice"),
    *("letter", "pendigits", "usps", "shuttle"),
)
NUMBERS = ("cadata", "cpusmall", "kin40k", "protein")
SETS = (*CLASSES, *NUMBERS)
LEAST_TEST, MOST_TEST = 200, 4000


def has(folder: Path, name: str, rows: int) -> bool:
    """Whether a set takes part with this many rows to train on."""
    return bool(manifest(folder)[name].rows >= rows + LEAST_TEST)


def part(folder: Path, name: str, rows: int, number: int) -> Split:
    """Rows to train on, standardised, and at most 4000 others."""
    entry = manifest(folder)[name]
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


def file_of(folder: Path, kept: Path, name: str, rows: int, number: int) -> Path:
    """The same as a file, made once: every way reads one file, whatever its interpreter."""
    path = kept / f"{name}-{rows}-{number}.npz"
    if not path.exists():
        data = part(folder, name, rows, number)
        np.savez(path, X=data.X, y=data.y, X_test=data.X_test, y_test=data.y_test)
    return path
