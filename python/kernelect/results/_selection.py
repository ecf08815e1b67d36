"""The elected kernel: what `select` gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..kernels import Kernel
from ._plotted import Plotted
from ._plain import plain_number
from ._score_table import ScoreTable


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
