"""What all pictures share: colours, axes, and short names of kernels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from .._support.arguments import shown
from .._support.arrays import FloatArray
from ..criteria import Criterion
from ..kernels import Kernel
from ..kernels._facts import Axis
from ..kernels._order import order_of
from ..results import ScoreTable, Selection

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import XAxis, YAxis
    from matplotlib.cm import ScalarMappable


# Okabe and Ito's palette, told apart by colour-blind readers; markers and dashes repeat it.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES = ("-", "--", "-.", ":")
_THIN = 0.6  # points
_LONG_NUMBER = re.compile(r"\d+\.\d{4,}(?:e[-+]?\d+)?")


def new_axes(ax: Axes | None, size: tuple[float, float] = (5.4, 3.6)) -> Axes:
    return new_panels(1, size)[0] if ax is None else ax


def new_panels(count: int, size: tuple[float, float] = (4.6, 3.8)) -> list[Axes]:
    """Make Axes side by side in a new figure, each of this size, with one vertical axis."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError(
            "plots need matplotlib; install it with: pip install matplotlib"
        ) from None
    wide, high = size
    _, new = plt.subplots(
        1, count, figsize=(count * wide, high), layout="constrained", squeeze=False, sharey=True
    )
    return list(new[0])


def thin(axes: Axes, *, grid: Literal["both", "x", "none"] = "both", frame: bool = False) -> None:
    """Set lines that are no data as thin as all pictures have them.

    Parameters
    ----------
    axes : matplotlib Axes
        The picture.
    grid : {"both", "x", "none"}, default="both"
        Which faint lines to draw.
    frame : bool, default=False
        Keep all four sides, as an image needs them.
    """
    for side, spine in axes.spines.items():
        spine.set_visible(frame or side in ("left", "bottom"))
        spine.set_linewidth(_THIN)
    axes.tick_params(which="both", width=_THIN)
    if grid != "none":
        axes.grid(axis=grid, color="0.92", linewidth=_THIN)
        axes.set_axisbelow(True)


def count_in_whole_numbers(axis: XAxis | YAxis) -> None:
    """Put the ticks of an axis that counts at whole numbers."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator("auto", integer=True))


def colour_bar(shades: ScalarMappable, axes: Axes, label: str) -> None:
    """Explain shades beside the Axes that have them."""
    bar = axes.figure.colorbar(shades, ax=axes, label=label)
    bar.outline.set_linewidth(_THIN)
    bar.ax.tick_params(which="both", width=_THIN)


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


def abscissae(kernels: list[Kernel]) -> tuple[FloatArray, str, int | None]:
    """Positions of the candidates, the label of the axis, and the base of its logarithm if any."""
    axis = kernels[0]._axis
    if axis is None or order_of(kernels) is None:
        return np.arange(len(kernels), dtype=np.float64), "candidate", None
    values = np.array([getattr(kernel, axis.parameter) for kernel in kernels], dtype=np.float64)
    return values, axis.label, axis.base


def short_names(kernels: Sequence[Kernel], most: int = 36) -> list[str]:
    """Short names: one parameter alone where a family has that form, else kernels as they print."""
    axis = common_axis(kernels)
    if axis is not None and axis.symbol is not None:
        return [axis.short_name(kernel) for kernel in kernels]
    full = [str(kernel) for kernel in kernels]
    short = [rounded(name) for name in full]
    names = short if len(set(short)) == len(set(full)) else full
    begun = [name if len(name) <= most else f"{name[: most - 1]}…" for name in names]
    if len(set(begun)) == len(set(names)):
        return begun
    tail = most - most // 3 - 1  # where parameters are, which tell kernels of one family apart
    return [name if len(name) <= most else f"{name[: most // 3]}…{name[-tail:]}" for name in names]


def rounded(name: str) -> str:
    """Round the long numbers in a name to four digits."""
    return _LONG_NUMBER.sub(lambda number: f"{float(number[0]):.4g}", name)


def common_axis(kernels: Sequence[Kernel]) -> Axis | None:
    """Return how to show the kernels by one parameter; None where they are of several families."""
    axes = {kernel._axis for kernel in kernels}
    return axes.pop() if len(axes) == 1 else None
