"""The Laplacian kernel."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._data.rows import Rows, Tables
from .._base import Kernel, positive
from .._facts import Axis
from .._torus import need_torus, torus_around
from ..operator_spectra import laplacian_torus_eigenvalues

if TYPE_CHECKING:
    from ..._data.rows import Program


@dataclass(frozen=True, repr=False)
class Laplacian(Kernel):
    r"""Laplacian kernel :math:`\exp(-\gamma \|x - x'\|_1)`.

    Parameters
    ----------
    gamma : float
        Inverse width.

    Examples
    --------
    >>> import kernelect as ke
    >>> ke.Laplacian(0.5)([[0.0], [2.0]]).round(4)
    array([[1.    , 0.3679],
           [0.3679, 1.    ]])
    """

    gamma: float

    _axis: ClassVar[Axis | None] = Axis(
        "gamma", r"$\gamma$ of the Laplacian kernel", "values of gamma"
    )
    _names: ClassVar[tuple[str, ...]] = ("laplacian",)
    _powers: ClassVar[Mapping[str, tuple[float, float]]] = {"gamma": (1.0, 0.0)}

    def __post_init__(self) -> None:
        object.__setattr__(self, "gamma", positive("gamma", self.gamma, "Laplacian"))
        if not math.isfinite(2.0 * self.gamma):
            raise ValueError(f"Laplacian: gamma = {self.gamma!r} is too large for floating point")

    def _program(self, tables: Tables) -> Program:
        return [("laplacian", self.gamma, 0.0, 0, tables.whole())]

    @property
    def _width(self) -> float | None:
        return 1.0 / self.gamma

    def _beyond(self, grid: Sequence[Kernel], wide: bool) -> str | None:
        return super()._beyond(grid, not wide)  # a large gamma is a narrow kernel

    @property
    def _has_unit_diagonal(self) -> bool:
        return True

    @classmethod
    def _of_data(cls, rows: Rows, weights: NDArray[np.float64] | None) -> Kernel:
        from ..heuristics import width

        # The sum of d distances along the coordinates is up to sqrt(d) times the distance.
        return cls(1.0 / (width(rows, weights) * rows.shape[1] ** 0.5))

    def _operator_eigenvalues(self, rows: Rows, count: int, measure: str) -> NDArray[np.float64]:
        need_torus(self, measure)
        period = torus_around(rows, (1.0 / self.gamma) ** 2)
        return laplacian_torus_eigenvalues(
            count, gamma=self.gamma, period=period, dim=rows.shape[1]
        )
