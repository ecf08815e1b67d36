"""Criteria over the candidates on a common axis."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from .._support.arrays import FloatArray
from ..kernels import Kernel
from ..kernels._order import order_of
from ..results import NOT_REACHED, NOT_VERIFIED, ScoreTable, Selection
from ._labels import fit_text
from ._legend import legend_beside, legend_inside
from ._named import NAMED, named_among
from ._style import (
    COLOURS,
    DASHES,
    MARKERS,
    abscissae,
    count_in_whole_numbers,
    keys_of,
    new_axes,
    scores_of,
    short_names,
    thin,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_MARKS = 31  # on a curve; more would hide its line


def criterion_curves(
    result: ScoreTable | Selection,
    criteria: str | Sequence[str] | None = None,
    *,
    X: Any = None,
    ax: Axes | None = None,
) -> Axes:
    r"""Draw criteria over the candidates on a common axis, each winner marked.

    Criteria have different units, so each is drawn as its goodness: 1 at its best candidate, 0 at
    its worst, whatever its direction. Above the curves, each criterion's mark stands over its
    winner. Diagnostics without a direction run from least to most. Where only some candidates were
    looked at, such as the shortlist of an election, nobody knows the worst: these are drawn as
    shares of the best, a loss twice as large at 1/2, and the legend counts them.

    Parameters
    ----------
    result : ScoreTable or Selection
        What `evaluate` or `select` gave; with several lambdas each candidate is at its best one.
    criteria : str or list of str, optional
        Which criteria; all by default.
    X : array-like, optional
        The data: draws the bandwidths of the heuristics ``scale`` and ``median`` as lines.
    ax : matplotlib Axes, optional
        Where to draw.

    Returns
    -------
    matplotlib Axes
        With one line per criterion, labelled by its key; the legend stands beside the curves, or
        inside the Axes given.

    Examples
    --------
    >>> import kernelect as ke
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> ax = ke.evaluate(X, y, criteria=["sm", "kta", "loo"]).plot(X=X)
    >>> [line.get_label() for line in ax.get_lines()[:1]]
    ['sm: $\\tau = 2$']
    """
    table = scores_of(result)
    keys = keys_of(table, criteria)
    axes = new_axes(ax)
    places, label, base = abscissae(table.kernels)
    marked: dict[int, int] = {}
    for number, key in enumerate(keys):
        _curve(axes, table, key, places, number=number, marked=marked)
    if base is not None:
        axes.set_xscale("log", base=base)
    axes.set_xlabel(label)
    axes.set_ylabel("goodness (0 worst, 1 best)")
    _winners_strip(axes, max(marked.values(), default=0))
    if base is None:
        _name_candidates(axes, table.kernels, places, label)
    if X is not None and base is not None:
        _heuristic_lines(axes, table.kernels[0]._heuristics(X), places)
    thin(axes, grid="x")
    if ax is not None:
        fit_text(axes)
    (legend_beside if ax is None else legend_inside)(axes, "criterion: winner")
    return axes


def _curve(
    axes: Axes,
    table: ScoreTable,
    key: str,
    places: FloatArray,
    *,
    number: int,
    marked: dict[int, int],
) -> None:
    """Draw one criterion, and its winner's mark on top of those `marked` on the same candidate."""
    goodness = _goodness(table, key)
    colour, marker = COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]
    winner = table.winner(key) if np.isfinite(goodness).any() else None
    ordered = order_of(table.kernels) is not None  # a line between unrelated kernels says nothing
    axes.plot(
        places,
        goodness,
        color=colour,
        linestyle=DASHES[number % len(DASHES)] if ordered else "none",
        marker=marker,
        markersize=3.5 if ordered else 6,
        markevery=max(1, round(len(places) / _MARKS)),
        linewidth=1.4,
        label=_label(table, key, winner),
    )
    if winner is not None:
        marked[winner] = marked.get(winner, 0) + 1
        axes.plot(
            places[winner],
            1.0 + 0.065 * marked[winner],
            marker=marker,
            markersize=6.5,
            color=colour,
            linestyle="none",
            label=f"_winner of {key}",
        )


