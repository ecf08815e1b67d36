"""Data sets in svmlight files that a MANIFEST.csv lists, and how an experiment prepares them.

The folder holds ``MANIFEST.csv`` with at least the columns name, n, d, task ("binary", "multiclass"
or "regression") and one ``<name>.svm.gz`` a line, indices from 1. The column classes says how many
there are and how large, ``3: 1=50 2=50 3=50``. ``iris/1/2`` names two classes of a set, 1 against
2.
"""

from __future__ import annotations

import csv
import gzip
import itertools
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.datasets import load_svmlight_file


@dataclass(frozen=True)
class Entry:
    """One line of the manifest."""

    name: str
    rows: int
    columns: int
    task: str
    classes: int = 0
    sizes: tuple[tuple[int, int], ...] = ()  # label and rows of each class, where they are listed

    def pairs(self) -> list[Entry]:
        """The set itself if it has two classes, else each two of its classes."""
        if self.task == "binary":
            return [self]
        return [
            Entry(f"{self.name}/{a}/{b}", m + n, self.columns, "binary", 2)
            for (a, m), (b, n) in itertools.combinations(self.sizes, 2)
        ]


@dataclass(frozen=True)
class Split:
    """One partition, prepared: rows scaled, targets as the learner wants them."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    task: str  # of kernelect: "classification" or "regression"


def manifest(folder: Path) -> dict[str, Entry]:
    with (folder / "MANIFEST.csv").open(newline="") as lines:
        return {line["name"]: _entry(line) for line in csv.DictReader(lines)}


def _entry(line: dict[str, str]) -> Entry:
    # "3: 1=50 2=50 3=50", or a bare number, or nothing for a regression.
    classes, _, listed = (line.get("classes") or "0").partition(":")
    sizes = tuple((int(a), int(n)) for a, n in (item.split("=") for item in listed.split()))
    return Entry(line["name"], int(line["n"]), int(line["d"]), line["task"], int(classes), sizes)


def load(folder: Path, entry: Entry) -> tuple[np.ndarray, np.ndarray]:
    name, *pair = entry.name.split("/")
    with gzip.open(folder / f"{name}.svm.gz") as file:
        X, y = load_svmlight_file(file, n_features=entry.columns, zero_based=False)
    if pair:
        kept = np.isin(y, [float(label) for label in pair])
        X, y = X[kept], np.where(y[kept] == float(pair[0]), 1.0, -1.0)
    return X.toarray(), y


def seed_of(name: str, split: int) -> list[int]:
    """A seed that depends on the set and the split only, so that results can be added to later."""
    return [zlib.crc32(name.encode()), split]


def scale(X: np.ndarray, X_test: np.ndarray, how: str) -> tuple[np.ndarray, np.ndarray]:
    """Scale by what the training part says; a column that is constant there stays in the centre."""
    if how == "none":
        return X, X_test
    if how == "standard":
        centre, width = X.mean(axis=0), X.std(axis=0)
    elif how == "minmax":
        centre, width = X.min(axis=0), np.ptp(X, axis=0)
    else:
        raise ValueError(f"scaling must be standard, minmax or none, not {how!r}")
    constant = width <= 1e-12 * np.maximum(np.abs(X).max(axis=0), 1.0)
    width = np.where(constant, 1.0, width)
    centre = np.where(constant, X[0], centre)
    return (X - centre) / width, (X_test - centre) / width


def partition(
    y: np.ndarray, classes: bool, share: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Plain random rows for training, drawn again until each class has two of them.

    Two, because five-fold cross-validation must be able to hold one out. A class of a single row
    cannot meet that and only has to be in the training part.
    """
    count = round(share * len(y))
    labels, sizes = np.unique(y, return_counts=True) if classes else (np.zeros(0), np.zeros(0))
    for _ in range(1000):
        order = rng.permutation(len(y))
        train = order[:count]
        if all((y[train] == k).sum() >= min(2, s) for k, s in zip(labels, sizes, strict=True)):
            return train, order[count:]
    raise ValueError("no random split leaves two rows of each class to train on")


def split(
    folder: Path,
    entry: Entry,
    number: int,
    *,
    share: float = 0.7,
    scaling: str = "standard",
    most: int | None = None,
    trained: int | None = None,
) -> Split:
    """Draw partition `number` of a set; sets of more than `most` rows are sampled first.

    Of `trained` rows at most are trained on; what is left is tested on, however much it is.
    """
    X, y = load(folder, entry)
    rng = np.random.default_rng(seed_of(entry.name, number))
    classes = entry.task != "regression"
    if most is not None and len(y) > most:
        chosen = rng.permutation(len(y))[:most]
        X, y = X[chosen], y[chosen]
    if classes:
        # A class of one row can be neither held out nor learned.
        _, places, sizes = np.unique(y, return_inverse=True, return_counts=True)
        kept = sizes[places] >= 3
        X, y = X[kept], y[kept]
    if trained is not None:
        share = min(share, trained / len(y))
    train, test = partition(y, classes, share, rng)
    X_train, X_test = scale(X[train], X[test], scaling)
    y_train, y_test = y[train], y[test]
    if not classes:
        centre, width = y_train.mean(), y_train.std()
        y_train, y_test = (y_train - centre) / width, (y_test - centre) / width
    return Split(
        np.ascontiguousarray(X_train),
        y_train,
        np.ascontiguousarray(X_test),
        y_test,
        "classification" if classes else "regression",
    )
