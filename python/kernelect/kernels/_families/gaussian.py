"""The Gaussian kernel."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._data.rows import Rows, Tables, is_sparse
from ..._support.remedy import Remedy
from .._base import Kernel, positive
from .._facts import Axis
from .._torus import torus_around
from ..operator_spectra import gaussian_measure_eigenvalues, gaussian_torus_eigenvalues

if TYPE_CHECKING:
    from ..._data.rows import Program

# A width is that of a rate, short and exact, where both agree to rounding.
_ROUNDING = 1e-15
# Steps of a grid are even where they differ by no more than this.
_EVEN = 1e-6
# By how many powers of two a grid is widened at least, and by how many of its own steps.
_REACH, _STEPS = 8.0, 4.0
# Of variances and widths, whose quotients then stay in the range of numbers.
_RANGE = (1e-300, 1e300)


@dataclass(frozen=True, repr=False)
class Gaussian(Kernel):
    r"""Gaussian kernel :math:`\exp(-\|x - x'\|^2 / (2 \tau))`.

    Parameters
    ----------
    tau : float
        Squared width. ``Gaussian(gamma=...)`` and ``Gaussian(sigma=...)`` take scikit-learn's
        ``gamma`` = 1/(2 tau) or the width ``sigma`` = sqrt(tau) instead.

    Examples
    --------
    >>> import kernelect as ke
    >>> ke.Gaussian(8.0)
    Gaussian(tau=8.0)
    >>> ke.Gaussian(8.0).gamma
    0.0625
    >>> ke.Gaussian(gamma=0.0625) == ke.Gaussian(sigma=8 ** 0.5) == ke.Gaussian(tau=8.0)
    True
    >>> ke.Gaussian(2.0)([[0.0], [1.0]]).round(4)
    array([[1.    , 0.7788],
           [0.7788, 1.    ]])
    """

    tau: float

    _axis: ClassVar[Axis | None] = Axis(
        "tau",
        r"squared width $\tau$ of the Gaussian kernel",
        "values of tau",
        base=2,
        symbol=r"\tau",
        title="Gaussian kernel",
    )
    _names: ClassVar[tuple[str, ...]] = ("gaussian", "rbf")
    _powers: ClassVar[Mapping[str, tuple[float, float]]] = {"tau": (-1.0, 0.0)}
    _is_bracketed: ClassVar[bool] = True

    def __init__(
        self, tau: float | None = None, *, gamma: float | None = None, sigma: float | None = None
    ) -> None:
        if sum(value is not None for value in (tau, gamma, sigma)) != 1:
            raise TypeError("Gaussian needs exactly one of tau, gamma and sigma")
        if gamma is not None:
            value = 1.0 / (2.0 * positive("gamma", gamma, "Gaussian"))
        elif sigma is not None:
            # A width that is the root of a short number gives back that number.
            width = positive("sigma", sigma, "Gaussian")
            square = width * width
            short = float(f"{square:.14g}")
            value = short if abs(short - square) <= _ROUNDING * square else square
        else:
            value = positive("tau", tau, "Gaussian")
        if not (math.isfinite(value) and value > 0 and math.isfinite(1.0 / value)):
            raise ValueError(f"Gaussian: tau = {value!r} is too extreme for floating point")
        object.__setattr__(self, "tau", value)

    @property
    def gamma(self) -> float:
        """Scikit-learn's parameter, 1/(2 tau)."""
        return 0.5 / self.tau

    @property
    def sigma(self) -> float:
        """The width, sqrt(tau)."""
        return math.sqrt(self.tau)

    def _program(self, tables: Tables) -> Program:
        return [("gaussian", self.gamma, 0.0, 0, tables.whole())]

    def _per_column(self, count: int) -> Kernel:
        from .ard_gaussian import ARDGaussian

        return ARDGaussian([self.gamma] * count)

    @property
    def _width(self) -> float | None:
        return self.tau

    def _beyond(self, grid: Sequence[Kernel], wide: bool) -> str | None:
        widths = np.array([kernel._width for kernel in grid], dtype=np.float64)
        exponents = np.sort(np.log2(widths))
        steps = np.diff(exponents)
        reach = max(_REACH, _STEPS * float(steps.max()))
        low, high = exponents[0] - (not wide) * reach, exponents[-1] + wide * reach
        even = np.ptp(steps) < _EVEN and abs(steps[0] - 1.0) > _EVEN
        ends = [f"{number:.6g}" for number in (low, high, *([steps[0]] if even else []))]
        example = f"{super()._beyond(grid, wide)}, for example"
        return Remedy(
            f"{example} gaussian_grid({', '.join(ends)}), or kernels='auto'",
            f"{example} --grid {':'.join(ends)}, or --grid auto",
        )

    @property
    def _has_unit_diagonal(self) -> bool:
        return True

    @property
    def _rates(self) -> tuple[float, ...] | None:
        return (self.gamma,)

    @classmethod
    def _of_data(cls, rows: Rows, weights: NDArray[np.float64] | None) -> Kernel:
        from ..heuristics import scale

        return scale(rows, weights)

    @classmethod
    def _heuristics(cls, X: Any) -> dict[str, float]:
        from ..heuristics import median, scale

        found = {}
        for heuristic in (scale, median):
            # Equal rows have no median distance, very large and very small ones no squares.
            with suppress(ValueError):
                found[heuristic.__name__] = heuristic(X).tau
        return found

    def _operator_eigenvalues(self, rows: Rows, count: int, measure: str) -> NDArray[np.float64]:
        dim = rows.shape[1]
        if measure == "torus":
            period = torus_around(rows, self.tau)
            return gaussian_torus_eigenvalues(count, tau=self.tau, period=period, dim=dim)
        dense = rows.toarray() if is_sparse(rows) else rows
        # Only tau over the variance matters, so both are taken in a unit in which squares of the
        # features stay in range: a power of two, which leaves the digits as they are.
        exponent = int(np.frexp(np.abs(dense).max(initial=0.0))[1])
        variance = max(float(np.ldexp(dense, -exponent).var(axis=0).mean()), _RANGE[0])
        with np.errstate(over="ignore", under="ignore"):
            tau = float(np.clip(np.ldexp(self.tau, -2 * exponent), *_RANGE))
        return gaussian_measure_eigenvalues(count, tau=tau, variance=variance, dim=dim)

    def _params_for(self, names: set[str]) -> dict[str, Any]:
        if "gamma" in names:
            return {"kernel": "rbf", "gamma": self.gamma}
        if "optimizer" in names:
            from sklearn.gaussian_process.kernels import RBF

            return {"kernel": RBF(self.sigma, length_scale_bounds="fixed")}
        return {}
