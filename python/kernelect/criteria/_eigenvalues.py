"""What criteria of eigenvalues share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .._support.arrays import FloatArray
from .._support.warning import warn_caller
from ._base import Criterion
from ._evidence import Evidence

# A proportion this near to 1 leaves nothing beside the leading eigenvalues; a rest below the second
# number has no two digits beside the rounding of a share near 1.
_WHOLE, _VAGUE = 1.0 - 1e-15, 1e-14


@dataclass(frozen=True, repr=False)
class SpectrumCriterion(Criterion):
    """A criterion on eigenvalues of the kernel matrix."""

    regression: ClassVar[bool] = True
    undefined: ClassVar[str] = (
        "the kernel matrix has entries that are not finite; scale X or leave this kernel out"
    )


def share(evidence: Evidence, t: int, key: str) -> FloatArray:
    """Sum of the t largest eigenvalues over the trace."""
    spectrum = evidence.spectrum
    values, trace = spectrum.leading, spectrum.trace
    if not spectrum.converged:
        warn_caller(
            f"{key}: the eigenvalues of some kernels did not converge to {spectrum.tolerance:g}"
        )
    shares = values[:, :t].sum(axis=1) / np.where(trace > 0, trace, 1.0)
    return np.asarray(np.clip(shares, 0.0, 1.0))


def remainder(evidence: Evidence, shares: FloatArray, key: str) -> FloatArray:
    """Return what the leading eigenvalues leave of the trace; 0 for rounding error alone."""
    rest = np.where(shares >= _WHOLE, 0.0, 1.0 - shares)
    vague = np.flatnonzero((rest > 0.0) & (rest < _VAGUE))
    if len(vague):
        warn_caller(
            f"{key} of {evidence.kernels[vague[0]]!r} has hardly any correct digits: 1 - PEP "
            f"= {rest[vague[0]]:.0e} is near rounding error; look at pep instead"
        )
    return np.asarray(rest)


def training_loss(evidence: Evidence) -> FloatArray:
    """Mean squared residual of the training rows, (candidates, lambdas).

    In units of the variance of y, so that what is added to it weighs the same in every unit.
    """
    squares = ((evidence.ridge.residuals / evidence.target.unit) ** 2).mean(axis=3)
    return np.asarray(np.average(squares, axis=2, weights=evidence.target.weights))
