"""What became of an elected kernel when its parameters were refined."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from html import escape
from typing import Any

import numpy as np

from .._support.arguments import check_flag, check_number, check_whole
from .._support.notebooks import rows_html
from ..kernels import Kernel
from ._report import plain_number
from ._text import folded

_SHOWN = 12  # columns that are named


@dataclass(frozen=True, eq=False)
class Refinement:
    """From which kernel a refinement set out, what it was worth on unseen rows, and its outcome.

    Half of the rows refine and the others judge, and the reverse: the losses are those of all rows,
    none of them seen by the parameters that they judge.

    Attributes
    ----------
    start : Kernel
        Where it set out from.
    start_lam : float or None
        The lambda of the start, where the criterion depends on one.
    criterion : str
        Key of the criterion that was refined by.
    adopted : bool
        Whether the refined kernel took the place of the start.
    reason : str
        Why, in one sentence.
    loss : float
        Mean squared residual of refined kernels on rows that they have not seen; NaN where nothing
        was refined.
    start_loss : float
        That of the start on the same rows.
    gain_error : float
        Standard error of the difference of the two.
    evaluations : int
        How many values and gradients were computed, of halves and of all rows.
    relevance : dict of str to float
        Each column's share in the squared distances of the kernel: its variance over its
        squared width, where columns have widths of their own; else empty.

    Examples
    --------
    >>> import kernelect as ke
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> chosen = ke.refine(X, np.sin(2 * X[:, 0]))
    >>> chosen.refinement.adopted, max(chosen.refinement.relevance.values()) > 0.9
    (True, True)
    """

    start: Kernel
    start_lam: float | None
    criterion: str
    adopted: bool
    reason: str
    loss: float
    start_loss: float
    gain_error: float
    evaluations: int
    relevance: Mapping[str, float]

    def __post_init__(self) -> None:
        if not isinstance(self.start, Kernel) or not isinstance(self.relevance, Mapping):
            raise TypeError("a refinement sets out from a kernel, and names columns")
        if not isinstance(self.reason, str) or not isinstance(self.criterion, str):
            raise TypeError("a refinement has a criterion and a reason, both of them text")
        check_flag(self.adopted, "adopted")
        check_whole(self.evaluations, "evaluations", least=0)
        for name in ("loss", "start_loss", "gain_error"):
            if not np.isnan(value := getattr(self, name)):
                check_number(value, name, zero=True)

    @property
    def gain(self) -> float:
        """Share of the start's loss that refined kernels save on unseen rows; NaN if not known."""
        return 1.0 - self.loss / self.start_loss if self.start_loss > 0.0 else float("nan")

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain data, ready for JSON.

        Returns
        -------
        dict
            The attributes; the start as text, numbers that are not known as None.
        """
        data = {item.name: getattr(self, item.name) for item in fields(self)}
        for name in ("loss", "start_loss", "gain_error"):
            data[name] = plain_number(data[name])
        return {**data, "start": repr(self.start), "relevance": dict(self.relevance)}

    def _said(self) -> str:
        verb = "refined from" if self.adopted else "kept:"
        return f"{verb} {self.start} by {self.criterion}: {self.reason}"

    def __repr__(self) -> str:
        lines = [folded(self._said())]
        lines += [f"  {share}  {name}" for name, share in relevance_rows(self.relevance)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<p>{escape(self._said())}</p>{relevance_html(self.relevance)}"

    def __eq__(self, other: object) -> bool:
        """Whether all that is said is the same; NaN is like NaN."""
        if not isinstance(other, Refinement):
            return NotImplemented
        pairs = [(getattr(self, f.name), getattr(other, f.name)) for f in fields(self)]
        return all(one == two or (one != one and two != two) for one, two in pairs)  # noqa: PLR0124

    def __hash__(self) -> int:
        return hash((self.start, self.criterion, self.adopted, self.reason))


def relevance_rows(relevance: Mapping[str, float]) -> list[tuple[str, str]]:
    """Columns with their shares as text, the largest first; of many the last ones together."""
    names = sorted(relevance, key=lambda name: -relevance[name])
    shown = names if len(names) <= _SHOWN else names[: _SHOWN - 1]
    rows = [(name, f"{relevance[name]:6.1%}") for name in shown]
    if others := names[len(shown) :]:
        together = sum(relevance[name] for name in others)
        rows.append((f"{len(others)} others together", f"{together:6.1%}"))
    return rows


def relevance_html(relevance: Mapping[str, float]) -> str:
    """Table of columns and their shares; nothing where there are none."""
    rows = [(name, share.strip()) for name, share in relevance_rows(relevance)]
    return rows_html(("column", "relevance"), rows) if rows else ""
