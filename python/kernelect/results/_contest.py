"""Ways to a model, compared on rows that none of them has seen."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from .._support.arrays import FloatArray
from .._support.notebooks import rows_html
from ._report import plain_number

_WORDS = {
    "auto": "one Gaussian, elected",
    "refined": "the same with a width for every column",
    "committee": "several kernels that predict together",
}


@dataclass(frozen=True, eq=False)
class Contest:
    """What ``kernel="best"`` compared, which way it took, and why.

    Each way chooses kernels, widths, lambdas and weights on one half of the rows and is judged by
    its held-out predictions of the other with these, and the reverse.

    Attributes
    ----------
    names : list of str
        The ways, as ``kernel=`` of the learners calls them; ``"auto"`` first.
    losses : ndarray of shape (ways,)
        Mean squared residuals of rows whose half a way has not seen; NaN where it was not tried.
    gain_errors : ndarray of shape (ways,)
        Standard errors of their differences to the first.
    kept : str
        The way that was taken, then with all rows.
    reason : str
        Why, in one sentence.

    Examples
    --------
    >>> import kernelect as ke
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> ke.LSSVMRegressor("best").fit(X, np.sin(2 * X[:, 0])).report_.kept
    'refined'
    """

    names: list[str]
    losses: FloatArray
    gain_errors: FloatArray
    kept: str
    reason: str

    def __post_init__(self) -> None:
        shape = (len(self.names),)
        if np.shape(self.losses) != shape or np.shape(self.gain_errors) != shape:
            raise TypeError("every way of a contest needs a loss and a standard error")
        if self.kept not in self.names or not isinstance(self.reason, str):
            raise TypeError("a contest keeps one of its ways, and says why")

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
        lines = [f"{self.kept}: {self.reason}"]
        if np.isfinite(self.losses).any():
            lines += [
                f"  {name:<12} {loss:>10} {gain:>16}  {words}".rstrip()
                for name, loss, gain, words in self._rows()
            ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        table = rows_html(("way", "loss", "saved", ""), self._rows())
        return f"<p>{escape(f'{self.kept}: {self.reason}')}</p>{table}"

    def __eq__(self, other: object) -> bool:
        """Whether all that is said is the same."""
        if not isinstance(other, Contest):
            return NotImplemented
        same = (self.names, self.kept, self.reason) == (other.names, other.kept, other.reason)
        return same and all(
            np.array_equal(getattr(self, name), getattr(other, name), equal_nan=True)
            for name in ("losses", "gain_errors")
        )

    def __hash__(self) -> int:
        return hash((*self.names, self.kept, self.reason))
