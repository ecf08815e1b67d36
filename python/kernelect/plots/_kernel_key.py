"""How kernels in one picture are told apart: few by colour and dashes, a grid by a colour bar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels import Kernel
from ..kernels._order import order_of
from ._legend import legend_beside, legend_inside
from ._style import COLOURS, DASHES, MARKERS, abscissae, colour_bar, common_axis, short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Normalize

_NAMED = 20  # entries of a legend, where kernels are too many and have no common axis
_BRIGHTEST = 0.92  # of the ramp: its end would vanish on white


class KernelKey:
    """Colours and styles of the kernels of one picture, and what explains them.

    Parameters
    ----------
    listed : list of Kernel or kernel matrix
        What is drawn, one line each.
    """

    def __init__(self, listed: Sequence[Any]) -> None:
        self._listed = listed
        self._kernels = [kernel for kernel in listed if isinstance(kernel, Kernel)]
        self._ramp = (
            len(listed) > len(COLOURS)
            and len(self._kernels) == len(listed)
            and order_of(self._kernels) is not None
        )

    def line(self, number: int) -> dict[str, Any]:
        """Return the style of a kernel's curve."""
        if self._ramp:
            return {"color": self._shades()[number], "linewidth": 1.0}
        dashes = DASHES[number % len(DASHES)]
        return {"color": COLOURS[number % len(COLOURS)], "linestyle": dashes, "linewidth": 1.5}

    def points(self, number: int) -> dict[str, Any]:
        """Return the style of a kernel's points."""
        style = {"linestyle": "none", "alpha": 0.75, "markeredgewidth": 0}
        if self._ramp:
            return {**style, "color": self._shades()[number], "marker": "o", "markersize": 2.5}
        marker = MARKERS[number % len(MARKERS)]
        return {**style, "color": self.line(number)["color"], "marker": marker, "markersize": 4.5}

    def explain(self, axes: Axes, notes: Sequence[str], sampled: str, *, own: bool) -> None:
        """Name the lines drawn last, in a legend or by a colour bar.

        Parameters
        ----------
        axes : matplotlib Axes
            With one line per kernel.
        notes : list of str
            What is said of each kernel beside its name; nothing where empty.
        sampled : str
            How many rows were taken, where not all were.
        own : bool
            Whether the figure is ours, so that a legend may stand beside the Axes.
        """
        lines = axes.get_lines()[-len(self._listed) :]
        named = self._with_a_name(notes)
        for number, (line, label) in enumerate(zip(lines, self._labels(notes), strict=True)):
            line.set_label(label if number in named else f"_{label}")
        if self._ramp:
            import matplotlib as mpl

            _, name, _ = abscissae(self._kernels)
            colour_bar(mpl.cm.ScalarMappable(self._norm(), _ramp()), axes, name)
            axes.set_title(sampled, loc="left", fontsize="medium")
            if named:
                legend_inside(axes, "")
            return
        axis = common_axis(self._kernels) if len(self._kernels) == len(self._listed) else None
        left_out = len(self._listed) - len(named)
        title = [
            "" if axis is None else axis.title,
            sampled,
            f"{left_out} more not named" if left_out else "",
        ]
        (legend_beside if own else legend_inside)(axes, ", ".join(filter(None, title)))

    def _with_a_name(self, notes: Sequence[str]) -> set[int]:
        noted = {number for number, note in enumerate(notes) if note}
        return noted if self._ramp else noted | set(range(min(_NAMED, len(self._listed))))

    def _labels(self, notes: Sequence[str]) -> list[str]:
        names = iter(short_names(self._kernels))
        labels = [
            next(names) if isinstance(kernel, Kernel) else f"matrix {number}"
            for number, kernel in enumerate(self._listed)
        ]
        return [", ".join(filter(None, pair)) for pair in zip(labels, notes, strict=True)]

    def _norm(self) -> Normalize:
        from matplotlib.colors import LogNorm, Normalize

        places, _, base = abscissae(self._kernels)
        kind = Normalize if base is None else LogNorm
        return kind(places.min(), places.max())

    def _shades(self) -> Any:
        places, _, _ = abscissae(self._kernels)
        return _ramp()(self._norm()(places))


def _ramp() -> Any:
    import matplotlib as mpl
    from matplotlib.colors import ListedColormap

    return ListedColormap(mpl.colormaps["viridis"](np.linspace(0.0, _BRIGHTEST, 256)))
