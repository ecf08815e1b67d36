"""Time against error as a picture, for light and for dark pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_PAGES = (("light", "#222832", "#0072B2", "#D55E00"), ("dark", "#ced6dd", "#56B4E9", "#FF8C42"))
_INKED = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")


@dataclass(frozen=True)
class Point:
    """One way: its seconds, its error, and whether it is ours."""

    name: str
    seconds: float
    error: float
    ours: bool


@dataclass(frozen=True)
class Panel:
    """Points on axes of their own."""

    points: Sequence[Point]
    across: str  # what the seconds are
    up: str  # what the errors are


def draw(panels: Sequence[Panel], folder: Path, name: str, size: tuple[float, float]) -> None:
    """Write NAME-light.svg and NAME-dark.svg."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    for page, ink, theirs, ours in _PAGES:
        settings: dict[Any, Any] = {**dict.fromkeys(_INKED, ink), "svg.hashsalt": "kernelect"}
        with plt.rc_context(settings):
            figure, axes = plt.subplots(
                len(panels), 1, figsize=size, layout="constrained", squeeze=False
            )
            for panel, each in zip(panels, axes[:, 0], strict=True):
                _panel(panel, each, theirs, ours)
            metadata = {"Date": None, "Creator": None}
            figure.savefig(folder / f"{name}-{page}.svg", transparent=True, metadata=metadata)
            plt.close(figure)


def _panel(panel: Panel, axes: Any, theirs: str, ours: str) -> None:
    axes.set(xscale="log", ylabel=panel.up, xlabel=panel.across)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[:].set_linewidth(0.6)
    for point in panel.points:
        mark = ("*", 12, ours) if point.ours else ("o", 7, theirs)
        axes.plot(point.seconds, point.error, mark[0], ms=mark[1], c=mark[2])
    axes.margins(0.12, 0.15)
    axes.figure.draw_without_rendering()  # places on the page are known from here on
    label(
        axes,
        [(each.seconds, each.error) for each in panel.points],
        [each.name for each in panel.points],
        [
            {"color": ours, "fontweight": "bold"} if each.ours else {"color": theirs}
            for each in panel.points
        ],
    )


def label(
    axes: Any,
    points: Sequence[tuple[float, float]],
    names: Sequence[str],
    styles: Sequence[dict[str, Any]],
) -> None:
    """Write names beside points so that none covers a point or another name.

    A name that finds no room beside its point stands further off, with a thin line to it. The axes
    must have their places on the page.
    """
    from matplotlib.transforms import Bbox

    dots = axes.figure.dpi / 72.0
    places = [axes.transData.transform(point) for point in points]
    taken = [Bbox.from_bounds(x - 6 * dots, y - 5 * dots, 12 * dots, 10 * dots) for x, y in places]
    shifts = [  # right, left, above, below, and then further and further off
        *[(9, 0, "left"), (-9, 0, "right"), (0, 12, "center"), (0, -12, "center")],
        *[
            (side * across, up, where)
            for up in (9, -9, 14, -14, 20, -20, 28, -28, 38, -38, 50, -50, 64, -64)
            for across in (9, 30, 55)
            for side, where in ((1, "left"), (-1, "right"))
        ],
    ]
    for k in sorted(range(len(points)), key=lambda k: tuple(places[k][::-1])):
        best: tuple[int, Any] | None = None
        for across, up, where in shifts:
            line = {"arrowstyle": "-", "lw": 0.5, "alpha": 0.6, "shrinkA": 0, "shrinkB": 3}
            line["color"] = styles[k].get("color", "black")
            text = axes.annotate(
                names[k],
                points[k],
                (across, up),
                textcoords="offset points",
                ha=where,
                va="center",
                fontsize="small",
                arrowprops=line if abs(up) > 12 or abs(across) > 9 else None,
                **styles[k],
            )
            text.update_positions(axes.figure._get_renderer())
            box = _box(text, axes)
            covered = sum(box.overlaps(other) for other in taken)
            inside = axes.bbox.x0 <= box.x0 and axes.bbox.y0 <= box.y0 and box.y1 <= axes.bbox.y1
            cost = 2 * covered + (not inside) + 2 * (box.x1 > axes.figure.bbox.x1)
            if best is None or cost < best[0]:
                if best is not None:
                    best[1].remove()
                best = (cost, text)
            else:
                text.remove()
            if cost == 0:
                break
        assert best is not None
        taken.append(_box(best[1], axes))


def _box(text: Any, axes: Any) -> Any:
    """What the letters of an annotation cover, without the line to its point."""
    from matplotlib.text import Text

    return Text.get_window_extent(text, axes.figure._get_renderer())
