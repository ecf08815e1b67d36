"""Criteria over the candidates on a common axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._support.arrays import FloatArray
from ..kernels import Kernel
from ..kernels._order import order_of
from ..results import ScoreTable, Selection
from ._style import COLOURS, DASHES, MARKERS, abscissae, keys_of, new_axes, scores_of, short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
    winner. Diagnostics without a direction run from least to most.

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
        With one line per criterion, labelled by its key.

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
    axes.set_ylim(-0.06, 1.06 + 0.065 * max(marked.values(), default=0))
    axes.set_yticks(np.linspace(0.0, 1.0, 6))
    if marked:  # the strip of winners above the curves
        axes.axhline(1.033, color="0.75", linewidth=0.8, zorder=1)
        axes.annotate(
            "winners",
            (0.995, 1.04),
            xycoords=("axes fraction", "data"),
            ha="right",
            fontsize="small",
            color="0.3",
        )
    if base is None:
        _name_candidates(axes, table.kernels, places, label)
    if X is not None and base is not None:
        _heuristic_lines(axes, table.kernels[0]._heuristics(X), places)
    axes.grid(axis="x", color="0.9", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(
        loc="upper left",
        bbox_to_anchor=(1.01, 1.0),
        frameon=False,
        title="criterion: winner",
    )
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
        markersize=3.5 if ordered else 7,
        linewidth=1.6,
        label=f"{key} (diagnostic)"
        if winner is None
        else f"{key}: {short_names(table.kernels)[winner]}",
    )
    if winner is not None:
        marked[winner] = marked.get(winner, 0) + 1
        axes.plot(
            places[winner],
            1.0 + 0.065 * marked[winner],
            marker=marker,
            markersize=8,
            color=colour,
            linestyle="none",
            label=f"_winner of {key}",
        )


def _goodness(table: ScoreTable, key: str) -> FloatArray:
    """Values of a criterion from 0, its worst candidate, to 1, its best; NaN where undefined."""
    column = table.columns[key].at_best_lambda()
    values = -column.loss if column.direction else column.values
    known = np.isfinite(values) & column.known
    goodness = np.full(len(values), np.nan)
    if known.any():
        low, span = values[known].min(), np.ptp(values[known])
        goodness[known] = (values[known] - low) / span if span > 0 else 1.0
    return goodness


def _name_candidates(axes: Axes, kernels: list[Kernel], places: FloatArray, label: str) -> None:
    if label != "candidate":
        axes.set_xticks(places)
        return
    if len(kernels) <= 12:
        axes.set_xticks(places, short_names(kernels), rotation=30, ha="right")
        axes.set_xlabel("")


def _heuristic_lines(axes: Axes, found: dict[str, float], places: FloatArray) -> None:
    for name, tau in found.items():
        if places.min() <= tau <= places.max():
            axes.axvline(tau, color="0.45", linewidth=1.0, linestyle=(0, (1, 2)), zorder=1)
            axes.annotate(
                name,
                (tau, 1.005),
                xycoords=("data", "axes fraction"),
                ha="right" if name == "scale" else "left",
                fontsize="small",
                color="0.3",
            )
