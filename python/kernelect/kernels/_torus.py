"""The torus on which the operators of translation-invariant kernels have known spectra."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from .._data.rows import Rows, is_sparse
from .._support.arguments import check_number

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

# Lengths after which a Gaussian has died out: exp(-18).
_APART = 6.0


def torus_period(X: ArrayLike, *, tau: float) -> float:
    """Choose a torus wide enough that a Gaussian kernel does not reach around it.

    Parameters
    ----------
    X : array_like of shape (n, d)
        The sample.
    tau : float
        Squared length of the Gaussian kernel ``exp(-|x - x'|^2 / (2 tau))``; for another kernel, a
        squared length after which it has died out just as much.

    Returns
    -------
    float
        The widest range of a column plus ``6 sqrt(tau)``.

    Examples
    --------
    >>> from kernelect.kernels.operator_spectra import torus_period
    >>> torus_period([[0.0, 1.0], [2.0, 1.5]], tau=0.25)
    5.0
    """
    sample = np.asarray(X, dtype=np.float64)
    if sample.ndim != 2 or sample.size == 0 or not np.isfinite(sample).all():
        raise ValueError(f"X must be a finite, non-empty table, not of shape {sample.shape}")
    return float(np.ptp(sample, axis=0).max()) + _APART * sqrt(
        check_number(tau, "tau", positive=True)
    )


def torus_around(rows: Rows, tau: float) -> float:
    """Return the period of a torus that holds checked rows, as `torus_period` chooses it."""
    return torus_period(rows.toarray() if is_sparse(rows) else rows, tau=tau)


def need_torus(kernel: object, measure: str) -> None:
    """Refuse the Gaussian measure for a kernel whose spectrum is known on the torus only."""
    if measure != "torus":
        raise ValueError(f"ep with the Gaussian measure needs a Gaussian kernel, not {kernel!r}")
