"""What a kernel family says about itself, so that no other module has to know it.

Every method has a default that is right for a kernel about which nothing is known; a family
overrides what it knows better.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .._data.rows import Rows
    from ._base import Kernel


@dataclass(frozen=True)
class Axis:
    """The parameter along which pictures and advice show an ordered grid of one family."""

    parameter: str
    label: str
    values: str  # the parameter in the plural, as advice calls it
    base: int | None = 10  # of the logarithmic scale; None for a plain one
    symbol: str | None = None  # short form in legends; None: the kernels as they print
    title: str = ""  # what a legend of such short forms is headed by

    def short_name(self, kernel: object) -> str:
        """Return the kernel as a legend shows it among others of its family."""
        if self.symbol is None:
            return repr(kernel)
        value = float(getattr(kernel, self.parameter))
        exponent = float(np.log2(value))
        power = abs(exponent) > 4 and exponent.is_integer()
        text = f"2^{{{int(exponent)}}}" if power else _decimal(value)
        return f"${self.symbol} = {text}$"


def _decimal(value: float) -> str:
    """Write a number as formulas have it, with a power of ten where it is large or small."""
    digits, _, exponent = f"{value:.4g}".partition("e")
    return rf"{digits} \times 10^{{{int(exponent)}}}" if exponent else digits


class Facts:
    """The facts of a family, with their defaults."""

    # How a grid of the family is shown; None where it has no parameter that orders one.
    _axis: ClassVar[Axis | None] = None

    # By which names the learners know the family; each of these must make a kernel `_of_data`.
    _names: ClassVar[tuple[str, ...]] = ()

    # Whether on an ordered grid KTA leans to narrow and SM of degree 1 to wide kernels, so that
    # the best by leave-one-out lies between their winners.
    _is_bracketed: ClassVar[bool] = False

    # The positive numbers that may be refined, with the powers by which they enter the two numbers
    # of the family's node in a program: none where a kernel has nothing to refine.
    _powers: ClassVar[Mapping[str, tuple[float, float]]] = {}

    @property
    def _width(self) -> float | None:
        """The number that orders a grid of the family: of equal kernels the widest is taken."""
        return None

    @property
    def _common(self) -> Hashable:
        """What all kernels of an ordered grid have in common besides their family."""
        return None

    def _beyond(self, grid: Sequence[Kernel], wide: bool) -> str | None:
        """Return advice on how to go on beyond this edge of a grid; None where nothing is there."""
        if self._axis is None:
            return f"add {'wider' if wide else 'narrower'} kernels"
        return f"add {'larger' if wide else 'smaller'} {self._axis.values}"

    @property
    def _has_unit_diagonal(self) -> bool:
        """Whether k(x, x) = 1 for every row."""
        return False

    @property
    def _on_scaled_columns(self) -> tuple[tuple[float, ...], Kernel] | None:
        """Factors of columns, and a kernel of one width that is the same on columns so scaled."""
        return None

    @property
    def _rates(self) -> tuple[float, ...] | None:
        """The coefficients of squared differences in the exponent; None for other kernels."""
        return None

    @classmethod
    def _of_data(cls, rows: Rows, weights: NDArray[np.float64] | None) -> Kernel:
        """Make the kernel of the family whose width is the scale of the data."""
        raise NotImplementedError(f"{cls.__name__} takes no width from the data")

    @classmethod
    def _heuristics(cls, X: Any) -> dict[str, float]:
        """Return the parameters on the axis that heuristics choose for the data, by name."""
        return {}

    def _operator_eigenvalues(self, rows: Rows, count: int, measure: str) -> NDArray[np.float64]:
        """Return the largest eigenvalues of the integral operator under a measure of the rows.

        The measures are ``"torus"``, uniform on a torus around the rows, and ``"gaussian"``.
        """
        raise ValueError(f"ep has no operator spectrum for {self!r}")

    def _params_for(self, names: set[str]) -> dict[str, Any]:
        """Return scikit-learn's own parameters for this kernel; empty where it has none.

        `names` are the parameters of an estimator; one with an ``optimizer`` is a Gaussian process,
        whose kernels are objects of their own.
        """
        return {}
