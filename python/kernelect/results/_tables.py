"""What `evaluate` and `select` give back."""

from __future__ import annotations

import difflib
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..criteria import Criterion
from ..kernels import Kernel
from ..kernels._order import order_of
from ._plotted import Plotted

if TYPE_CHECKING:
    import pandas

FloatArray = NDArray[np.float64]

NOT_REACHED = "not reached within time_limit"
NOT_VERIFIED = "not on the shortlist"


def _plain(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


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
    lam : float or None
        The lambda it goes with, where several were tried.
    """

    kernel: Kernel
    score: float
    index: int
    lam: float | None = None


@dataclass(frozen=True, repr=False, eq=False)
class ScoreTable(Plotted):
    """Candidates by criteria.

    Attributes
    ----------
    kernels : list of Kernel
        The candidates.
    scores : dict of str to ndarray
        One value per candidate under each criterion's key; candidates by lambdas for criteria that
        depend on lambda when several were given.
    direction : dict of str to int
        +1: larger is better, -1: smaller is better, 0: a diagnostic.
    reasons : dict of str to list
        Why a value is the worst one where a formula is undefined, else None.
    task : str
        "classification" or "regression": what y was taken for.
    lams : ndarray of shape (n_candidates, n_lambdas) or None
        The lambdas behind the second axis of scores; None where there is none.
    errors : dict of str to ndarray
        Standard errors of held-out losses, shaped like their scores.
    jitter : dict of str to ndarray
        What had to be added to the kernel's diagonal beside lambda, shaped like the scores; only
        under criteria that needed some. It is 1e-12 of the mean diagonal, or ten times that and so on up
        to 1e-6, where a kernel is singular for rounding at a very small lambda.
    """

    kernels: list[Kernel]
    scores: dict[str, FloatArray]
    direction: dict[str, int]
    reasons: dict[str, list[str | None]]
    task: str
    lams: FloatArray | None = None
    errors: dict[str, FloatArray] = field(default_factory=dict)
    _ties: dict[str, FloatArray] = field(default_factory=dict)
    jitter: dict[str, FloatArray] = field(default_factory=dict)

    @property
    def partial(self) -> bool:
        """Whether ``time_limit`` left candidates without a value."""
        return any(reason == NOT_REACHED for part in self.reasons.values() for reason in part)

    def only(self, key: str) -> ScoreTable:
        """Table with one criterion.

        Parameters
        ----------
        key : str
            The criterion to keep.

        Returns
        -------
        ScoreTable
            The same candidates.
        """
        key = self._key(key)
        pick = {
            name: {key: part[key]} if key in part else {} for name, part in self._parts().items()
        }
        two = self.scores[key].ndim == 2
        return ScoreTable(self.kernels, task=self.task, lams=self.lams if two else None, **pick)

    def _parts(self) -> dict[str, dict[str, Any]]:
        return {
            "scores": self.scores,
            "direction": self.direction,
            "reasons": self.reasons,
            "errors": self.errors,
            "_ties": self._ties,
            "jitter": self.jitter,
        }

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
        key = self._key(name)
        loss = self._loss(key)
        if loss.ndim == 1:
            return np.zeros(len(self.kernels), dtype=np.int64)
        ties = self._ties.get(key, np.zeros_like(loss))
        return np.array(
            [np.lexsort((ties[k], loss[k]))[0] for k in range(len(loss))], dtype=np.int64
        )

    def _loss(self, key: str) -> FloatArray:
        if self.direction[key] == 0:
            raise ValueError(f"{key!r} is a diagnostic without a better or worse; it ranks nothing")
        return -self.direction[key] * self.scores[key]

    def _at_best_lambda(self, key: str, values: FloatArray) -> FloatArray:
        if values.ndim == 1:
            return values
        return values[np.arange(len(values)), self.best_lambda(key)]

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
        key = self._key(name)
        loss = self._at_best_lambda(key, self._loss(key))
        ties = self._at_best_lambda(key, self._ties.get(key, np.zeros_like(loss)))
        widths = order_of(self.kernels)
        order = np.arange(len(self.kernels)) if widths is None else -widths
        return np.lexsort((order, ties, loss)).astype(np.int64)

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
        key = self._key(name)
        index = int(self.ranking(key)[0])
        reasons = self.reasons[key]
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
        values = self.scores[key]
        if values.ndim == 1:
            return Choice(self.kernels[index], float(values[index]), index)
        column = int(self.best_lambda(key)[index])
        lam = None if self.lams is None else float(self.lams[index, column])
        return Choice(self.kernels[index], float(values[index, column]), index, lam)

    def to_frame(self) -> pandas.DataFrame:
        """Convert to a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            One column per criterion; one row per candidate, or per candidate and lambda.
        """
        try:
            import pandas as pd
        except ImportError:
            raise ImportError(
                "to_frame needs pandas; install it with: pip install kernelect[frames]"
            ) from None
        names = [repr(kernel) for kernel in self.kernels]
        if self.lams is None:
            return pd.DataFrame(self.scores, index=pd.Index(names, name="kernel"))
        count = self.lams.shape[1]
        index = pd.MultiIndex.from_arrays(
            [np.repeat(names, count), self.lams.ravel()], names=["kernel", "lam"]
        )
        flat = {
            key: values.ravel() if values.ndim == 2 else np.repeat(values, count)
            for key, values in self.scores.items()
        }
        return pd.DataFrame(flat, index=index)

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain data, ready for JSON; infinite values are None with their reason beside.

        Returns
        -------
        dict
            ``task``, ``kernels``, ``lams`` and per criterion ``scores``, ``direction``, ``reasons``,
            ``best``, and ``jitter`` where some was needed.
        """
        criteria: dict[str, dict[str, Any]] = {}
        for key, values in self.scores.items():
            criteria[key] = {
                "direction": self.direction[key],
                "scores": [
                    [_plain(v) for v in row] if values.ndim == 2 else _plain(row) for row in values
                ],
                "reasons": [
                    reason or ("infinite, the best value" if np.isinf(row).all() else None)
                    for reason, row in zip(self.reasons[key], values, strict=True)
                ],
                "best": self._winner(key),
            }
            if key in self.jitter:
                criteria[key]["jitter"] = self.jitter[key].tolist()
        return {
            "task": self.task,
            "kernels": [repr(kernel) for kernel in self.kernels],
            "lams": None
            if self.lams is None
            else [[_plain(lam) for lam in row] for row in self.lams],
            "criteria": criteria,
        }

    def __repr__(self) -> str:
        from ._text import scores

        count = len(self.kernels)
        title = f"{count} candidate{'s' * (count != 1)}, {self.task} (* best by the criterion)"
        if self.partial:
            title += ", partial: the time limit was reached"
        if self.jitter:
            title += f", jitter needed by {', '.join(self.jitter)}"
        return f"{title}\n{scores(self, digits=6)}"

    def _repr_html_(self) -> str:
        from ._html import table_html

        return table_html(self)


@dataclass(frozen=True, repr=False, eq=False)
class Selection(Plotted):
    """The elected kernel.

    Attributes
    ----------
    kernel : Kernel
        The winner.
    score : float
        Its value under the criterion; for "auto" its leave-one-out loss.
    index : int
        Its place among the candidates.
    criterion : str
        Key of the criterion.
    table : ScoreTable
        All candidates.
    lam : float or None
        The lambda it goes with, where several were tried.
    verified : list of int or None
        For "auto": the candidates whose leave-one-out loss was computed.
    lead : float or None
        How much better than the runner-up the winner is, as a share of the winner's loss; None where
        there is no runner-up or the criterion is not a loss.
    partial : bool
        Whether ``time_limit`` ended the election early: the best decision so far.
    """

    kernel: Kernel
    score: float
    index: int
    criterion: str
    table: ScoreTable
    lam: float | None = None
    verified: list[int] | None = None
    lead: float | None = None
    partial: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain data, ready for JSON.

        Returns
        -------
        dict
            ``kernel``, ``score``, ``index``, ``criterion``, ``lam``, ``verified``, ``lead`` and the
            ``table``.
        """
        return {
            "kernel": repr(self.kernel),
            "score": _plain(self.score),
            "index": self.index,
            "criterion": self.criterion,
            "lam": self.lam,
            "verified": self.verified,
            "lead": self.lead,
            "partial": self.partial,
            "table": self.table.to_dict(),
        }

    def __repr__(self) -> str:
        count = len(self.table.kernels)
        text = f"{self.kernel!r} elected by {self.criterion} = {self.score:.6g}"
        if self.criterion == "auto":
            text = f"{self.kernel!r} elected by auto, loo = {self.score:.6g}"
        if self.lam is not None:
            text += f" at lam = {self.lam:.4g}"
        text += f" (candidate {self.index + 1} of {count}, {self.table.task}"
        if self.verified is not None:
            text += f", {len(self.verified)} verified"
            if self.lead is not None:
                text += f", {self.lead:.1%} ahead"
        if self.partial:
            text += ", partial: the time limit was reached"
        return text + ")"

    def _repr_html_(self) -> str:
        from ._html import selection_html

        return selection_html(self)
