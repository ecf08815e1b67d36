"""Pictures that several pages share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .pages import COLOURS, Picture

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
Pairs = Sequence[tuple[float, float]]


def printed_against_ours(
    name: str, what: str, pairs: Mapping[str, Pairs], *, log: bool = False
) -> Picture:
    """One point per set and method: on the line the two agree."""

    def draw(figure: Any) -> None:
        ax = figure.subplots()
        every = np.array([point for points in pairs.values() for point in points])
        low, high = (every.min(), every.max()) if len(every) else (1.0, 100.0)
        if log:
            low = max(low, 0.1)
            ax.set_xscale("log")
            ax.set_yscale("log")
            for axis in (ax.xaxis, ax.yaxis):
                axis.set_major_formatter("{x:g}")
        ax.plot([low, high], [low, high], color="#999999", lw=1, zorder=0)
        for k, (label, points) in enumerate(pairs.items()):
            printed, ours = np.maximum(np.reshape(points, (-1, 2)), low if log else -np.inf).T
            marker, colour = MARKERS[k % len(MARKERS)], COLOURS[k % len(COLOURS)]
            fill = colour if k < len(MARKERS) else "none"
            ax.plot(printed, ours, marker, color=colour, mfc=fill, ms=5, alpha=0.8, label=label)
        ax.set(xlabel=f"{what}, printed", ylabel=f"{what}, ours")
        both = (*ax.get_xlim(), *ax.get_ylim())
        ax.set(xlim=(min(both), max(both)), ylim=(min(both), max(both)))
        plain(ax)
        figure.legend(frameon=False, loc="outside right upper")

    return Picture(
        name,
        f"{what[0].upper()}{what[1:]}: printed against ours, one point a set",
        draw,
        (6.6, 4.6),
    )


def plain(ax: Any) -> None:
    """Light grid, no box."""
    ax.grid(True, which="major", color="#eeeeee")
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)


def legend_of(figure: Any, ax: Any) -> None:
    """One legend beside all axes, of what one of them shows."""
    figure.legend(*ax.get_legend_handles_labels(), frameon=False, loc="outside right upper")
