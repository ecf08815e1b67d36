"""Regret against cost as a picture: a panel for each task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...picture import label  # type: ignore[import-not-found]
from ..tools.pages import COLOURS, Picture
from ..tools.pictures import plain

# Criteria by their kind, which is a colour; a name that is not here is the same as another, or too
# near to it.
KINDS = {
    "sums over the matrix": (
        *("SM r=1", "SM r=2", "SM r=3", "KTA", "CKTA", "FSM", "KCSM", "Ncut", "SM r=3 as printed"),
    ),
    "exact fits on the grid": (
        *("LOO", "5-CV", "GCV", "evidence", "LOO, log density", "BR", "5-KS", "BIF"),
    ),
    "eigenvalues": ("ER", "EP", "SM hinge"),
    "auto (default)": ("auto",),
    "no search": ("scale", "median"),
}
TITLES = {"binary": "two classes", "multiclass": "several classes", "regression": "regression"}


def picture(rows: Mapping[str, Sequence[Sequence[Any]]], sets: Mapping[str, int]) -> Picture:
    """Draw the tables of the tasks: criterion first, then mean regret; the time is last."""

    def draw(figure: Any) -> None:
        from matplotlib.ticker import LogLocator

        axes = figure.subplots(len(rows), 1, squeeze=False)[:, 0] if rows else []
        labelled = []
        for ax, (task, lines) in zip(axes, rows.items(), strict=True):
            points = {line[0]: (float(line[-1]), float(line[1])) for line in lines}
            drawn = []
            for (kind, names), colour in zip(KINDS.items(), COLOURS, strict=False):
                mark = ("*", 13) if kind.startswith("auto") else ("o", 6)
                mine = [(name, points[name]) for name in names if name in points]
                across, up = zip(*(place for _, place in mine), strict=True) if mine else ((), ())
                ax.plot(across, up, mark[0], color=colour, ms=mark[1], label=kind)
                drawn += mine
            ax.set(xscale="log", yscale="log")
            ax.set_title(f"{TITLES[task]}, {sets[task]} sets", loc="left", fontsize="medium")
            for axis in (ax.xaxis, ax.yaxis):
                axis.set_major_formatter("{x:g}")
            ax.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
            ax.margins(0.1, 0.14)
            ax.set_ylabel("mean regret, points")
            plain(ax)
            labelled.append((ax, drawn))
        if not labelled:
            return
        axes[-1].set_xlabel("time relative to leave-one-out on the whole grid")
        figure.legend(
            *axes[0].get_legend_handles_labels(),
            frameon=False,
            loc="outside upper center",
            ncols=3,
        )
        figure.draw_without_rendering()  # only now the axes have their places
        for ax, drawn in labelled:
            names, places = zip(*drawn, strict=True)
            label(ax, places, names, [{}] * len(names))

    caption = (
        "Mean regret over the best candidate of the grid, against cost; down and left is better"
    )
    return Picture("regret", caption, draw, (7.2, 4.1 * max(len(rows), 1)))
