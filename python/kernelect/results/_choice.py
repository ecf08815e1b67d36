"""One candidate with its score."""

from __future__ import annotations

from dataclasses import dataclass

from ..kernels import Kernel


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
