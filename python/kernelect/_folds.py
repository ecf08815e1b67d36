"""Folds of a cross-validation: from a number, a scikit-learn splitter or given splits."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold, StratifiedKFold

from ._target import Target

Fold = NDArray[np.int64]


def make_fold_sets(
    folds: Any,
    target: Target,
    *,
    random_state: Any = 0,
    groups: Any = None,
    stratified: bool = True,
    shuffled: bool = True,
) -> list[list[Fold]]:
    """Test parts, gathered into sets of disjoint folds: one set, or one per repetition."""
    n = target.size
    if isinstance(folds, (int, np.integer)) and not isinstance(folds, bool):
        splits = _numbered(int(folds), target, random_state, stratified, shuffled)
    elif hasattr(folds, "split") and not isinstance(folds, (str, bytes)):
        try:
            splits = list(folds.split(np.zeros((n, 1)), _labels(target), groups))
        except (ValueError, TypeError) as error:
            raise ValueError(f"folds: {' '.join(str(error).split())}") from None
    elif isinstance(folds, Iterable) and not isinstance(folds, (str, bytes)):
        splits = list(folds)
    else:
        raise TypeError(
            "folds must be a number, a scikit-learn splitter or (train, test) pairs of indices, "
            f"not {folds!r}"
        )
    if not splits:
        raise ValueError("folds is empty; give at least one (train, test) pair")
    tests = [_test_part(k, split, target) for k, split in enumerate(splits)]
    sets: list[list[Fold]] = []
    taken: list[NDArray[np.bool_]] = []
    for test in tests:
        place = next((s for s, mask in enumerate(taken) if not mask[test].any()), len(sets))
        if place == len(sets):
            sets.append([])
            taken.append(np.zeros(n, dtype=bool))
        sets[place].append(test)
        taken[place][test] = True
    return sets


def _labels(target: Target) -> NDArray[Any]:
    return target.codes if target.task == "classification" else target.values[0]


def _numbered(
    k: int, target: Target, random_state: Any, stratified: bool, shuffled: bool
) -> list[Any]:
    if k < 2:
        raise ValueError(f"folds must be at least 2, not {k}")
    if k > target.size:
        raise ValueError(
            f"folds = {k} is more than the {target.size} rows; use fewer, or criterion 'loo'"
        )
    seed = random_state if shuffled else None
    if target.task == "classification" and stratified:
        smallest = int(np.bincount(target.codes).min())
        if smallest < 2:
            label = target.classes.tolist()[int(np.bincount(target.codes).argmin())]
            raise ValueError(
                f"class {label!r} has a single member, so the fold that holds it out trains without "
                "it; drop that class, give splits of your own, or use criterion 'loo'"
            )
        splitter: Any = StratifiedKFold(k, shuffle=shuffled, random_state=seed)
    else:
        splitter = KFold(k, shuffle=shuffled, random_state=seed)
    with warnings.catch_warnings():
        # A class with fewer members than folds is missing from some test parts: harmless here.
        warnings.simplefilter("ignore", UserWarning)
        return list(splitter.split(np.zeros((target.size, 1)), _labels(target)))


def _test_part(number: int, split: Any, target: Target) -> Fold:
    try:
        train, test = split
    except (TypeError, ValueError):
        raise ValueError(f"folds: split {number} is not a pair of train and test indices") from None
    n = target.size
    test = _indices(test, n, number)
    train = _indices(train, n, number)
    if len(test) == 0 or len(train) == 0:
        raise ValueError(f"folds: split {number} has an empty part")
    if len(train) + len(test) != n or len(np.intersect1d(train, test)):
        raise ValueError(
            f"folds: the training part of split {number} is not everything outside its test part, "
            "which exact cross-validation without retraining needs"
        )
    if target.task == "classification":
        missing = np.setdiff1d(target.codes, target.codes[train])
        if len(missing):
            raise ValueError(
                f"folds: split {number} leaves no row of class {target.classes.tolist()[missing[0]]!r} to "
                "train on; use fewer or stratified folds"
            )
    return test


def _indices(part: Any, n: int, number: int) -> Fold:
    array = np.asarray(part)
    if array.dtype == bool and array.shape == (n,):
        array = np.flatnonzero(array)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ValueError(f"folds: split {number} must hold row numbers")
    if len(array) and (array.min() < 0 or array.max() >= n):
        raise ValueError(f"folds: split {number} names rows outside 0..{n - 1}")
    return np.unique(array).astype(np.int64)
