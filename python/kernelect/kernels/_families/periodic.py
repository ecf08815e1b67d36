"""The periodic kernel."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import ive

from ..._data.rows import Rows, Tables
from .._base import Kernel, positive
from .._facts import Axis
from .._torus import need_torus

if TYPE_CHECKING:
    from ..._data.rows import Program


@dataclass(frozen=True, repr=False)
class Periodic(Kernel):
    r"""Periodic kernel :math:`\exp(-2 \sin^2(\pi \|x - x'\| / p) / \ell^2)`.

    For targets that repeat themselves along one feature, such as the hour of the day: put it on
    that column with `on_columns`, and multiply or add kernels of the others. The parameters are
    those of scikit-learn's ``ExpSineSquared``.

    Parameters
    ----------
    length_scale : float, default=1.0
        The length :math:`\ell`: the larger, the smoother within a period.
    periodicity : float, default=1.0
        The period :math:`p`.

    Notes
    -----
    With the Euclidean distance of several features the formula is not positive semidefinite in
    general. Nothing is refused at once, because on given rows it may be. Where it is not, criteria
    of sums are computed all the same; those of ridge systems are undefined, with the reason beside,
    unless lambda makes up for the negative eigenvalues; criteria of eigenvalues raise an error.
    `LSSVMClassifier` and `LSSVMRegressor` want a larger lambda, and kernel learning may not
    converge.

    Examples
    --------
    >>> import kernelect as ke
    >>> ke.Periodic(1.0, 24.0)([[0.0], [6.0], [24.0]]).round(4)
    array([[1.    , 0.3679, 1.    ],
           [0.3679, 1.    , 0.3679],
           [1.    , 0.3679, 1.    ]])
    >>> hours, days = ke.on_columns(0, ke.Periodic(1.0, 24.0)), ke.on_columns(1, ke.Gaussian(50.0))
    >>> (hours * days)([[0.0, 1.0], [24.0, 2.0]]).round(4)
    array([[1.  , 0.99],
           [0.99, 1.  ]])
    """

    length_scale: float = 1.0
    periodicity: float = 1.0

    _axis: ClassVar[Axis | None] = Axis(
        "length_scale", r"length scale $\ell$ of the periodic kernel", "length scales"
    )
    _powers: ClassVar[Mapping[str, tuple[float, float]]] = {
        "length_scale": (-2.0, 0.0),
        "periodicity": (0.0, 1.0),
    }

    def __post_init__(self) -> None:
        for name in ("length_scale", "periodicity"):
            value = positive(name, getattr(self, name), "Periodic")
            object.__setattr__(self, name, value)
        if not (self._rate > 0 and math.isfinite(2.0 * self._rate)):
            raise ValueError(
                f"Periodic: length_scale = {self.length_scale!r} is too extreme for floating point"
            )
        if not _is_normal(1.0 / self.periodicity):
            raise ValueError(
                f"Periodic: periodicity = {self.periodicity!r} is too extreme for floating point"
            )

    @property
    def _rate(self) -> float:
        return 2.0 / self.length_scale / self.length_scale

    def _program(self, tables: Tables) -> Program:
        return [("periodic", self._rate, self.periodicity, 0, tables.whole())]

    @property
    def _width(self) -> float | None:
        return self.length_scale

    @property
    def _common(self) -> Hashable:
        return self.periodicity

    @property
    def _has_unit_diagonal(self) -> bool:
        return True

    def _operator_eigenvalues(self, rows: Rows, count: int, measure: str) -> NDArray[np.float64]:
        if rows.shape[1] > 1:  # no function of the coordinates' differences on a torus
            return super()._operator_eigenvalues(rows, count, measure)
        need_torus(self, measure)
        # On the circle of one period the kernel is exp((cos t - 1) / l^2), whose Fourier
        # coefficients are Bessel functions; all frequencies but 0 come twice.
        return np.asarray(ive((np.arange(count) + 1) // 2, 0.5 * self._rate), dtype=np.float64)

    def _params_for(self, names: set[str]) -> dict[str, Any]:
        if "optimizer" not in names:
            return {}
        from sklearn.gaussian_process.kernels import ExpSineSquared

        own = ExpSineSquared(self.length_scale, self.periodicity, "fixed", "fixed")
        return {"kernel": own}


def _is_normal(number: float) -> bool:
    return math.isfinite(number) and number >= float(np.finfo(np.float64).tiny)
