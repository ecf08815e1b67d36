"""Lambda: one number, a list, or a search around the kernel's own scale."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._support.arguments import check_choice, check_flag, shown

# Times tr(K_c)/n: the ridges that lam="auto" searches.
AUTO_FACTORS = np.exp2(np.arange(-10.0, 11.0))


@dataclass(frozen=True)
class Regularisation:
    """How a ridge is made.

    Attributes
    ----------
    values : ndarray
        Lambdas, or factors of tr(K_c)/n when `relative`.
    single : bool
        One number was given, so that results need no axis of lambdas.
    relative : bool
        Values are relative to each candidate's centred trace.
    mean : bool
        The ridge is m times lambda for a fit on m points, else lambda itself.
    bias : bool
        LSSVM with a bias term, else kernel ridge regression.
    """

    values: NDArray[np.float64]
    single: bool
    relative: bool
    mean: bool
    bias: bool

    @property
    def several(self) -> bool:
        """Whether there is a choice between lambdas, which a list of one does not give."""
        return len(self.values) > 1

    def of_rows(self, rows: int) -> Regularisation:
        """Return a search on this many rows, whose ridges are the same in both conventions."""
        if self.single or not (self.relative and self.mean):
            return self
        return replace(self, values=self.values / rows)

    @property
    def changed(self) -> list[str]:
        """Arguments of a call that are not at their default."""
        usual = self.single and self.values[0] == 1.0
        changes = {"lam": not usual, "lam_convention": self.mean, "bias": not self.bias}
        return [name for name, change in changes.items() if change]


def check_regularisation(lam: Any, convention: str, bias: Any) -> Regularisation:
    """Check the arguments that say how a ridge is made."""
    check_choice(convention, "lam_convention", ("sum", "mean"))
    check_flag(bias, "bias")
    mean = convention == "mean"
    if isinstance(lam, str):
        if lam != "auto":
            raise ValueError(f"lam must be a number, a list of numbers or 'auto', not {shown(lam)}")
        return Regularisation(AUTO_FACTORS, False, True, mean, bool(bias))
    single = not isinstance(lam, Iterable)
    try:
        if lam is None or np.asarray(lam).dtype == bool:
            raise TypeError
        values = np.atleast_1d(np.asarray(lam, dtype=np.float64))
    except (TypeError, ValueError):
        raise TypeError(
            f"lam must be a number, a list of numbers or 'auto', not {shown(lam)}"
        ) from None
    if values.ndim != 1 or len(values) == 0:
        raise ValueError("lam must be a number or a non-empty list of numbers")
    if not (np.isfinite(values).all() and (values > 0).all()):
        bad = values[~(np.isfinite(values) & (values > 0))][0]
        raise ValueError(f"lam must be positive and finite, not {bad:g}")
    return Regularisation(values, single, False, mean, bool(bias))
