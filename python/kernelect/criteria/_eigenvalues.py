"""What criteria of eigenvalues share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .._support.warning import warn_caller
from ._base import Criterion
from ._column import FloatArray
from ._evidence import Evidence

# Neighbouring eigenvalues that differ by less than this share of the largest count as equal.
_EQUAL = 1e-12


def whole(value: Any, name: str, owner: str) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{owner}: {name} must be a whole number, not {value!r}")
    if value < 1:
        raise ValueError(f"{owner}: {name} must be at least 1, not {value}")


def number(value: Any, name: str, owner: str, *, zero: bool = True) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise TypeError(f"{owner}: {name} must be a number, not {value!r}")
    if not math.isfinite(value) or value < 0 or (value == 0 and not zero):
        wanted = "zero or positive" if zero else "positive"
        raise ValueError(f"{owner}: {name} must be {wanted} and finite, not {value!r}")


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
    equal = np.flatnonzero(values[:, t - 1] - values[:, t] <= _EQUAL * values[:, 0])
    if len(equal):
        warn_caller(
            f"{key}: eigenvalues {t} and {t + 1} of {evidence.kernels[equal[0]]!r} are equal, so the "
            "proportion is not differentiable in the kernel there",
        )
    shares = values[:, :t].sum(axis=1) / np.where(trace > 0, trace, 1.0)
    return np.asarray(np.clip(shares, 0.0, 1.0))


def training_loss(evidence: Evidence) -> FloatArray:
    """Mean squared residual of the training rows, (candidates, lambdas)."""
    return np.asarray((evidence.ridge.residuals**2).mean(axis=(2, 3)))
