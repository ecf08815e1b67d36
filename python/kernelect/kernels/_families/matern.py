"""The Matern kernel."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._data.rows import Rows, Tables
from .._base import Kernel, positive
from .._facts import Axis
from .._torus import need_torus, torus_around
from ..operator_spectra import matern_torus_eigenvalues
from ._column_widths import WithLengthScale, in_range

if TYPE_CHECKING:
    from ..._data.rows import Program


@dataclass(frozen=True, repr=False)
class Matern(WithLengthScale):
    r"""Matern kernel with smoothness 1/2, 3/2 or 5/2.

    With :math:`s = \sqrt{2\nu}\,\|x - x'\| / \ell`: :math:`e^{-s}`, :math:`(1 + s) e^{-s}` or
    :math:`(1 + s + s^2/3) e^{-s}`.

    Parameters
    ----------
    nu : {0.5, 1.5, 2.5}
        Smoothness.
    length_scale : float or sequence of float, default=1.0
        The length :math:`\ell`; or one for every column, of which each is then divided by its own.

    Examples
    --------
    >>> import kernelect as ke
    >>> ke.Matern(1.5, 2.0)([[0.0], [1.0]]).round(4)
    array([[1.    , 0.7849],
           [0.7849, 1.    ]])
    """

    nu: float
    length_scale: float | Sequence[float] = 1.0

    _axis: ClassVar[Axis | None] = Axis(
        "length_scale", r"length scale $\ell$ of the Matérn kernel", "length scales"
    )
    _names: ClassVar[tuple[str, ...]] = ("matern",)
    _powers: ClassVar[Mapping[str, tuple[float, float]]] = {"length_scale": (-1.0, 0.0)}

    def __post_init__(self) -> None:
        object.__setattr__(self, "nu", positive("nu", self.nu, "Matern"))
        if self.nu not in (0.5, 1.5, 2.5):
            raise ValueError(f"Matern: nu must be 0.5, 1.5 or 2.5, not {self.nu!r}")
        self._check_length_scale()
        if not in_range(self._rate):
            raise ValueError(
                f"Matern: length_scale = {self.length_scale!r} is too small for floating point"
            )

    @property
    def _rate(self) -> float:
        return math.sqrt(2 * self.nu) / self._shortest

    def _program(self, tables: Tables) -> Program:
        return [(f"matern{int(2 * self.nu)}2", self._rate, 0.0, 0, self._table(tables))]

    @property
    def _common(self) -> Hashable:
        return self.nu

    @property
    def _has_unit_diagonal(self) -> bool:
        return True

    @classmethod
    def _of_data(cls, rows: Rows, weights: NDArray[np.float64] | None) -> Kernel:
        from ..heuristics import width

        return cls(1.5, width(rows, weights))

    def _operator_eigenvalues(self, rows: Rows, count: int, measure: str) -> NDArray[np.float64]:
        need_torus(self, measure)
        if isinstance(self.length_scale, tuple):
            return super()._operator_eigenvalues(rows, count, measure)
        period = torus_around(rows, self._shortest**2)
        return matern_torus_eigenvalues(
            count, nu=self.nu, length_scale=self._shortest, period=period, dim=rows.shape[1]
        )

    def _params_for(self, names: set[str]) -> dict[str, Any]:
        if "optimizer" not in names:
            return {}
        from sklearn.gaussian_process import kernels

        return {"kernel": kernels.Matern(self.length_scale, "fixed", nu=self.nu)}
