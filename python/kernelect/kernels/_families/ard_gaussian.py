"""Gaussian kernels with a width of their own for every feature."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..._data.rows import Tables
from .._base import Kernel
from .._parameters import Parameter
from ._column_widths import ScaledColumns, shown_numbers
from .gaussian import Gaussian

if TYPE_CHECKING:
    from ..._data.rows import Program


# Rates between which the square of a distance that matters is in the range of doubles.
_LEAST_RATE, _GREATEST_RATE = 1e-200, 1e290


@dataclass(frozen=True, repr=False, init=False)
class ARDGaussian(Kernel):
    r"""Gaussian kernel :math:`\exp(-\sum_j \gamma_j (x_j - x'_j)^2)`, one rate per feature.

    Features with a rate of 0 have no influence (automatic relevance determination).

    Parameters
    ----------
    gammas : sequence of float
        The rates :math:`\gamma_j`, not negative.

    Examples
    --------
    >>> import kernelect as ke
    >>> k = ke.ARDGaussian([1.0, 0.0])
    >>> k([[0.0, 5.0]], [[1.0, -7.0]]).round(4)
    array([[0.3679]])
    """

    gammas: tuple[float, ...]

    def __init__(self, gammas: Sequence[float] | ArrayLike) -> None:
        rates = tuple(float(g) for g in np.asarray(gammas, dtype=np.float64).ravel())
        if not rates:
            raise ValueError("ARDGaussian needs a rate for every feature, not none")
        for rate in rates:
            if not math.isfinite(rate) or rate < 0:
                raise ValueError(f"ARDGaussian: rates must be zero or positive, not {rate!r}")
        object.__setattr__(self, "gammas", rates)

    @property
    def _factors(self) -> tuple[float, tuple[float, ...]]:
        """The rate, and what columns are multiplied by.

        The largest rate is left to the kernel, so that columns are not scaled out of range.
        """
        rate = min(max(*self.gammas, _LEAST_RATE), _GREATEST_RATE)
        return rate, tuple(math.sqrt(g / rate) for g in self.gammas)

    def _program(self, tables: Tables) -> Program:
        rate, factors = self._factors
        return [("gaussian", rate, 0.0, 0, tables.view(ScaledColumns(factors)))]

    @property
    def _on_scaled_columns(self) -> tuple[tuple[float, ...], Kernel] | None:
        rate, factors = self._factors
        return factors, Gaussian(gamma=rate)

    def _parameters(self, start: int) -> list[Parameter]:
        return [
            Parameter("gammas", rate, start, column=place, power=1.0)
            for place, rate in enumerate(self.gammas)
            if rate > 0.0
        ]

    def _with_values(self, values: Iterator[float]) -> Kernel:
        return ARDGaussian([next(values) if rate > 0.0 else 0.0 for rate in self.gammas])

    @property
    def _has_unit_diagonal(self) -> bool:
        return True

    def _params_for(self, names: set[str]) -> dict[str, Any]:
        if "optimizer" in names and all(g > 0 for g in self.gammas):
            from sklearn.gaussian_process.kernels import RBF

            return {"kernel": RBF(np.sqrt(0.5 / np.array(self.gammas)), "fixed")}
        return {}

    def __repr__(self) -> str:
        return f"ARDGaussian({shown_numbers(self.gammas)})"
