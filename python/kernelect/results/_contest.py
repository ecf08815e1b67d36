"""Ways to a model, compared on rows that none of them has seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np

from .._support.arrays import FloatArray
from .._support.notebooks import rows_html
from ._refinement import relevance_html, relevance_rows
from ._report import plain_number
from ._text import folded

# Losses are those of unseen rows; what is saved is a share of the first.
_HEAD = ("way", "loss", "saved", "")
_WORDS = {
    "auto": "one Gaussian, elected",
    "refined": "one kernel with a width for every column",
    "committee": "several kernels that predict together",
}


@dataclass(frozen=True, eq=False)
class Contest:
    """What ``kernel="best"`` compared, which way it took, and why.

    All are judged by outputs for rows that they have not seen: refined kernels by models whose
    widths come from the half that the row is not in, committees by weights from other rows.

    Attributes
    ----------
    names : list of str
        The ways, as ``kernel=`` of the learners calls them; ``"auto"`` first.
    losses : ndarray of shape (ways,)
        Mean squared residuals of unseen rows; NaN of what was not tried.
    gain_errors : ndarray of shape (ways,)
        Standard errors of their differences to the first.
    kept : str
        The way that was taken.
    reason : str
        Why, in one sentence.
    relevance : dict of str to float
        Each column's share in the squared distances of the refined kernel, or of the refined
        member with the largest weight; empty without one. `plots.relevance` draws it.

    Examples
    --------
    >>> import kernelect as ke
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> report = ke.LSSVMRegressor("best").fit(X, np.sin(2 * X[:, 0])).report_
    >>> report.kept, max(report.relevance, key=report.relevance.get)
    ('refined', 'x0')
    """

    names: list[str]
    losses: FloatArray
    gain_errors: FloatArray
    kept: str
    reason: str
    relevance: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        shape = (len(self.names),)
        if np.shape(self.losses) != shape or np.shape(self.gain_errors) != shape:
            raise TypeError("every way of a contest needs a loss and a standard error")
        if self.kept not in self.names or not isinstance(self.reason, str):
            raise TypeError("a contest keeps one of its ways, and says why")
        if not isinstance(self.relevance, Mapping):
            raise TypeError("relevances of a contest go by columns")

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain data, ready for JSON.

        Returns
        -------
        dict
            The attributes; None for losses that are not known.
        """
        return {
            "names": list(self.names),
            "losses": plain_number(self.losses.tolist()),
            "gain_errors": plain_number(self.gain_errors.tolist()),
            "kept": self.kept,
            "reason": self.reason,
            "relevance": dict(self.relevance),
        }

    def _rows(self) -> list[tuple[str, str, str, str]]:
        rows = []
        for name, loss, error in zip(self.names, self.losses, self.gain_errors, strict=True):
            known = np.isfinite(loss)
            saved = 1.0 - loss / self.losses[0] if self.losses[0] > 0.0 else 0.0
            relative = error / self.losses[0] if self.losses[0] > 0.0 else 0.0
            gain = f"{saved:+.1%} ± {relative:.1%}" if name != self.names[0] and known else ""
            mark = f"{name} *" if name == self.kept else name
            rows.append((mark, f"{loss:.4g}" if known else "-", gain, _WORDS.get(name, "")))
        return rows

    def __repr__(self) -> str:
        lines = [folded(f"{self.kept}: {self.reason}")]
        if np.isfinite(self.losses).any():
            lines += [
                f"  {name:<12} {loss:>10} {gain:>16}  {words}".rstrip()
                for name, loss, gain, words in [_HEAD, *self._rows()]
            ]
        if self.relevance:
            lines.append("  how much columns count, where they have widths of their own")
        lines += [f"  {share}  {name}" for name, share in relevance_rows(self.relevance)]
        return "\n".join(lines)

    def _compared_html(self) -> str:
        table = rows_html(_HEAD, self._rows()) if np.isfinite(self.losses).any() else ""
        return f"<p>{escape(f'{self.kept}: {self.reason}')}</p>{table}"

    def _repr_html_(self) -> str:
        return self._compared_html() + relevance_html(self.relevance)

    def __eq__(self, other: object) -> bool:
        """Whether all that is said is the same."""
        if not isinstance(other, Contest):
            return NotImplemented
        told = [(one.names, one.kept, one.reason, dict(one.relevance)) for one in (self, other)]
        return told[0] == told[1] and all(
            np.array_equal(getattr(self, name), getattr(other, name), equal_nan=True)
            for name in ("losses", "gain_errors")
        )

    def __hash__(self) -> int:
        return hash((*self.names, self.kept, self.reason))
