"""What all pictures share: colours, axes, and short names of kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .._support.arguments import shown
from ..criteria import Criterion
from ..kernels import Gaussian, Kernel, Laplacian, Matern, Polynomial
from ..kernels._candidates import order_of
from ..results import ScoreTable, Selection

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FloatArray = NDArray[np.float64]


# Okabe and Ito's palette, told apart by colour-blind readers; markers and dashes repeat it.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES = ("-", "--", "-.", ":")

_AXES: dict[type[Kernel], tuple[str, str]] = {
    Gaussian: (r"squared width $\tau$ of the Gaussian kernel", "tau"),
    Laplacian: (r"$\gamma$ of the Laplacian kernel", "gamma"),
    Matern: (r"length scale $\ell$ of the Matérn kernel", "length_scale"),
    Polynomial: ("degree of the polynomial kernel", "degree"),
}


def new_axes(ax: Axes | None, size: tuple[float, float] = (7.0, 4.2)) -> Axes:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError(
            "plots need matplotlib; install it with: pip install kernelect[plots]"
        ) from None
    _, new = plt.subplots(figsize=size, layout="constrained")
    return new


def scores_of(result: ScoreTable | Selection) -> ScoreTable:
    table = result.table if isinstance(result, Selection) else result
    if not isinstance(table, ScoreTable):
        raise TypeError(f"a result of evaluate or select is needed to draw, not {shown(table)}")
    return table


def keys_of(table: ScoreTable, criteria: str | Criterion | Sequence[str] | None) -> list[str]:
    """Keys of one criterion, of several, or of all."""
    if criteria is None:
        return list(table.columns)
    asked = [criteria] if isinstance(criteria, (str, Criterion)) else criteria
    return [table.key_of(key) for key in asked]


def abscissae(kernels: list[Kernel]) -> tuple[FloatArray, str, bool]:
    """Positions of the candidates, the label of the axis, and whether it is logarithmic."""
    if order_of(kernels) is None:
        return np.arange(len(kernels), dtype=np.float64), "candidate", False
    label, name = _AXES[type(kernels[0])]
    values = np.array([getattr(kernel, name) for kernel in kernels], dtype=np.float64)
    return values, label, name != "degree"


def short_names(kernels: Sequence[Kernel]) -> list[str]:
    """Short names: widths alone where all are Gaussian, else the kernels as they print."""
    names = []
    for kernel in kernels:
        text = repr(kernel)
        if isinstance(kernel, Gaussian) and all(isinstance(k, Gaussian) for k in kernels):
            exponent = float(np.log2(kernel.tau))
            power = abs(exponent) > 4 and exponent.is_integer()
            width = f"2^{{{int(exponent)}}}" if power else f"{kernel.tau:.4g}"
            text = rf"$\tau = {width}$"
        names.append(text if len(text) <= 36 else text[:35] + "…")
    return names
