"""Legends of many entries: beside the curves in a figure of ours, inside given Axes."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend

_LEAST_WIDTH = 5.0  # inches that the curves keep beside a legend
_AROUND = 1.0  # inches above and below a legend, for a title, marks and the label of the axis
_SIZES = ("medium", "small", "x-small", "xx-small")


def legend_beside(axes: Axes, title: str) -> None:
    """Put the legend to the right of the curves, in a figure that grows as the legend does."""
    legend = axes.legend(
        loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False, title=title or None
    )
    figure = axes.get_figure(root=True)
    assert figure is not None
    box = legend.get_window_extent()
    width, height = figure.get_size_inches()
    figure.set_size_inches(
        max(width, _LEAST_WIDTH + box.width / figure.dpi),
        max(height, _AROUND + box.height / figure.dpi),
    )


def legend_inside(axes: Axes, title: str) -> None:
    """Put the legend inside the Axes: beside them is somebody else's picture.

    Of many entries it is set smaller and in columns until it fits.
    """
    room = axes.get_window_extent()
    entries = len(axes.get_legend_handles_labels()[0])
    for size in _SIZES:
        columns = 1
        while columns <= entries:
            legend = _inside(axes, title, size, columns)
            box = legend.get_window_extent()
            if box.width > room.width:
                break
            if box.height <= room.height:
                return
            columns = max(columns + 1, ceil(columns * box.height / room.height))


def _inside(axes: Axes, title: str, size: str, columns: int) -> Legend:
    return axes.legend(
        loc="best",
        framealpha=0.75,
        title=title or None,
        fontsize=size,
        title_fontsize=size,
        ncols=columns,
        columnspacing=1.0,
    )
