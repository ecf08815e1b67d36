"""What decided an election: held-out losses with their errors, the baseline, the rivals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..results import Selection
from ..results.diagnostics import rivals
from ._style import COLOURS, abscissae, count_in_whole_numbers, new_axes, short_names, thin

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# More candidates than these have no room for a name each.
_NAMED = 12


def decision(chosen: Selection, ax: Axes | None = None) -> Axes:
    """Draw the deciding criterion in its unit: rivals set off, the baseline as a line.

    Parameters
    ----------
    chosen : Selection
        The election.
    ax : matplotlib Axes, optional
        Where to draw.

    Returns
    -------
    matplotlib Axes
        The picture.
    """
    table = chosen.table
    column = table.columns[chosen.decisive].at_best_lambda()
    axes = new_axes(ax)
    places, label, base = abscissae(table.kernels)
    known = np.flatnonzero(column.known & np.isfinite(column.values))
    values = column.values[known]
    errors = None if column.errors is None else column.errors[known]
    ordered = base is not None
    if errors is not None and ordered:
        axes.fill_between(
            places[known], values - errors, values + errors, color=COLOURS[0], alpha=0.15, lw=0
        )
    elif errors is not None:
        axes.errorbar(places[known], values, yerr=errors, fmt="none", ecolor=COLOURS[0], lw=0.8)
    line = "o-" if ordered else "o"
    axes.plot(places[known], values, line, color=COLOURS[0], ms=3.5, lw=1.0, label="candidates")
    if errors is not None:
        near = [rival.index for rival in rivals(chosen)[1:]]
        if near:
            axes.plot(
                places[near],
                column.values[near],
                "o",
                color=COLOURS[4],
                ms=6,
                label="rivals (within one standard error)",
            )
    axes.plot(
        places[chosen.index],
        column.values[chosen.index],
        "*",
        color=COLOURS[1],
        ms=13,
        label="elected",
    )
    if chosen.baseline is not None:
        axes.axhline(chosen.baseline, ls="--", lw=1.0, color="#888", label="constant prediction")
    if base is not None:
        axes.set_xscale("log", base=base)
    elif len(table.kernels) <= _NAMED:
        axes.set_xticks(places, short_names(table.kernels, 18), rotation=30, ha="right")
    else:
        count_in_whole_numbers(axes.xaxis)
    axes.set_xlabel(label)
    wanted = "larger" if column.direction > 0 else "smaller"
    axes.set_ylabel(f"{column.label} ({wanted} is better)")
    thin(axes)
    axes.legend(fontsize="small", frameon=False, loc="best")
    return axes


def bars(shares: dict[str, float], label: str, ax: Axes | None = None) -> Axes:
    """Draw numbers by name, largest first, as weights of members are.

    Parameters
    ----------
    shares : dict of str to float
        The numbers.
    label : str
        What they are.
    ax : matplotlib Axes, optional
        Where to draw.

    Returns
    -------
    matplotlib Axes
        The picture.
    """
    names = sorted(shares, key=lambda name: -abs(shares[name]))[:25]
    axes = new_axes(ax, (5.4, 0.9 + 0.26 * len(names)))
    axes.barh(range(len(names)), [shares[name] for name in names], color=COLOURS[0], height=0.6)
    shown = [name if len(name) <= 44 else f"{name[:24]}…{name[-18:]}" for name in names]
    axes.set_yticks(range(len(names)), shown)
    axes.invert_yaxis()
    axes.set_xlabel(label)
    thin(axes, grid="x")
    return axes
