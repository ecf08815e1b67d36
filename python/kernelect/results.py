"""What `evaluate` and `select` give back."""

from __future__ import annotations

import difflib
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._candidates import order_of
from .criteria import Criterion
from .kernels import Kernel

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Choice:
    """The best candidate by one criterion.

    Attributes
    ----------
    kernel : Kernel
        The candidate.
    score : float
        Its value.
    index : int
        Its place among the candidates.
    """

    kernel: Kernel
    score: float
    index: int


@dataclass(frozen=True, repr=False, eq=False)
class ScoreTable:
    """Candidates by criteria.

    Attributes
    ----------
    kernels : list of Kernel
        The candidates.
    scores : dict of str to ndarray
        One value per candidate under each criterion's key.
    direction : dict of str to int
        +1: larger is better, -1: smaller is better, 0: a diagnostic.
    reasons : dict of str to list
        Why a value is the worst one where a formula is undefined, else None.
    task : str
        "classification" or "regression": what y was taken for.
    """

    kernels: list[Kernel]
    scores: dict[str, NDArray[np.float64]]
    direction: dict[str, int]
    reasons: dict[str, list[str | None]]
    task: str

    def _key(self, name: str | Criterion | None) -> str:
        if name is None:
            if len(self.scores) == 1:
                return next(iter(self.scores))
            raise ValueError(f"name one of the criteria: {', '.join(self.scores)}")
        key = name.key if isinstance(name, Criterion) else name
        if key in self.scores:
            return key
        near = difflib.get_close_matches(str(key), self.scores, n=1, cutoff=0.4)
        hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(self.scores)}"
        raise ValueError(f"this table has no criterion {key!r}; {hint}")

    def _winner(self, key: str) -> int | None:
        """Place of the best candidate; None for a diagnostic and where no value is defined."""
        if self.direction[key] == 0:
            return None
        top = int(self.ranking(key)[0])
        return top if self.reasons[key][top] is None else None

    def ranking(self, name: str | Criterion | None = None) -> NDArray[np.int64]:
        """Rank the candidates, best first.

        Equal values are ordered from wide to narrow on an ordered grid, else as given.

        Parameters
        ----------
        name : str or Criterion, optional
            Key of a criterion, or the criterion; may be left out when there is only one.

        Returns
        -------
        ndarray of int
            Places in `kernels`.
        """
        key = self._key(name)
        if self.direction[key] == 0:
            raise ValueError(f"{key!r} is a diagnostic without a better or worse; it ranks nothing")
        loss = -self.direction[key] * self.scores[key]
        widths = order_of(self.kernels)
        ties = np.arange(len(self.kernels)) if widths is None else -widths
        return np.lexsort((ties, loss)).astype(np.int64)

    def best(self, name: str | Criterion | None = None) -> Choice:
        """Find the best candidate by a criterion.

        Parameters
        ----------
        name : str or Criterion, optional
            Key of a criterion, or the criterion; may be left out when there is only one.

        Returns
        -------
        Choice
            With `kernel`, `score` and `index`.
        """
        key = self._key(name)
        index = int(self.ranking(key)[0])
        reason = self.reasons[key][index]
        if reason is not None:
            raise ValueError(f"{key!r} is undefined for every candidate: {reason}")
        return Choice(self.kernels[index], float(self.scores[key][index]), index)

    def to_frame(self) -> pandas.DataFrame:
        """Table as a pandas data frame, one row per candidate.

        Returns
        -------
        pandas.DataFrame
            Indexed by the kernels' names, one column per criterion.
        """
        try:
            import pandas as pd
        except ImportError:
            raise ImportError(
                "to_frame needs pandas; install it with: pip install kernelect[frames]"
            ) from None
        index = pd.Index([repr(kernel) for kernel in self.kernels], name="kernel")
        return pd.DataFrame(self.scores, index=index)

    def to_dict(self) -> dict[str, Any]:
        """Table as plain data, ready for JSON: infinite values are None, with their reason beside.

        Returns
        -------
        dict
            ``task``, ``kernels`` and per criterion ``scores``, ``direction``, ``reasons``, ``best``.
        """
        criteria = {}
        for key, values in self.scores.items():
            criteria[key] = {
                "direction": self.direction[key],
                "scores": [float(v) if math.isfinite(v) else None for v in values],
                "reasons": [
                    r or ("infinite, the best value" if math.isinf(v) else None)
                    for r, v in zip(self.reasons[key], values, strict=True)
                ],
                "best": self._winner(key),
            }
        return {
            "task": self.task,
            "kernels": [repr(kernel) for kernel in self.kernels],
            "criteria": criteria,
        }

    def __repr__(self) -> str:
        winners = {key: self._winner(key) for key in self.scores}
        arrow = {1: "max", -1: "min", 0: ""}
        header = ["kernel", *(f"{key} {arrow[self.direction[key]]}".strip() for key in self.scores)]
        rows = [
            [
                repr(kernel),
                *(
                    f"{values[i]:.6g}{' *' if winners[key] == i else '  '}"
                    for key, values in self.scores.items()
                ),
            ]
            for i, kernel in enumerate(self.kernels)
        ]
        widths = [max(len(row[c]) for row in [header, *rows]) for c in range(len(header))]
        lines = [
            "  ".join(
                cell.ljust(w) if c == 0 else cell.rjust(w)
                for c, (cell, w) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in [header, *rows]
        ]
        count = len(self.kernels)
        title = f"{count} candidate{'s' * (count != 1)}, {self.task} (* best by the criterion)"
        return "\n".join([title, *lines])


@dataclass(frozen=True, repr=False, eq=False)
class Selection:
    """The elected kernel.

    Attributes
    ----------
    kernel : Kernel
        The winner.
    score : float
        Its value under the criterion.
    index : int
        Its place among the candidates.
    criterion : str
        Key of the criterion.
    table : ScoreTable
        All candidates.
    """

    kernel: Kernel
    score: float
    index: int
    criterion: str
    table: ScoreTable

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON.

        Returns
        -------
        dict
            ``kernel``, ``score``, ``index``, ``criterion`` and the ``table``.
        """
        return {
            "kernel": repr(self.kernel),
            "score": float(self.score) if math.isfinite(self.score) else None,
            "index": self.index,
            "criterion": self.criterion,
            "table": self.table.to_dict(),
        }

    def __repr__(self) -> str:
        count = len(self.table.kernels)
        return (
            f"{self.kernel!r} elected by {self.criterion} = {self.score:.6g} "
            f"(candidate {self.index + 1} of {count}, {self.table.task})"
        )
