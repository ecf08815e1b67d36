"""Candidates by criteria: what `evaluate` gives back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._support.arguments import did_you_mean
from .._support.arrays import FloatArray
from ..criteria import Column, Criterion
from ..kernels import Kernel
from ..kernels._order import order_of
from ._choice import Choice
from ._parts import Parts, columns_of
from ._plottable import Plottable
from ._report import table_report

if TYPE_CHECKING:
    import pandas


NOT_REACHED = "not reached within time_limit"
NOT_VERIFIED = "not on the shortlist"


@dataclass(frozen=True, repr=False, eq=False)
class ScoreTable(Parts, Plottable):
    """Candidates by criteria.

    Attributes
    ----------
    kernels : list of Kernel
        The candidates.
    columns : dict of str to Column
        One column per criterion under its key; the attributes below are views of these.
    task : str
        "classification" or "regression": what y was taken for.
    scores : dict of str to ndarray
        One value per candidate under each criterion's key; candidates by lambdas for criteria that
        depend on lambda when several were given.
    direction : dict of str to int
        +1: larger is better, -1: smaller is better, 0: a diagnostic.
    reasons : dict of str to list
        Why a value is the worst one where a formula is undefined, else None.
    lams : ndarray of shape (n_candidates, n_lambdas) or None
        The lambdas behind the second axis of scores; None where there is none.
    errors : dict of str to ndarray
        Standard errors of held-out losses, shaped like their scores.
    jitter : dict of str to ndarray
        What had to be added to the kernel's diagonal beside lambda, shaped like the scores; only
        under criteria that needed some. It is 1e-12 of the mean diagonal, or ten times that and so
        on up to 1e-6, where a kernel is singular for rounding at a very small lambda.
    """

    kernels: list[Kernel]
    columns: dict[str, Column]
    task: str

    @classmethod
    def of(cls, kernels: list[Kernel], columns: Iterable[Column], task: str) -> ScoreTable:
        """Make a table of columns, each under its own key."""
        return cls(kernels, {column.key: column for column in columns}, task)

    def __eq__(self, other: object) -> bool:
        """Whether candidates, task and columns are the same, as of what was saved and loaded."""
        if not isinstance(other, ScoreTable):
            return NotImplemented
        return (
            self.task == other.task
            and self.kernels == other.kernels
            and list(self.columns) == list(other.columns)
            and self.columns == other.columns
        )

    def __hash__(self) -> int:
        return hash((self.task, tuple(self.kernels), tuple(self.columns)))

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the state of a pickle; up to version 0.1.0 that was one dictionary per quantity."""
        if "columns" not in state:
            parts = {name.lstrip("_"): part for name, part in state.items()}
            kernels, task = parts.pop("kernels"), parts.pop("task")
            state = {"kernels": kernels, "columns": columns_of(**parts), "task": task}
        self.__dict__.update(state)

    @property
    def partial(self) -> bool:
        """Whether ``time_limit`` left candidates without a value."""
        return any(reason == NOT_REACHED for part in self.reasons.values() for reason in part)

    def column(self, name: str | Criterion | None = None) -> Column:
        """Return all about one criterion.

        Parameters
        ----------
        name : str or Criterion, optional
            Key of a criterion, or the criterion; may be left out when there is only one.

        Returns
        -------
        Column
            Values with reasons, errors and lambdas.
        """
        return self.columns[self.key_of(name)]

    def with_column(self, column: Column) -> ScoreTable:
        """Return the table with one more criterion.

        Parameters
        ----------
        column : Column
            Values for the same candidates.

        Returns
        -------
        ScoreTable
            The same candidates.
        """
        return replace(self, columns={**self.columns, column.key: column})

    def only(self, key: str) -> ScoreTable:
        """Return the table with one criterion.

        Parameters
        ----------
        key : str
            The criterion to keep.

        Returns
        -------
        ScoreTable
            The same candidates.
        """
        return ScoreTable.of(self.kernels, [self.column(key)], self.task)

    def key_of(self, name: str | Criterion | None) -> str:
        """Find the key of a criterion, or say what there is.

        Parameters
        ----------
        name : str, Criterion or None
            Key of a criterion, or the criterion; None when there is only one.

        Returns
        -------
        str
            A key of this table.
        """
        if name is None:
            if len(self.columns) == 1:
                return next(iter(self.columns))
            raise ValueError(f"name one of the criteria: {', '.join(self.columns)}")
        key = name.key if isinstance(name, Criterion) else name
        if key in self.columns:
            return key
        hint = did_you_mean(key, list(self.columns), f"it has {', '.join(self.columns)}")
        raise ValueError(f"this table has no criterion {key!r}; {hint}")

    def _order(self) -> FloatArray | None:
        """By what ties are broken at last: from wide to narrow on an ordered grid."""
        widths = order_of(self.kernels)
        return None if widths is None else -widths

    def winner(self, name: str | Criterion | None = None) -> int | None:
        """Find the place of the best candidate.

        Parameters
        ----------
        name : str or Criterion, optional
            Key of a criterion, or the criterion; may be left out when there is only one.

        Returns
        -------
        int or None
            None for a diagnostic, and where no value is defined.
        """
        return self.column(name).winner(self._order())

    def best_lambda(self, name: str | Criterion | None = None) -> NDArray[np.int64]:
        """Find each candidate's best lambda.

        Parameters
        ----------
        name : str or Criterion, optional
            Key of a criterion, or the criterion; may be left out when there is only one.

        Returns
        -------
        ndarray of int
            Column of the best score for every candidate; zeros where there is no axis of lambdas.
        """
        return self.column(name).best_lambda()

    def ranking(self, name: str | Criterion | None = None) -> NDArray[np.int64]:
        """Rank the candidates, best first, each at its best lambda.

        Equal values are ordered by the criterion's own tie-break (the squared loss behind a 0-1
        loss), then from wide to narrow on an ordered grid, else as given.

        Parameters
        ----------
        name : str or Criterion, optional
            Key of a criterion, or the criterion; may be left out when there is only one.

        Returns
        -------
        ndarray of int
            Places in `kernels`.
        """
        return self.column(name).ranking(self._order())

    def best(self, name: str | Criterion | None = None) -> Choice:
        """Find the best candidate by a criterion.

        Parameters
        ----------
        name : str or Criterion, optional
            Key of a criterion, or the criterion; may be left out when there is only one.

        Returns
        -------
        Choice
            With `kernel`, `score`, `index` and, where several lambdas were tried, `lam`.
        """
        key = self.key_of(name)
        index = int(self.ranking(key)[0])
        reasons = self.columns[key].reasons
        if reasons[index] is not None:
            # A candidate that was not looked at tells nothing of why the others have no value.
            passed_over = (None, NOT_VERIFIED, NOT_REACHED)
            reason = next((r for r in reasons if r not in passed_over), reasons[index])
            raise ValueError(f"{key!r} is undefined for every candidate: {reason}")
        return self.choice(key, index)

    def choice(self, key: str, index: int) -> Choice:
        """Describe one candidate at its best lambda.

        Parameters
        ----------
        key : str
            Criterion.
        index : int
            Candidate.

        Returns
        -------
        Choice
            The candidate with its score.
        """
        flat = self.columns[key].take([index]).at_best_lambda()
        # Without an axis of lambdas there is no lambda to name.
        lam = None if flat.lams is None else float(flat.lams[0])
        return Choice(self.kernels[index], float(flat.values[0]), index, lam)

    def to_frame(self) -> pandas.DataFrame:
        """Convert to a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            One column per criterion; one row per candidate, or per candidate and lambda.
        """
        from ._frame import to_frame

        return to_frame(self)

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain data, ready for JSON; infinite values are None with their reason beside.

        Returns
        -------
        dict
            ``task``, ``kernels``, ``lams`` and per criterion ``scores``, ``direction``,
            ``reasons``, ``best``, where rows are held out ``baselines`` and ``held_out_scores``,
            and ``jitter`` where some was needed.
        """
        return table_report(self)

    def __repr__(self) -> str:
        from ._text import scores

        count = len(self.kernels)
        title = f"{count} candidate{'s' * (count != 1)}, {self.task} (* best by the criterion)"
        if self.partial:
            title += ", partial: the time limit was reached"
        if jitter := self.jitter:
            title += f", jitter needed by {', '.join(jitter)}"
        return f"{title}\n{scores(self, digits=6)}"

    def _repr_html_(self) -> str:
        from ._html import table_html

        return table_html(self)
