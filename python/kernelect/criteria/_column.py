"""One criterion's view of all candidates: what results are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._support.arrays import FloatArray, IntArray
from .._support.ties import best_of_each


@dataclass(frozen=True, eq=False)
class Column:
    """Values of one criterion for all candidates, with all that belongs to them.

    Everything that handles columns (results, limits of time, files) goes over the declared
    quantities, so that a new one is declared here and nowhere else.

    Attributes
    ----------
    key : str
        The criterion's name in results.
    direction : int
        +1: larger is better, -1: smaller is better, 0: a diagnostic.
    values : ndarray of shape (candidates,) or (candidates, lambdas)
        The values; the worst one where the formula is undefined.
    reasons : list of str or None
        Why a candidate has no value, else None.
    ties : ndarray or None
        Breaks ties of equal values; smaller is better.
    errors : ndarray or None
        Standard errors.
    lams : ndarray of shape (candidates, lambdas) or None
        Lambdas behind the second axis, where there is one.
    jitter : ndarray or None
        What had to be added to the kernel's diagonal beside lambda.
    baselines : ndarray or None
        What the criterion gives the prediction that looks at no row, the mean or the larger class,
        of the same rows; under criteria of held-out predictions.
    evidence : ndarray or None
        By how many standard errors the held-out squared loss is below that of the mean.
    held_out_scores : ndarray or None
        Accuracy of the held-out predictions of classes, R^2 of those of numbers.
    landmarks : ndarray or None
        How many landmarks the model had, where it was not that of the whole matrix.
    rank_errors : ndarray or None
        What landmarks do not see of the kernel: tr(K - K~) / tr(HKH).
    pivoted : ndarray or None
        1 where landmarks were chosen by pivoting, 0 where they are rows as they come.
    sensitivities : ndarray or None
        By what share half of the landmarks predict held-out rows worse, in the squared loss.
    rivals : ndarray or None
        Where values are estimated by some rows: 1 for the candidates that may be the best, 0 for
        those of which it is known, to 99 % for all of them together, that they are not.
    label : str
        What text calls the value; the key where nothing else is said.
    """

    key: str
    direction: int
    values: FloatArray
    reasons: list[str | None]
    ties: FloatArray | None = field(default=None, metadata={"empty": np.inf})
    errors: FloatArray | None = field(default=None, metadata={"empty": np.nan})
    lams: FloatArray | None = field(default=None, metadata={"empty": np.nan})
    jitter: FloatArray | None = field(default=None, metadata={"empty": 0.0})
    baselines: FloatArray | None = field(default=None, metadata={"empty": np.nan})
    evidence: FloatArray | None = field(default=None, metadata={"empty": np.nan})
    held_out_scores: FloatArray | None = field(default=None, metadata={"empty": np.nan})
    landmarks: FloatArray | None = field(default=None, metadata={"empty": np.nan})
    rank_errors: FloatArray | None = field(default=None, metadata={"empty": np.nan})
    pivoted: FloatArray | None = field(default=None, metadata={"empty": np.nan})
    sensitivities: FloatArray | None = field(default=None, metadata={"empty": np.nan})
    rivals: FloatArray | None = field(default=None, metadata={"empty": np.nan})
    label: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", self.label or self.key)

    def __eq__(self, other: object) -> bool:
        """Whether all numbers and reasons are the same; NaN is the same as NaN."""
        if not isinstance(other, Column):
            return NotImplemented
        return all(
            _same(getattr(self, item.name), getattr(other, item.name)) for item in fields(self)
        )

    def __hash__(self) -> int:
        return hash((self.key, self.direction, self.label))

    @classmethod
    @cache
    def quantities(cls) -> dict[str, float]:
        """Names of all quantities beside the values, each with what stands for none."""
        return {
            item.name: item.metadata["empty"] for item in fields(cls) if "empty" in item.metadata
        }

    @classmethod
    def blank(
        cls, key: str, direction: int, shape: tuple[int, ...], reason: str, *, label: str = ""
    ) -> Column:
        """Column in which no candidate has a value yet, for the reason given."""
        worst = -np.inf * direction if direction else np.nan
        lams = np.full(shape, np.nan) if len(shape) == 2 else None
        reasons: list[str | None] = [reason] * shape[0]
        return cls(key, direction, np.full(shape, worst), reasons, lams=lams, label=label)

    def filled(self, parts: Sequence[tuple[Sequence[int], Column]]) -> Column:
        """Put columns of some candidates into the places of those candidates."""
        values, reasons = self.values.copy(), list(self.reasons)
        kept: dict[str, Any] = {}
        for name, empty in self.quantities().items():
            given = [(list(places), getattr(part, name)) for places, part in parts]
            given = [(places, array) for places, array in given if array is not None]
            whole = getattr(self, name)
            if given:
                shape = (len(values), *given[0][1].shape[1:])
                kept[name] = np.full(shape, empty) if whole is None else whole.copy()
            for places, array in given:
                kept[name][places] = array
        for places, part in parts:
            values[list(places)] = part.values
            for place, reason in zip(places, part.reasons, strict=True):
                reasons[place] = reason
        return replace(self, values=values, reasons=reasons, **kept)

    def spread(self, places: Sequence[int], count: int, reason: str) -> Column:
        """Column of `count` candidates of which only those at the places have these values."""
        shape = (count, *self.values.shape[1:])
        whole = Column.blank(self.key, self.direction, shape, reason, label=self.label)
        return whole.filled([(places, self)])

    @classmethod
    def join(cls, parts: Sequence[tuple[Sequence[int], Column]]) -> Column:
        """Make one column of those of several groups, which have all places between them."""
        (places, first), *others = parts
        count = sum(len(group) for group, _ in parts)
        if list(places) == list(range(count)):
            return first
        return first.spread(places, count, "").filled(others)

    def take(self, places: Sequence[int] | IntArray) -> Column:
        """Column of some candidates, in the order given."""
        at = np.asarray(places, dtype=np.int64)
        return replace(self.indexed(at), reasons=[self.reasons[place] for place in at])

    def indexed(self, at: Any) -> Column:
        """Column with this index applied to the values and all quantities beside them."""
        kept = {name: getattr(self, name) for name in self.quantities()}
        some: dict[str, Any] = {name: a[at] for name, a in kept.items() if a is not None}
        return replace(self, values=self.values[at], **some)

    @property
    def has_path(self) -> bool:
        """Whether there is an axis of lambdas."""
        return self.values.ndim == 2

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which candidates have a value."""
        return np.array([reason is None for reason in self.reasons])

    @property
    def loss(self) -> FloatArray:
        """The values turned such that smaller is better."""
        if self.direction == 0:
            raise ValueError(f"{self.key!r} is a diagnostic: its values rank no candidates")
        return -self.direction * self.values

    def best_lambda(self) -> IntArray:
        """Place of each candidate's best lambda; zeros where there is no axis of lambdas.

        Among values that are equal up to rounding, and in `ties` too, the largest lambda wins.
        """
        loss = self.loss
        if not self.has_path:
            return np.zeros(len(loss), dtype=np.int64)
        lams = np.zeros_like(loss) if self.lams is None else self.lams
        return best_of_each(loss, lams, self.ties)

    def at_best_lambda(self) -> Column:
        """Column of the same candidates, each at its best lambda, without an axis of lambdas."""
        if not self.has_path:
            return self
        return self.indexed((np.arange(len(self.values)), self.best_lambda()))

    def ranking(self, order: FloatArray | None = None) -> IntArray:
        """Places of the candidates, best first; remaining ties by `order`, then as given."""
        flat = self.at_best_lambda()
        loss = flat.loss
        ties = np.zeros_like(loss) if flat.ties is None else flat.ties
        last = np.arange(len(loss)) if order is None else order
        return np.lexsort((last, ties, loss)).astype(np.int64)

    def winner(self, order: FloatArray | None = None) -> int | None:
        """Place of the best candidate; None for a diagnostic and where no value is defined."""
        if self.direction == 0:
            return None
        top = int(self.ranking(order)[0])
        return top if self.reasons[top] is None else None


def _same(one: Any, two: Any) -> bool:
    if isinstance(one, np.ndarray) and isinstance(two, np.ndarray):
        return one.shape == two.shape and bool(np.array_equal(one, two, equal_nan=True))
    return one is two if isinstance(one, np.ndarray) or isinstance(two, np.ndarray) else one == two