def _label(table: ScoreTable, key: str, winner: int | None) -> str:
    label = (
        f"{key} (diagnostic)" if winner is None else f"{key}: {short_names(table.kernels)[winner]}"
    )
    unseen = _unseen(table, key)
    count = len(table.kernels)
    return f"{label} (of {count - unseen} seen)" if 0 < unseen < count else label


def _unseen(table: ScoreTable, key: str) -> int:
    """How many candidates the criterion was not computed for."""
    return sum(reason in (NOT_VERIFIED, NOT_REACHED) for reason in table.columns[key].reasons)


def _goodness(table: ScoreTable, key: str) -> FloatArray:
    """Values of a criterion on a common scale, 1 at its best candidate; NaN where undefined."""
    column = table.columns[key].at_best_lambda()
    values = -column.loss if column.direction else column.values
    known = np.isfinite(values) & column.known
    goodness = np.full(len(values), np.nan)
    if not known.any():
        return goodness
    in_part = column.direction and _unseen(table, key)
    goodness[known] = (_shares_of_best if in_part else _between_extremes)(values[known])
    return goodness


def _between_extremes(values: FloatArray) -> FloatArray:
    span = float(np.ptp(values))
    return np.asarray((values - values.min()) / span) if span > 0 else np.ones_like(values)


def _shares_of_best(values: FloatArray) -> FloatArray:
    """Larger values being better: best/value of losses, which are negative here, value/best else.

    A score below zero beside a best one above it has no share.
    """
    best = float(values.max())
    if best == 0:
        return np.asarray(values == 0, dtype=np.float64)
    return np.asarray(best / values if best < 0 else np.clip(values / best, 0.0, 1.0))


def _winners_strip(axes: Axes, marks: int) -> None:
    """Divide the axis: goodness below, and above it room for the marks over one another."""
    top = 1.06 + 0.065 * marks
    axes.set_ylim(-0.06, top)
    ticks = np.linspace(0.0, 1.0, 6)
    if not marks:
        axes.set_yticks(ticks)
        return
    axes.axhline(1.033, color="0.75", linewidth=0.6, zorder=1)
    axes.set_yticks([*ticks, (1.033 + top) / 2], [*(f"{tick:.1f}" for tick in ticks), "winners"])
    strip = axes.yaxis.get_major_ticks()[-1]
    strip.tick1line.set_visible(False)
    strip.label1.set(fontsize="small", color="0.3")


def _name_candidates(axes: Axes, kernels: list[Kernel], places: FloatArray, label: str) -> None:
    if label != "candidate":
        axes.set_xticks(places)
        return
    named = named_among(kernels)
    if not named:
        count_in_whole_numbers(axes.xaxis)
        return
    names = short_names(kernels, 24)
    axes.set_xticks(places[named], [names[place] for place in named])
    close = len(kernels) > NAMED  # single kernels may stand side by side
    for name in axes.get_xticklabels() if len(kernels) > 1 else []:
        name.set(rotation=60 if close else 30, ha="right", rotation_mode="anchor")
        if close:
            name.set_fontsize("x-small")
    axes.set_xlabel("")


def _heuristic_lines(axes: Axes, found: dict[str, float], places: FloatArray) -> None:
    """Draw a line at each width in view, with names that point away from one another."""
    inside = {name: tau for name, tau in found.items() if places.min() <= tau <= places.max()}
    sides = ["right", "left"] if len(inside) == 2 else ["center"] * len(inside)
    for (name, tau), side in zip(sorted(inside.items(), key=itemgetter(1)), sides, strict=True):
        axes.axvline(tau, color="0.45", linewidth=1.0, linestyle=(0, (1, 2)), zorder=1)
        axes.annotate(
            name,
            (tau, 1.005),
            xycoords=("data", "axes fraction"),
            ha=side,
            fontsize="small",
            color="0.3",
        )
