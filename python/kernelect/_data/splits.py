"""How the rows of one call are held out, and the folds that were made of that so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._support.arguments import is_whole
from .folds import Fold, FoldSet, make_fold_sets, split_parts
from .target import Target


class Splits:
    """How the rows of one call are held out, and the folds made so far.

    Every candidate is judged on the same folds, also by a splitter that draws new ones each time or
    splits that can be read only once.

    Parameters
    ----------
    folds : int, splitter or iterable of (train, test) pairs, optional
        For criteria that bring none of their own; five by default.
    groups : array-like, optional
        Rows that are held out together; passed to a splitter.
    random_state : int, default=0
        Seed of the shuffling.
    kept : ndarray of bool, optional
        Which rows of the call take part, where some have no weight.
    """

    def __init__(
        self,
        folds: Any = None,
        groups: Any = None,
        random_state: Any = 0,
        kept: NDArray[np.bool_] | None = None,
    ) -> None:
        self.folds, self.groups, self._random_state = folds, groups, random_state
        self.kept = kept
        self._made: list[tuple[Any, Target, tuple[bool, ...], list[FoldSet]]] = []

    @property
    def given(self) -> bool:
        """Whether the caller said how to hold out."""
        return self.folds is not None or self.groups is not None

    @property
    def related(self) -> bool:
        """Whether rows belong together, by groups or folds that are more than a number."""
        return self.groups is not None or not (self.folds is None or is_whole(self.folds))

    def sets(
        self, target: Target, folds: Any = None, *, stratified: bool = True, shuffled: bool = True
    ) -> list[FoldSet]:
        """Folds of the call, or given ones; the same list for the same ones."""
        folds = self.folds if folds is None else folds
        number = folds is None or is_whole(folds)
        rule = (stratified, shuffled) if number else ()  # a splitter has its own
        for known, known_target, known_rule, sets in self._made:
            same = known is folds or (number and known == folds)
            if same and known_target is target and known_rule == rule:
                return sets
        sets = make_fold_sets(
            among(self.kept, folds),
            target,
            random_state=self._random_state,
            groups=groups_among(self.kept, self.groups),
            stratified=stratified,
            shuffled=shuffled,
            partial=True,
        )
        self._made.append((folds, target, rule, sets))
        return sets

    def of_part(self, target: Target, places: NDArray[np.int64]) -> Splits:
        """Return the same folds of some of the rows of a target, whatever number these get."""
        return _PartOfSplits(self, target, places)


class _PartOfSplits(Splits):
    """The folds of a call as far as they concern some of its rows."""

    def __init__(self, whole: Splits, target: Target, places: NDArray[np.int64]) -> None:
        super().__init__(whole.folds, whole.groups)
        self._whole, self._target, self._places = whole, target, places

    def sets(
        self, target: Target, folds: Any = None, *, stratified: bool = True, shuffled: bool = True
    ) -> list[FoldSet]:
        whole = self._whole.sets(self._target, folds, stratified=stratified, shuffled=shuffled)
        found = [fold_set.of_part(self._places, self._target.size) for fold_set in whole]
        return [fold_set for fold_set in found if fold_set]


def among(kept: NDArray[np.bool_] | None, folds: Any) -> Any:
    """Return given splits in the numbers of the rows that are kept; splitters see only those."""
    given = isinstance(folds, Iterable) and not isinstance(folds, (str, bytes, type))
    if kept is None or not given or hasattr(folds, "split"):
        return folds
    return list(_renumbered(kept, folds))


def groups_among(kept: NDArray[np.bool_] | None, groups: Any) -> Any:
    """Return the groups of the rows that are kept; those of another shape are refused later."""
    if kept is None or groups is None:
        return groups
    names = np.asarray(groups)
    return names[kept] if names.shape == kept.shape else names


def _renumbered(kept: NDArray[np.bool_], splits: Iterable[Any]) -> Iterator[tuple[Fold, Fold]]:
    """Yield the splits that still test a row."""
    everything = Target.of_numbers(np.zeros(len(kept)))
    places = np.cumsum(kept) - 1
    for number, split in enumerate(splits):
        train, test = (places[part[kept[part]]] for part in split_parts(number, split, everything))
        if len(test):
            yield train, test
