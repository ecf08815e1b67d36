"""Labels and titles that fit the Axes they belong to: smaller in small ones, and in lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text
    from matplotlib.transforms import Bbox

_WORDS = re.compile(r"(?:\$[^$]*\$|\S)+")  # a formula is not torn apart
_MOST = 3  # lines
_WIDE, _HIGH = 3.0, 2.0  # inches of Axes that text of the usual size suits
_SMALLEST = 0.65  # of the usual size
_FULL = 0.85  # of a side: panels drawn later may take some of it for labels of their own


def fit_text(axes: Axes) -> None:
    """Set text smaller in small panels, and break labels that are longer than their side.

    Parameters
    ----------
    axes : matplotlib Axes
        Drawn on, all but the legend.
    """
    room, dpi = _room(axes)
    size = min(room.width / dpi / _WIDE, room.height / dpi / _HIGH, 1.0)
    if size < 1.0:
        _shrink(axes, max(size, _SMALLEST))
        room, _ = _room(axes)
    _break(axes.xaxis.label, room.width, upright=False)
    _break(axes.yaxis.label, room.height, upright=True)
    for title in _titles(axes):
        _break(title, room.width, upright=False)


def _room(axes: Axes) -> tuple[Bbox, float]:
    """Return the Axes as they will be drawn, and the dots of an inch."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    axes.apply_aspect()  # an image stays square
    return axes.get_window_extent(), figure.dpi


def _shrink(axes: Axes, size: float) -> None:
    import matplotlib as mpl

    points = size * mpl.rcParams["font.size"]
    bars = [image.colorbar.ax for image in (*axes.images, *axes.collections) if image.colorbar]
    for part in (axes, *bars):
        part.tick_params(labelsize=points)
        for text in (part.xaxis.label, part.yaxis.label, *part.texts, *_titles(part)):
            text.set_fontsize(points)


def _titles(axes: Axes) -> list[Text]:
    """Return the titles at the left that have words."""
    found = [text for text in axes.get_children() if isinstance(text, _text_class())]
    return [text for text in found if text.get_text() == axes.get_title(loc="left") != ""]


def _text_class() -> type[Text]:
    from matplotlib.text import Text

    return Text


def _break(text: Text, room: float, *, upright: bool) -> None:
    """Divide each line into the fewest parts that fit, or else into as many as there may be."""
    lines = []
    for line in text.get_text().split("\n"):
        for count in range(1, _MOST + 1):
            parts = _parts(line, count)
            text.set_text("\n".join(parts))
            box = text.get_window_extent()
            if (box.height if upright else box.width) <= _FULL * room:
                break
        lines += parts
    text.set_text("\n".join(lines))


def _parts(line: str, count: int) -> list[str]:
    """Divide a line between words into parts of about the same length."""
    parts = [""]
    for word in _WORDS.findall(line):
        over = len(parts[-1]) + len(word) / 2 > len(line) / count  # by most of the word
        if over and parts[-1] and len(parts) < count:
            parts.append(word)
        else:
            parts[-1] = f"{parts[-1]} {word}".strip()
    return parts
