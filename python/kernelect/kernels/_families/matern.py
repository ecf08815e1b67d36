"""The Matern kernel."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._data.rows import Rows, Tables
from .._base import Kernel, positive
from .._facts import Axis
from .._torus import need_torus, torus_around
from ..operator_spectra import matern_torus_eigenvalues

if TYPE_CHECKING:
    from ..._data.rows import Program


@dataclass(frozen=True, repr=False)
class Matern(Kernel):
    r"""Matern kernel with smoothness 1/2, 3/2 or 5/2.

    With :math:`s = \sqrt{2\nu}\,\|x - x'\| / \ell`: :math:`e^{-s}`, :math:`(1 + s) e^{-s}` or
    :math:`(1 + s + s^2/3) e^{-s}`.

    Parameters
    ----------
    nu : {0.5, 1.5, 2.5}
        Smoothness.
    length_scale : float, default=1.0
        The length :math:`\ell`.

    Examples
    --------
    >>> import kernelect as ke
    >>> ke.Matern(1.5, 2.0)([[0.0], [1.0]]).round(4)
    array([[1.    , 0.7849],
           [0.7849, 1.    ]])
    """

    nu: float
    length_scale: float = 1.0

    _axis: ClassVar[Axis | None] = Axis(
        "length_scale", r"length scale $\ell$ of the Matérn kernel", "length scales"
    )
    _names: ClassVar[tuple[str, ...]] = ("matern",)

    def __post_init__(self) -> None:
        object.__setattr__(self, "nu", positive("nu", self.nu, "Matern"))
        if self.nu not in (0.5, 1.5, 2.5):
            raise ValueError(f"Matern: nu must be 0.5, 1.5 or 2.5, not {self.nu!r}")
        object.__setattr__(
            self, "length_scale", positive("length_scale", self.length_scale, "Matern")
        )
        if not math.isfinite(2.0 * self._rate):
            raise ValueError(
                f"Matern: length_scale = {self.length_scale!r} is too small for floating point"
            )

    @property
    def _rate(self) -> float:
        return math.sqrt(2 * self.nu) / self.length_scale

    def _program(self, tables: Tables) -> Program:
        return [(f"matern{int(2 * self.nu)}2", self._rate, 0.0, 0, tables.whole())]

    @property
    def _width(self) -> float | None:
        return self.length_scale

    @property
    def _common(self) -> Hashable:
        return self.nu

    @property
    def _has_unit_diagonal(self) -> bool:
        return True

    @classmethod
    def _of_data(cls, rows: Rows, weights: NDArray[np.float64] | None) -> Kernel:
        from ..heuristics import scale

        return cls(1.5, scale(rows, weights).sigma)

    def _operator_eigenvalues(self, rows: Rows, count: int, measure: str) -> NDArray[np.float64]:
        need_torus(self, measure)
        period = torus_around(rows, self.length_scale**2)
        return matern_torus_eigenvalues(
            count, nu=self.nu, length_scale=self.length_scale, period=period, dim=rows.shape[1]
        )

    def _params_for(self, names: set[str]) -> dict[str, Any]:
        if "optimizer" not in names:
            return {}
        from sklearn.gaussian_process import kernels

        return {"kernel": kernels.Matern(self.length_scale, "fixed", nu=self.nu)}
