"""How a table became numbers, so that new tables become the same numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._support.arguments import check_choice, is_number, is_whole
from .._support.arrays import FloatArray
from .._support.warning import warn_caller
from ._cells import text_of
from ._files import shortened


@dataclass(frozen=True)
class Recipe:
    """How the rows of a file were made: which columns, what stands for text, what fills gaps.

    `learn` reads a file and remembers how, `read_like` reads others into the same columns. It is
    plain data, and so part of what ``kernelect fit`` saves.

    Attributes
    ----------
    format : {"csv", "npz", "svmlight"}
        What the file was.
    width : int
        Number of its columns, that of the target included where it has a place among them.
    columns : tuple of str
        The columns learned from, by name, or by place, counted from 1, where they have none.
    target : str or None
        The column or array to predict; None where it has neither name nor place.
    text_target : bool
        Whether the target is text.
    values : dict of str to tuple of str
        The texts of columns that hold text; each but the first of two is a column of 0 and 1.
    medians : dict of str to float
        What gaps of the other columns are filled in with.
    impute, decimal, header
        As for `read_csv`.
    from_zero : bool
        Whether the indices of svmlight text begin at 0.
    sparse : bool
        Whether the rows were sparse.
    """

    format: str
    width: int
    columns: tuple[str, ...]
    target: str | None = None
    text_target: bool = False
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    medians: Mapping[str, float] = field(default_factory=dict)
    impute: bool = False
    decimal: str = "."
    header: bool = True
    from_zero: bool = False
    sparse: bool = False

    def __post_init__(self) -> None:
        check_choice(self.format, "format", ("csv", "npz", "svmlight"))
        check_choice(self.decimal, "decimal", (".", ","))
        sound = is_whole(self.width) and self.width >= 0
        sound &= _texts(self.columns) and len(self.columns) <= self.width
        sound &= self.target is None or isinstance(self.target, str)
        sound &= all(
            isinstance(flag, bool)
            for flag in (self.text_target, self.impute, self.header, self.from_zero, self.sparse)
        )
        sound &= all(_texts(values) and len(values) > 0 for values in self.values.values())
        sound &= {*self.values, *self.medians} <= {*self.columns}
        sound &= all(is_number(median) for median in self.medians.values())
        if not sound:
            raise TypeError("the parts of a recipe have the wrong form")

    @property
    def feature_names(self) -> list[str]:
        """Names of the columns that are made."""
        return [name for column in self.columns for name in self._made(column)]

    def _made(self, column: str) -> list[str]:
        if column not in self.values:
            return [column]
        return [f"{column}={value}" for value in _told(self.values[column])]

    def taken(self, X: Any) -> Any:
        """Take the columns by their places, from rows that have no names for them.

        Parameters
        ----------
        X : ndarray or sparse array
            Rows with as many columns as there were.

        Returns
        -------
        ndarray or sparse array
            Sparse rows where they were sparse before.
        """
        places = [int(column) - 1 for column in self.columns]
        some = X if places == list(range(self.width)) else X[:, places]
        return some if self.sparse or isinstance(some, np.ndarray) else some.toarray()

    def fill_in(self, X: FloatArray, columns: Sequence[str]) -> FloatArray:
        """Put the medians in place of gaps.

        Parameters
        ----------
        X : ndarray
            Numbers, NaN where there is a gap; changed in place.
        columns : sequence of str
            What its columns are called.

        Returns
        -------
        ndarray
            The same, without gaps where there is a median.
        """
        for place, column in enumerate(columns):
            if column in self.medians:
                gaps = np.isnan(X[:, place])
                X[gaps, place] = self.medians[column]
        return X

    def encoded(self, cells: Sequence[str], column: str, name: str) -> list[FloatArray]:
        """Make columns of 0 and 1 of a column of texts.

        Parameters
        ----------
        cells : sequence of str
            The texts.
        column : str
            What the column is called.
        name : str
            What messages call the file.

        Returns
        -------
        list of ndarray
            One for each text that tells something.
        """
        known = self.values[column]
        texts = np.array([text_of(cell, self.impute) for cell in cells])
        new = sorted(set(texts.tolist()) - set(known))
        if new:
            like = f" and count as {known[0]!r}" if len(known) == 2 else ""
            shown = ", ".join(repr(shortened(text)) for text in new[:3])
            warn_caller(
                f"{name}: column {shortened(column)!r} holds {shown}"
                f"{' and others' * (len(new) > 3)}, which the model has not seen{like}"
            )
        return [(texts == value).astype(np.float64) for value in _told(known)]


def medians_of(X: FloatArray, names: Sequence[str], name: str) -> dict[str, float]:
    """Return each column's median, gaps aside; refuse a column that has nothing else."""
    gaps = np.isnan(X)
    empty = np.flatnonzero(gaps.all(axis=0))
    if len(empty):
        raise ValueError(f"{name}: column {names[empty[0]]!r} is missing in every row: drop it")
    return {
        column: float(np.median(X[~gaps[:, place], place])) for place, column in enumerate(names)
    }


def _told(values: Sequence[str]) -> Sequence[str]:
    """Texts that get a column: of two one tells both."""
    return values[1:] if len(values) == 2 else values


def _texts(values: Any) -> bool:
    return isinstance(values, tuple) and all(isinstance(value, str) for value in values)
