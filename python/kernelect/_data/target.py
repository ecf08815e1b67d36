"""What is to be predicted: classes or numbers, found out and checked."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .._support.arguments import check_choice, shown
from .._support.remedy import Remedy, advised
from .refusals import count_masked, is_missing, refuse_dates, refuse_gaps
from .weights import rows_that_count

# Whole numbers are classes by themselves where no more than these are different. More classes are
# none that can be learned where they are more than this share of the rows.
_FEW, _SHARE = 20, 0.5

Task = Literal["classification", "regression"]


@dataclass(frozen=True)
class Target:
    """A checked target.

    Attributes
    ----------
    task : {"classification", "regression"}
        What it was taken for.
    classes : ndarray
        The distinct labels, sorted; empty for regression.
    codes : ndarray of int64
        Class number of each row; zeros for regression.
    values : ndarray of shape (n_targets, n)
        Regression targets, one per row; empty for classification.
    weights : ndarray of shape (n,) or None
        How much the loss of each row counts; None where all count alike.
    """

    task: Task
    classes: NDArray[Any]
    codes: NDArray[np.int64]
    values: NDArray[np.float64]
    weights: NDArray[np.float64] | None = None

    @classmethod
    def of_labels(cls, labels: NDArray[Any]) -> Target:
        """Target of classes, from one label per row."""
        classes, codes = np.unique(labels, return_inverse=True)
        return cls("classification", classes, codes.astype(np.int64), np.zeros((0, len(codes))))

    @classmethod
    def of_numbers(cls, numbers: NDArray[Any]) -> Target:
        """Target of numbers, from one per row or one row of them."""
        values = np.ascontiguousarray(np.atleast_2d(numbers.astype(np.float64).T))
        return cls("regression", np.zeros(0), np.zeros(values.shape[1], dtype=np.int64), values)

    @classmethod
    def of_indicators(cls, matrix: NDArray[Any]) -> Target:
        """Target of several labels per row, from a matrix of 0 and 1: as numbers, -1 and +1."""
        return cls.of_numbers(np.where(matrix, 1.0, -1.0))

    @property
    def size(self) -> int:
        """Number of rows."""
        return len(self.codes)

    @property
    def n_classes(self) -> int:
        """Number of classes, 0 for regression."""
        return len(self.classes)

    def check_classes(self) -> None:
        """Refuse a single class."""
        if self.n_classes < 2:
            only = self.classes.tolist()[0]
            raise ValueError(f"y has a single class ({only!r}); at least two are needed")

    def columns(self) -> NDArray[np.float64]:
        """Columns to fit: +-1 for two classes, one-vs-rest for more, the targets of a regression.

        Returns
        -------
        ndarray of shape (n, n_columns)
            What the machines are trained to give.
        """
        if self.task == "regression":
            return np.ascontiguousarray(self.values.T)
        if self.n_classes == 2:
            return np.where(self.codes == 1, 1.0, -1.0)[:, None].copy()
        return np.where(self.codes[:, None] == np.arange(self.n_classes), 1.0, -1.0)

    def shuffled_by_class(self) -> NDArray[np.int64]:
        """Rows class by class, small ones first, within each in an order that is always the same.

        Every few rows of this make a sample in which each class keeps its share. It does not depend
        on the names of the classes: of those of one size that comes first whose row does.
        """
        order = np.random.default_rng(0).permutation(self.size)
        _, first, codes = np.unique(self.codes[order], return_index=True, return_inverse=True)
        sizes = np.bincount(codes)
        return np.asarray(order[np.lexsort((first[codes], sizes[codes]))])

    def part(self, places: NDArray[np.int64] | slice) -> Target:
        """Return the same target for some rows; classes stay numbered as they are."""
        weights = None if self.weights is None else self.weights[places]
        return replace(
            self, codes=self.codes[places], values=self.values[:, places], weights=weights
        )

    def shortened(self) -> Target:
        """Return the same target with class numbers of as few bytes as will do, to be sent."""
        small = np.min_scalar_type(max(self.n_classes - 1, 0))
        return replace(self, codes=self.codes.astype(small))

    def weighted(self, weights: NDArray[np.float64] | None) -> Target:
        """Return the same target with weights, without the rows of weight zero."""
        counts = rows_that_count(weights, self.size)
        if counts is None:
            return replace(self, weights=weights)
        assert weights is not None
        kept = weights[counts]
        some = replace(
            self.part(np.flatnonzero(counts)), weights=None if (kept == 1.0).all() else kept
        )
        if self.task == "regression":
            return some
        renumbered = Target.of_labels(self.classes[some.codes])
        if renumbered.n_classes < 2:
            raise ValueError(
                f"sample_weight leaves a single class ({renumbered.classes.tolist()[0]!r}); at "
                "least two are needed"
            )
        return replace(renumbered, weights=some.weights)

    def varying(self) -> Target | None:
        """Return the target without numbers that are the same for all rows; None if all are."""
        if self.task == "classification":
            return self
        moving = self.moving()
        return replace(self, values=self.values[moving]) if moving.any() else None

    def moving(self) -> NDArray[np.bool_]:
        """Which columns are not the same for all rows; those of classes never are."""
        return np.asarray(np.ptp(self.columns(), axis=0) > 0)

    @property
    def unit(self) -> float:
        """The unit of a regression's numbers, their standard deviation; 1 for classes."""
        if self.task == "classification":
            return 1.0
        # Squares of very large or small numbers leave the range.
        exponent = int(np.frexp(np.ptp(self.values, axis=1).max())[1])
        values = np.ldexp(self.values, -exponent)
        means = np.average(values, axis=1, weights=self.weights)
        squares = np.mean((values - means[:, None]) ** 2, axis=0)
        unit = float(np.ldexp(np.sqrt(np.average(squares, weights=self.weights)), exponent))
        return unit if unit > 0.0 else 1.0

    def centred(self) -> NDArray[np.float64]:
        """Regression targets minus their means, up to one power of two.

        The largest number is near 1, so that squares of very large or small targets stay in range;
        criteria that compare directions do not notice.
        """
        _, exponent = np.frexp(np.abs(self.values).max())
        values = np.ldexp(self.values, -exponent)
        return np.ascontiguousarray(values - values.mean(axis=1, keepdims=True))


