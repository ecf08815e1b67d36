"""What criteria of eigenvalues share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .._support.arrays import FloatArray
from .._support.warning import warn_caller
from ._base import Criterion
from ._evidence import Evidence


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


def training_loss(evidence: Evidence) -> FloatArray:
    """Mean squared residual of the training rows, (candidates, lambdas)."""
    return np.asarray((evidence.ridge.residuals**2).mean(axis=(2, 3)))
