"""Legends of many entries: beside the curves in a figure of ours, inside given Axes."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend
    from matplotlib.transforms import Bbox

_Place = Literal["best", "upper left"]
_LEAST_WIDTH = 5.0  # inches that the curves keep beside a legend
_AROUND = 1.0  # inches above and below a legend, for a title, marks and the label of the axis
_GAP = 0.04  # of the height of the Axes, between a legend above the data and the data
_LOW = 0.35  # of that height: a higher legend is set smaller
_MOST = 0.7  # of that height, which data leave to a legend
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

    Of many entries it is set smaller and in columns until it fits. Where it would cover data, the
    axis goes on above them and the legend stands there.
    """
    figure = axes.get_figure(root=True)
    assert figure is not None
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)  # sizes are those of the picture as it will be drawn
    fitted = _fitted(axes, title)
    if fitted is not None and _covers_data(axes, fitted.get_window_extent()):
        _put_above(axes, title)


def _fitted(axes: Axes, title: str) -> Legend | None:
    """Make the largest legend that the Axes hold; None where even the smallest is too large."""
    room = axes.get_window_extent()
    entries = len(axes.get_legend_handles_labels()[0])
    for size in _sizes(axes):
        columns = 1
        while columns <= entries:
            legend = _inside(axes, title, size, columns, "best")
            box = legend.get_window_extent()
            if box.width > room.width:
                break
            if box.height <= room.height:
                return legend
            columns = max(columns + 1, ceil(columns * box.height / room.height))
    return None


def _sizes(axes: Axes) -> tuple[str, ...]:
    """Return sizes of letters, the largest no larger than those of the axis."""
    import matplotlib as mpl
    from matplotlib.font_manager import font_scalings

    largest = axes.xaxis.label.get_fontsize() / mpl.rcParams["font.size"]
    fitting = tuple(size for size in _SIZES if font_scalings[size] <= largest)
    return fitting or _SIZES[-1:]


def _covers_data(axes: Axes, box: Bbox) -> bool:
    for line in axes.get_lines():
        if line.get_transform() != axes.transData:
            continue  # a mark across the Axes
        path = line.get_path().transformed(axes.transData)
        if line.get_linestyle() == "None":
            if box.count_contains(path.vertices):
                return True
        elif path.intersects_bbox(box, filled=False):
            return True
    return False


def _put_above(axes: Axes, title: str) -> None:
    """Make room above the data, which keep their ticks and their part of the spine."""
    room = axes.get_window_extent()
    entries = len(axes.get_legend_handles_labels()[0])
    lowest = None
    for size in _sizes(axes):
        for columns in range(entries, 0, -1):
            box = _inside(axes, title, size, columns, "upper left").get_window_extent()
            if box.width <= room.width:
                break
        if lowest is None or box.height < lowest[0]:
            lowest = box.height, size, columns
        if box.height <= _LOW * room.height:
            break
    assert lowest is not None
    box = _inside(axes, title, *lowest[1:], "upper left").get_window_extent()
    taken = min((room.y1 - box.y0) / room.height + _GAP, _MOST)
    low, high = axes.get_ylim()
    among = sorted((low, high))  # an axis may be upside down
    ticks = [tick for tick in axes.get_yticks() if among[0] <= tick <= among[1]]
    small = [tick for tick in axes.get_yticks(minor=True) if among[0] <= tick <= among[1]]
    scale = axes.yaxis.get_transform()
    start, end = scale.transform([low, high])
    top = scale.inverted().transform([start + (end - start) / (1.0 - taken)])[0]
    axes.set_ylim(low, top)
    axes.set_yticks(ticks)
    axes.set_yticks(small, minor=True)
    axes.spines["left"].set_bounds(low, high)


def _inside(axes: Axes, title: str, size: str, columns: int, place: _Place) -> Legend:
    legend = axes.legend(
        loc=place,
        framealpha=0.75,
        title=title or None,
        fontsize=size,
        title_fontsize=size,
        ncols=columns,
        columnspacing=1.0,
    )
    legend.set_in_layout(False)  # a long one must not press the Axes together
    return legend
