"""Folds of a cross-validation: from a number, a scikit-learn splitter or given splits."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold, StratifiedKFold

from .._support.arguments import is_whole, shown
from .target import Target

Fold = NDArray[np.int64]


class FoldSet(list[Fold]):
    """Disjoint folds, each everything that one model is not trained on.

    Where a split trains on less than all rows outside its test part, as those of a time series do,
    the model is that of a larger fold: `tested` then says which held-out rows count, and is None
    where all do.
    """

    def __init__(self) -> None:
        super().__init__()
        self.tested: NDArray[np.bool_] | None = None

    def clear_others(self, part: Any) -> None:
        """Take rows that are held out but not tested out of a result of the core."""
        if self.tested is None:
            return
        for name in ("squared", "zero_one"):  # sums over all held-out rows
            part.pop(name, None)
        for name in ("point_squared", "point_zero_one"):
            if name in part:
                part[name][..., ~self.tested] = np.nan
        if "outputs" in part:
            part["outputs"][..., ~self.tested, :] = np.nan


def make_fold_sets(
    folds: Any,
    target: Target,
    *,
    random_state: Any = 0,
    groups: Any = None,
    stratified: bool = True,
    shuffled: bool = True,
    partial: bool = False,
) -> list[FoldSet]:
    """Folds gathered into sets of disjoint ones: one set, or one per repetition.

    Splits that train on less than all rows outside their test part are refused unless `partial`.
    """
    n = target.size
    if is_whole(folds):
        if groups is not None:
            raise ValueError(
                f"folds={folds} does not heed groups; give a splitter that does, for example "
                f"GroupKFold({folds})"
            )
        splits = _numbered(int(folds), target, random_state, stratified, shuffled)
    elif hasattr(folds, "split") and not isinstance(folds, (str, bytes, type)):
        try:
            splits = list(folds.split(np.zeros((n, 1)), _labels(target), groups))
        except (ValueError, TypeError) as error:
            raise ValueError(f"folds: {' '.join(str(error).split())}") from None
    elif isinstance(folds, Iterable) and not isinstance(folds, (str, bytes, type)):
        splits = list(folds)
    else:
        raise TypeError(
            "folds must be a number, a scikit-learn splitter or (train, test) pairs of indices, "
            f"not {shown(folds)}"
        )
    if not splits:
        raise ValueError("folds is empty; give at least one (train, test) pair")
    sets: list[FoldSet] = []
    taken: list[NDArray[np.bool_]] = []
    tested: list[NDArray[np.bool_]] = []
    for number, split in enumerate(splits):
        train, test = _parts(number, split, target)
        held_out = np.setdiff1d(np.arange(n), train)
        if len(held_out) > len(test) and not partial:
            raise ValueError(
                f"folds: the training part of split {number} must be everything outside its test "
                "part"
            )
        place = next((s for s, mask in enumerate(taken) if not mask[held_out].any()), len(sets))
        if place == len(sets):
            sets.append(FoldSet())
            taken.append(np.zeros(n, dtype=bool))
            tested.append(np.zeros(n, dtype=bool))
        sets[place].append(held_out)
        taken[place][held_out] = True
        tested[place][test] = True
    for place, fold_set in enumerate(sets):
        if (tested[place] != taken[place]).any():
            fold_set.tested = tested[place]
    return sets


class Splits:
    """How the rows of one call are held out, and the folds made so far.

    Every candidate is judged on the same folds, also by a splitter that draws new ones each time or
    splits that can be read only once.

    Parameters
    ----------
    folds : int, splitter or iterable of (train, test) pairs, default=5
        For criteria that bring none of their own.
    groups : array-like, optional
        Passed to a splitter.
    random_state : int, default=0
        Seed of the shuffling.
    """

    def __init__(self, folds: Any = 5, groups: Any = None, random_state: Any = 0) -> None:
        self._folds, self._groups, self._random_state = folds, groups, random_state
        self._made: list[tuple[Any, Target, tuple[bool, ...], list[FoldSet]]] = []

    def sets(
        self, target: Target, folds: Any = None, *, stratified: bool = True, shuffled: bool = True
    ) -> list[FoldSet]:
        """Folds of the call, or given ones; the same list for the same ones."""
        folds = self._folds if folds is None else folds
        number = is_whole(folds)
        rule = (stratified, shuffled) if number else ()  # a splitter has its own
        for known, known_target, known_rule, sets in self._made:
            same = known is folds or (number and known == folds)
            if same and known_target is target and known_rule == rule:
                return sets
        sets = make_fold_sets(
            folds,
            target,
            random_state=self._random_state,
            groups=self._groups,
            stratified=stratified,
            shuffled=shuffled,
            partial=True,
        )
        self._made.append((folds, target, rule, sets))
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
        sizes = np.bincount(target.codes)
        if sizes.min() < 2:
            label = target.classes.tolist()[int(sizes.argmin())]
            raise ValueError(
                f"class {label!r} has a single member, so the fold that holds it out trains "
                "without it; drop that class, give splits of your own, or use criterion 'loo'"
            )
        if k > sizes.max():
            raise ValueError(
                f"folds = {k} is more than the {sizes.max()} members of the largest class; "
                "use fewer, or criterion 'loo'"
            )
        splitter: Any = StratifiedKFold(k, shuffle=shuffled, random_state=seed)
    else:
        splitter = KFold(k, shuffle=shuffled, random_state=seed)
    with warnings.catch_warnings():
        # A class with fewer members than folds is missing from some test parts: harmless here.
        warnings.simplefilter("ignore", UserWarning)
        return list(splitter.split(np.zeros((target.size, 1)), _labels(target)))


def _parts(number: int, split: Any, target: Target) -> tuple[Fold, Fold]:
    """Return the training and the test part of one split, checked."""
    try:
        train, test = split
    except (TypeError, ValueError):
        raise ValueError(f"folds: split {number} is not a pair of train and test indices") from None
    n = target.size
    test = _indices(test, n, number, "test")
    train = _indices(train, n, number, "training")
    if len(test) == 0 or len(train) == 0:
        raise ValueError(f"folds: split {number} has an empty part")
    both = np.intersect1d(train, test)
    if len(both):
        raise ValueError(
            f"folds: row {both[0]} is in the training and in the test part of split {number}"
        )
    if target.task == "classification":
        missing = np.setdiff1d(target.codes, target.codes[train])
        if len(missing):
            raise ValueError(
                f"folds: split {number} leaves no row of class "
                f"{target.classes.tolist()[missing[0]]!r} to train on; use fewer or stratified "
                "folds"
            )
    return train, test


def _indices(part: Any, n: int, number: int, name: str) -> Fold:
    array = np.asarray(part)
    if array.dtype == bool and array.shape == (n,):
        array = np.flatnonzero(array)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ValueError(f"folds: split {number} must hold row numbers")
    if len(array) and (array.min() < 0 or array.max() >= n):
        raise ValueError(f"folds: split {number} names rows outside 0..{n - 1}")
    rows, times = np.unique(array, return_counts=True)
    if len(rows) < len(array):
        # A row that occurs twice would have to weigh twice in this split, and weights are one
        # vector for all splits.
        raise ValueError(
            f"folds: row {rows[times.argmax()]} occurs {times.max()} times in the {name} part of "
            f"split {number}, but each row counts once; draw rows without replacement, for "
            "example with ShuffleSplit"
        )
    return rows.astype(np.int64)
