"""Folds of a cross-validation: from a number, a scikit-learn splitter or given splits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

from .._dispatch import core
from .._support.arguments import is_whole, shown
from .._support.quiet import quietly
from .groups import check_group_folds, group_numbers
from .target import Target

Fold = NDArray[np.int64]

FOLDS = 5  # where no number is given


class FoldSet(list[Fold]):
    """Disjoint folds, each everything that one model is not trained on.

    Where a split trains on less than all rows outside its test part, as those of a time series do,
    the model is that of a larger fold: `tested` then says which held-out rows count, and is None
    where all do.
    """

    def __init__(self) -> None:
        super().__init__()
        self.tested: NDArray[np.bool_] | None = None

    def clear_others(self, part: core._HeldOut) -> None:
        """Take rows that are held out but not tested out of a result of the core."""
        if self.tested is None:
            return
        others = ~self.tested
        part.pop("squared", None)  # sums over all held-out rows
        part.pop("zero_one", None)
        part["point_squared"][..., others] = np.nan
        if "point_zero_one" in part:
            part["point_zero_one"][..., others] = np.nan
        if "outputs" in part:
            part["outputs"][..., others, :] = np.nan

    def of_part(self, places: NDArray[np.int64], n: int) -> FoldSet:
        """Return what is left of the folds of n rows where only those at `places` take part."""
        new = np.full(n, -1)
        new[places] = np.arange(len(places))
        part = FoldSet()
        part.extend(kept for fold in self if len(kept := new[fold][new[fold] >= 0]))
        part.tested = None if self.tested is None else self.tested[places]
        return part


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

    A number of folds, or None for the usual one, holds groups out whole where there are such.
    Splits that train on less than all rows outside their test part are refused unless `partial`.
    """
    if folds is None or is_whole(folds):
        numbers = None if groups is None else group_numbers(groups, target.size)
        if folds is None:
            folds = FOLDS if numbers is None else min(FOLDS, int(numbers.max()) + 1)
        splits = _numbered(
            int(folds),
            target,
            numbers,
            random_state=random_state,
            stratified=stratified,
            shuffled=shuffled,
        )
    else:
        splits = _given(folds, target, groups)
    if not splits:
        raise ValueError("folds is empty; give at least one (train, test) pair")
    return _disjoint(splits, target, partial)


def _given(folds: Any, target: Target, groups: Any) -> list[Any]:
    """Return the splits of a splitter, or those given."""
    if not isinstance(folds, (str, bytes, type)):
        if hasattr(folds, "split"):
            try:
                return list(folds.split(np.zeros((target.size, 1)), _labels(target), groups))
            except (ValueError, TypeError) as error:
                raise ValueError(f"folds: {' '.join(str(error).split())}") from None
        if isinstance(folds, Iterable):
            return list(folds)
    raise TypeError(
        "folds must be a number, a scikit-learn splitter or (train, test) pairs of indices, "
        f"not {shown(folds)}"
    )


def _disjoint(splits: list[Any], target: Target, partial: bool) -> list[FoldSet]:
    """Gather splits into sets: each goes to the first whose folds it shares no row with."""
    n = target.size
    sets: list[FoldSet] = []
    taken: list[NDArray[np.bool_]] = []
    tested: list[NDArray[np.bool_]] = []
    for number, split in enumerate(splits):
        train, test = split_parts(number, split, target)
        held_out = np.flatnonzero(np.bincount(train, minlength=n) == 0)
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


def _labels(target: Target) -> NDArray[Any]:
    return target.codes if target.task == "classification" else target.values[0]


def _numbered(
    k: int,
    target: Target,
    groups: NDArray[np.int64] | None,
    *,
    random_state: Any,
    stratified: bool,
    shuffled: bool,
) -> list[Any]:
    if k < 2:
        raise ValueError(f"folds must be at least 2, not {k}")
    if k > target.size:
        raise ValueError(
            f"folds = {k} is more than the {target.size} rows; use fewer, or criterion 'loo'"
        )
    classes = target.task == "classification" and stratified
    if classes:
        _check_sizes(k, target)
    if groups is not None:
        check_group_folds(k, groups, target)
    with_classes, without = (
        (StratifiedKFold, KFold) if groups is None else (StratifiedGroupKFold, GroupKFold)
    )
    splitter: Any = (with_classes if classes else without)(
        k, shuffle=shuffled, random_state=random_state if shuffled else None
    )
    with quietly(UserWarning):
        # A class with fewer members than folds is missing from some test parts: harmless here.
        splits = splitter.split(np.zeros((target.size, 1)), _labels(target), groups)
        # Classes that go by few groups may leave a fold without any.
        return [(train, test) for train, test in splits if len(test)]


def _check_sizes(k: int, target: Target) -> None:
    """Raise where stratified folds cannot be."""
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


def split_parts(number: int, split: Any, target: Target) -> tuple[Fold, Fold]:
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
    both = np.flatnonzero(np.bincount(train, minlength=n) & np.bincount(test, minlength=n))
    if len(both):
        raise ValueError(
            f"folds: row {both[0]} is in the training and in the test part of split {number}"
        )
    if target.task == "classification":
        known = np.bincount(target.codes)
        left = np.bincount(target.codes[train], minlength=len(known))
        missing = np.flatnonzero((known > 0) & (left == 0))
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
    times = np.bincount(array.astype(np.int64), minlength=n)
    if times.max(initial=0) > 1:
        # A row that occurs twice would have to weigh twice in this split, and weights are one
        # vector for all splits.
        raise ValueError(
            f"folds: row {times.argmax()} occurs {times.max()} times in the {name} part of split "
            f"{number}, but each row counts once; draw rows without replacement, for example with "
            "ShuffleSplit"
        )
    return np.flatnonzero(times)
