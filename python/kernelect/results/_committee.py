"""Several kernels that predict together."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from .._support.arguments import check_number, check_whole
from .._support.arrays import FloatArray
from ..kernels import Kernel
from ._report import plain_number
from ._text import folded


@dataclass(frozen=True, eq=False)
class Committee:
    """The members of a committee, their weights, and what these were worth on unseen rows.

    Attributes
    ----------
    kernels : list of Kernel
        One per member.
    lams : ndarray of shape (members,)
        Their lambdas.
    weights : ndarray of shape (members,)
        Non-negative, they add up to 1.
    elected : Kernel
        The kernel that an election alone would have taken; the weights are shrunk towards it.
    loss : float
        Mean squared residual of rows that neither models nor weights have seen.
    elected_loss : float
        That of the elected kernel alone.
    gain_error : float
        Standard error of the difference of the two.
    kept : float
        Share of the fitted weights that shrinking towards the elected kernel has left, 0 to 1.
    n_candidates : int
        Models that were weighed.

    Examples
    --------
    >>> import kernelect as ke
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> committee = ke.LSSVMRegressor("committee").fit(X, y).committee_
    >>> committee.loss < 1.01 * committee.elected_loss
    True
    """

    kernels: list[Kernel]
    lams: FloatArray
    weights: FloatArray
    elected: Kernel
    loss: float
    elected_loss: float
    gain_error: float
    kept: float
    n_candidates: int

    def __post_init__(self) -> None:
        members = (len(self.kernels),)
        if not members[0] or not all(isinstance(kernel, Kernel) for kernel in self.kernels):
            raise TypeError(
                "a committee needs at least one member, and all of them must be kernels"
            )
        if np.shape(self.lams) != members or np.shape(self.weights) != members:
            raise TypeError("every member of a committee needs a lambda and a weight")
        check_whole(self.n_candidates, "n_candidates", least=1)
        for name in ("loss", "elected_loss", "gain_error", "kept"):
            check_number(getattr(self, name), name, zero=True)

    @property
    def gain(self) -> float:
        """Share of the elected kernel's loss that the committee saves on unseen rows."""
        return 1.0 - self.loss / self.elected_loss if self.elected_loss > 0 else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain data, ready for JSON.

        Returns
        -------
        dict
            The attributes; kernels as text.
        """
        return {
            "kernels": [repr(kernel) for kernel in self.kernels],
            "lams": self.lams.tolist(),
            "weights": self.weights.tolist(),
            "elected": repr(self.elected),
            "loss": plain_number(self.loss),
            "elected_loss": plain_number(self.elected_loss),
            "gain_error": plain_number(self.gain_error),
            "kept": self.kept,
            "n_candidates": self.n_candidates,
        }

    def _said(self) -> str:
        if self.kernels == [self.elected]:
            return (
                f"{self.elected} stays alone: of {self.n_candidates} models no mixture gains on "
                "unseen rows"
            )
        several = len(self.kernels) > 1
        return (
            f"{len(self.kernels)} of {self.n_candidates} models "
            f"{'predict together' if several else 'predicts'}: a loss of {self.loss:.4g} on rows "
            f"that {'their weights have' if several else 'its weight has'} not seen, against "
            f"{self.elected_loss:.4g} by {self.elected} alone ({self.gain:.1%} ± "
            f"{self._relative_error():.1%} saved)"
        )

    def _relative_error(self) -> float:
        return self.gain_error / self.elected_loss if self.elected_loss > 0 else 0.0

    def __repr__(self) -> str:
        lines = [folded(self._said())]
        if self.kernels != [self.elected]:
            lines += [
                f"  {weight:.3f}  {kernel} at lam = {lam:.4g}"
                for kernel, lam, weight in zip(self.kernels, self.lams, self.weights, strict=True)
            ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><td>{weight:.3f}</td><td style="text-align: left">{escape(str(kernel))}</td>'
            f"<td>{lam:.4g}</td></tr>"
            for kernel, lam, weight in zip(self.kernels, self.lams, self.weights, strict=True)
        )
        return (
            f"<p>{escape(self._said())}</p><table><thead><tr><th>weight</th>"
            '<th style="text-align: left">kernel</th>'
            f"<th>λ</th></tr></thead><tbody>{rows}</tbody></table>"
        )

    def __eq__(self, other: object) -> bool:
        """Whether all that is said is the same."""
        if not isinstance(other, Committee):
            return NotImplemented
        return self.kernels == other.kernels and all(
            np.array_equal(getattr(self, name), getattr(other, name), equal_nan=True)
            for name in ("lams", "weights", "loss", "elected_loss", "gain_error", "kept")
        )

    def __hash__(self) -> int:
        return hash((tuple(self.kernels), self.n_candidates))
