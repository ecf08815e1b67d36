"""The rational quadratic kernel."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._data.rows import Rows, Tables
from .._base import Kernel, positive
from .._facts import Axis
from ._column_widths import WithLengthScale, in_range

if TYPE_CHECKING:
    from ..._data.rows import Program


@dataclass(frozen=True, repr=False)
class RationalQuadratic(WithLengthScale):
    r"""Rational quadratic kernel :math:`(1 + \|x - x'\|^2 / (2 \alpha \ell^2))^{-\alpha}`.

    A mixture of Gaussian kernels of many widths around :math:`\ell`, for targets that vary on
    several scales at once; the larger :math:`\alpha`, the closer it is to the Gaussian kernel with
    :math:`\tau = \ell^2`. The parameters are those of scikit-learn's Gaussian processes; learners
    of this library also know it by the name ``"rational_quadratic"``.

    Parameters
    ----------
    alpha : float, default=1.0
        Power; the smaller, the more scales are mixed.
    length_scale : float or sequence of float, default=1.0
        The length :math:`\ell`; or one for every column, of which each is then divided by its own.

    Examples
    --------
    >>> import kernelect as ke
    >>> ke.RationalQuadratic(0.5, 2.0)([[0.0], [2.0]]).round(4)
    array([[1.    , 0.7071],
           [0.7071, 1.    ]])
    """

    alpha: float = 1.0
    length_scale: float | Sequence[float] = 1.0

    _axis: ClassVar[Axis | None] = Axis(
        "length_scale", r"length scale $\ell$ of the rational quadratic kernel", "length scales"
    )
    _names: ClassVar[tuple[str, ...]] = ("rational_quadratic",)
    _powers: ClassVar[Mapping[str, tuple[float, float]]] = {
        "alpha": (-1.0, 1.0),
        "length_scale": (-2.0, 0.0),
    }

    def __post_init__(self) -> None:
        object.__setattr__(self, "alpha", positive("alpha", self.alpha, "RationalQuadratic"))
        self._check_length_scale()
        if not in_range(self._rate):
            raise ValueError(
                f"RationalQuadratic: alpha = {self.alpha!r} with length_scale = "
                f"{self.length_scale!r} is too extreme for floating point"
            )

    @property
    def _rate(self) -> float:
        return 0.5 / self.alpha / self._shortest / self._shortest

    def _program(self, tables: Tables) -> Program:
        return [("rational_quadratic", self._rate, self.alpha, 0, self._table(tables))]

    @property
    def _common(self) -> Hashable:
        return self.alpha

    @property
    def _has_unit_diagonal(self) -> bool:
        return True

    @classmethod
    def _of_data(cls, rows: Rows, weights: NDArray[np.float64] | None) -> Kernel:
        from ..heuristics import width

        return cls(1.0, width(rows, weights))

    def _params_for(self, names: set[str]) -> dict[str, Any]:
        if "optimizer" not in names or isinstance(self.length_scale, tuple):
            return {}
        from sklearn.gaussian_process import kernels

        own = kernels.RationalQuadratic(self.length_scale, self.alpha, "fixed", "fixed")
        return {"kernel": own}
