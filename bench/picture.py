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
    import numpy as np

    axes.set(xscale="log", ylabel=panel.up, xlabel=panel.across)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[:].set_linewidth(0.6)
    for point in panel.points:
        mark = ("*", 12, ours) if point.ours else ("o", 7, theirs)
        axes.plot(point.seconds, point.error, mark[0], ms=mark[1], c=mark[2])
    axes.margins(0.12, 0.15)
    axes.figure.canvas.draw()  # places on the page are known from here on
    places = [axes.transData.transform((each.seconds, each.error)) for each in panel.points]
    middle = axes.transAxes.transform((0.55, 0.0))[0]
    right = [bool(place[0] > middle) for place in places]
    apart = 0.105 * axes.figure.dpi  # as high as a line of small text
    shifts = np.zeros(len(places))
    for side in (False, True):  # labels of a side are moved up until none covers another
        last = -np.inf
        for k in sorted(np.flatnonzero(np.equal(right, side)), key=lambda k: places[k][1]):
            height = max(places[k][1], last + apart)
            shifts[k], last = (height - places[k][1]) * 72.0 / axes.figure.dpi, height
    for point, shift, at_left in zip(panel.points, shifts, right, strict=True):
        axes.annotate(
            point.name,
            (point.seconds, point.error),
            (-9 if at_left else 9, shift),
            textcoords="offset points",
            ha="right" if at_left else "left",
            va="center",
            color=ours if point.ours else theirs,
            fontsize="small",
            fontweight="bold" if point.ours else "normal",
        )
