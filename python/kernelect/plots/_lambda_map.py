"""Criteria over kernels and lambdas as heat maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .._support.arrays import FloatArray
from ..results import ScoreTable, Selection
from ._labels import fit_text
from ._style import (
    abscissae,
    colour_bar,
    keys_of,
    new_axes,
    new_panels,
    scores_of,
    short_names,
    thin,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NAMED = 20  # rows of unrelated kernels that have their names beside them


def lambda_map(
    result: ScoreTable | Selection,
    criterion: str | Sequence[str] | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    r"""Draw criteria over kernels and lambdas as heat maps, each winner marked.

    Parameters
    ----------
    result : ScoreTable or Selection
        With several lambdas.
    criterion : str or list of str, optional
        Criteria that depend on lambda; all of them by default.
    ax : matplotlib Axes, optional
        Where to draw one criterion; several have panels side by side in a figure of their own.

    Returns
    -------
    matplotlib Axes
        Dark is better; pairs that were not evaluated are left white. Of several criteria the first
        panel; ``.figure`` has the others.

    Examples
    --------
    >>> import kernelect as ke
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> table = ke.evaluate(X, y, ke.gaussian_grid(-2, 4), "loo", lam=[0.01, 0.1, 1.0])
    >>> ke.plots.lambda_map(table).get_xlabel()
    'regularisation $\\lambda$'
    """
    table = scores_of(result)
    paths = [key for key, column in table.columns.items() if column.has_path]
    if not paths:
        raise ValueError("a map needs scores for several lambdas; pass lam=[...] or lam='auto'")
    keys = paths if criterion is None else keys_of(table, criterion)
    for key in keys:
        if key not in paths:
            raise ValueError(f"{key!r} does not depend on lambda; {', '.join(paths)} do")
        table.best(key)  # raises where there is no value to draw
    if ax is not None and len(keys) > 1:
        raise ValueError(
            f"ax has room for the map of one criterion, not {len(keys)}: name one of "
            f"{', '.join(keys)}, or leave ax out"
        )
    panels = [new_axes(ax)] if len(keys) == 1 else new_panels(len(keys))
    for key, axes in zip(keys, panels, strict=True):
        _map(axes, table, key)
        if axes is not panels[0]:  # they share its axis
            axes.set_ylabel("")
        fit_text(axes)
    return panels[0]


def _map(axes: Axes, table: ScoreTable, key: str) -> None:
    best, drawn = table.best(key), table.columns[key]
    assert drawn.lams is not None
    lams, label = _shared_lambdas(drawn.lams)
    ascending = np.argsort(lams)
    places, name, base = abscissae(table.kernels)
    values = np.ma.masked_invalid(drawn.values[:, ascending])
    # A search looks at part of the plane: show that part.
    seen, tried = (np.flatnonzero((~np.ma.getmaskarray(values)).any(axis=i)) for i in (1, 0))
    columns = slice(tried[0], tried[-1] + 1)
    if name == "candidate":  # in no order: only those with a value, one row each
        rows = seen
        places[rows] = np.arange(len(rows))
    else:
        rows = np.arange(seen[0], seen[-1] + 1)
    positive = bool((values > 0).all()) and values.max() > 20 * values.min()
    smaller = drawn.direction < 0
    image = axes.pcolormesh(
        _edges(lams[ascending][columns], True),
        _edges(places[rows], base is not None),
        values[rows][:, columns],
        cmap="viridis" if smaller else "viridis_r",
        norm="log" if positive else "linear",
    )
    axes.set_xscale("log")
    if base is not None:
        axes.set_yscale("log", base=base)
    elif name == "candidate":
        named = rows[:: -(-len(rows) // _NAMED)]
        names = short_names([table.kernels[row] for row in named], 26)
        axes.set_yticks(places[named], names)
        name = ""
    column = int(drawn.best_lambda()[best.index])
    axes.plot(
        lams[column],
        places[best.index],
        marker="*",
        markersize=13,
        color="white",
        markeredgecolor="black",
        linestyle="none",
        label="winner",
    )
    axes.set_xlabel(label)
    axes.set_ylabel(name)
    axes.set_title(
        f"{key} ({'smaller' if smaller else 'larger'} is better)\n"
        rf"best: {short_names(table.kernels, 26)[best.index]}, $\lambda$ = {best.lam:.3g}",
        loc="left",
        fontsize="medium",
    )
    thin(axes, grid="none", frame=True)
    colour_bar(image, axes, key)


def _edges(centres: FloatArray, logarithmic: bool) -> FloatArray:
    """Borders of cells half-way between their centres, on the scale of the axis."""
    places = np.log(centres) if logarithmic else centres
    if len(places) == 1:
        borders = places[0] + np.array([-0.5, 0.5])
    else:
        middles = (places[1:] + places[:-1]) / 2
        borders = np.concatenate(
            [2 * places[:1] - middles[:1], middles, 2 * places[-1:] - middles[-1:]]
        )
    return np.exp(borders) if logarithmic else borders


def _shared_lambdas(lams: FloatArray) -> tuple[FloatArray, str]:
    """One axis for all candidates: lambda itself, or in units of each kernel's own scale."""
    rows = lams[np.isfinite(lams).any(axis=1)]
    first = rows[0]
    if np.allclose(rows, first, rtol=1e-12, equal_nan=True):
        return first, r"regularisation $\lambda$"
    # lam="auto": ridges of 2^-10 .. 2^10 times tr(K_c)/n, another unit for every candidate.
    steps = np.exp2(np.arange(lams.shape[1]) - (lams.shape[1] - 1) / 2)
    return steps, r"ridge, in units of tr($K_c$)/n"
