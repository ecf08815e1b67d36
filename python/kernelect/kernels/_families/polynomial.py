"""The polynomial kernel."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._data.rows import Rows, Tables
from ..._support.arguments import check_whole
from .._base import Kernel, positive
from .._facts import Axis

if TYPE_CHECKING:
    from ..._data.rows import Program


@dataclass(frozen=True, repr=False)
class Polynomial(Kernel):
    r"""Polynomial kernel :math:`(c + \gamma\, x \cdot x')^{d}`.

    Parameters
    ----------
    degree : int
        The degree :math:`d`, at least 1.
    gamma : float, default=1.0
        Factor of the inner product.
    coef0 : float, default=1.0
        The constant :math:`c`; not negative, so that the kernel is positive semidefinite.

    Examples
    --------
    >>> import kernelect as ke
    >>> ke.Polynomial(2)
    Polynomial(degree=2)
    >>> ke.Polynomial(2)([[1.0], [2.0]])
    array([[ 4.,  9.],
           [ 9., 25.]])
    """

    degree: int
    gamma: float = 1.0
    coef0: float = 1.0

    _axis: ClassVar[Axis | None] = Axis(
        "degree", "degree of the polynomial kernel", "degrees", base=None
    )
    _names: ClassVar[tuple[str, ...]] = ("polynomial", "poly")
    _powers: ClassVar[Mapping[str, tuple[float, float]]] = {
        "gamma": (1.0, 0.0),
        "coef0": (0.0, 1.0),
    }

    def __post_init__(self) -> None:
        degree = check_whole(self.degree, "Polynomial: degree", least=1, most=1000)
        object.__setattr__(self, "degree", degree)
        object.__setattr__(self, "gamma", positive("gamma", self.gamma, "Polynomial"))
        object.__setattr__(self, "coef0", positive("coef0", self.coef0, "Polynomial", zero=True))

    def _program(self, tables: Tables) -> Program:
        return [("polynomial", self.gamma, self.coef0, self.degree, tables.whole())]

    @property
    def _width(self) -> float | None:
        return -float(self.degree)  # low degrees are the smooth ones

    @property
    def _common(self) -> Hashable:
        return self.gamma, self.coef0

    def _beyond(self, grid: Sequence[Kernel], wide: bool) -> str | None:
        if self.degree == 1:
            return None  # there is no lower degree
        return f"add {'lower' if wide else 'higher'} degrees"

    @classmethod
    def _of_data(cls, rows: Rows, weights: NDArray[np.float64] | None) -> Kernel:
        return cls(3, gamma=1.0 / rows.shape[1])

    def _params_for(self, names: set[str]) -> dict[str, Any]:
        if {"gamma", "degree", "coef0"} <= names:
            return {
                "kernel": "poly",
                "degree": self.degree,
                "gamma": self.gamma,
                "coef0": self.coef0,
            }
        return {}

    def __repr__(self) -> str:
        extra = "".join(
            f", {name}={value!r}"
            for name, value in (("gamma", self.gamma), ("coef0", self.coef0))
            if value != 1.0
        )
        return f"Polynomial(degree={self.degree}{extra})"