def check_target(y: Any, task: str = "auto", rows: int | None = None) -> Target:
    """Check a target, and that it has one entry for each of `rows` where those are given."""
    check_choice(task, "task", ("auto", "classification", "regression"))
    values = _entries(y)
    size = values.shape[0]
    if rows is not None and size != rows:
        raise ValueError(f"X has {rows} rows, but y has {size} entries; each row needs one")
    if size < 2:
        raise ValueError(
            f"y has {'one entry' if size else 'no entries'}; at least two rows are needed"
        )
    kind = _guess(values) if task == "auto" else task
    return _classes(values) if kind == "classification" else _numbers(values)


def _entries(y: Any) -> NDArray[Any]:
    """One entry or one row of numbers per sample, nothing missing, numbers as numbers."""
    if y is None or isinstance(y, (str, bytes)):
        raise TypeError(f"y must hold a label or number per row, not {shown(y)}")
    try:
        values = np.asarray(y)
    except ValueError:
        raise ValueError("y has rows of different lengths; one entry per row is needed") from None
    if values.ndim == 0:
        raise TypeError(f"y must hold a label or number per row, not be of type {type(y).__name__}")
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim > 2 or values.size == 0 < values.shape[0]:
        raise ValueError(f"y must have one entry per row, but has shape {values.shape}")
    refuse_gaps(_count_missing(values) + count_masked(y))
    if values.dtype.kind == "O":
        values = _plain(values)
    if values.dtype.kind in "cV":
        raise TypeError(f"y has entries of type {values.dtype}; labels or real numbers are needed")
    return values


def _count_missing(values: NDArray[Any]) -> int:
    if values.dtype.kind == "f":
        return int(np.isnan(values).sum())
    if values.dtype.kind in "mM":
        return int(np.isnat(values).sum())
    if values.dtype.kind == "O":
        return sum(is_missing(value) for value in values.ravel())
    return 0


def _plain(values: NDArray[Any]) -> NDArray[Any]:
    """Numbers or booleans that came as objects in an array of their own type."""
    if all(isinstance(value, (int, float, np.number, np.bool_)) for value in values.ravel()):
        plain = np.array(values.tolist())
        if plain.dtype.kind == "O":  # whole numbers of more than 64 bits
            if max(abs(value) for value in plain.ravel()) > sys.float_info.max:
                raise ValueError("y has a number too large for floating point; rescale it")
            plain = plain.astype(np.float64)
        return plain
    return values


def _is_whole(values: NDArray[Any]) -> bool:
    return values.dtype.kind in "iu" or bool(np.isfinite(values).all() and (values % 1 == 0).all())


def _guess(values: NDArray[Any]) -> Task:
    """Take a few distinct whole numbers, and anything that is no number, for classes."""
    if values.ndim == 2:
        return "regression"
    if values.dtype.kind not in "iuf":
        return "classification"
    few = _is_whole(values) and len(np.unique(values)) <= _FEW
    return "classification" if few else "regression"


def _classes(values: NDArray[Any]) -> Target:
    if values.ndim == 2:
        raise ValueError(
            f"y must have one label per row for classification, but has shape {values.shape}"
        )
    try:
        target = Target.of_labels(values)
    except TypeError:
        raise TypeError(
            "y mixes labels of different types; make them all text or all numbers"
        ) from None
    target.check_classes()
    classes = target.n_classes
    many = classes > _FEW and classes > _SHARE * len(values)
    if many and values.dtype.kind == "f" and not _is_whole(values):
        raise advised(
            ValueError,
            f"y has {classes} different numbers in {len(values)} rows, which look like a quantity "
            "and not like labels",
            Remedy("pass task='regression'", "pass --task regression"),
        )
    if many:
        refuse_dates(values)
    return target


def _numbers(values: NDArray[Any]) -> Target:
    refuse_dates(values)
    if values.dtype.kind not in "biuf":
        raise ValueError("y has entries that are not numbers; regression needs numbers")
    numbers = values.astype(np.float64)
    if not np.isfinite(numbers).all():
        raise ValueError("y contains infinity; regression needs finite numbers")
    target = Target.of_numbers(numbers)
    table = target.values
    constant = np.flatnonzero(table.max(axis=1) == table.min(axis=1))
    if len(constant):
        which = "y" if len(table) == 1 else f"column {constant[0]} of y"
        raise ValueError(
            f"{which} is constant ({table[constant[0], 0]:g}); there is nothing to predict"
        )
    return target
