"""Pictures of results: curves over a grid, a map of kernels and lambdas, a kernel matrix.

Needs matplotlib (``pip install kernelect[plots]``). Every function draws on the Axes given, or on new
ones, and returns them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import heuristics
from ._candidates import order_of
from .kernels import Gaussian, Kernel, Laplacian, Linear, Matern, Polynomial
from .results import ScoreTable, Selection

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FloatArray = NDArray[np.float64]

# Okabe and Ito's palette, told apart by colour-blind readers; markers and dashes repeat it.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_DASHES = ("-", "--", "-.", ":")

_AXES: dict[type[Kernel], tuple[str, str]] = {
    Gaussian: (r"squared width $\tau$ of the Gaussian kernel", "tau"),
    Laplacian: (r"$\gamma$ of the Laplacian kernel", "gamma"),
    Matern: (r"length scale $\ell$ of the Matérn kernel", "length_scale"),
    Polynomial: ("degree of the polynomial kernel", "degree"),
}


def _new_axes(ax: Axes | None, size: tuple[float, float] = (7.0, 4.2)) -> Axes:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError(
            "plots need matplotlib; install it with: pip install kernelect[plots]"
        ) from None
    _, new = plt.subplots(figsize=size, layout="constrained")
    return new


def _scores(result: ScoreTable | Selection) -> ScoreTable:
    return result.table if isinstance(result, Selection) else result


def _abscissae(kernels: list[Kernel]) -> tuple[FloatArray, str, bool]:
    """Positions of the candidates, the label of the axis, and whether it is logarithmic."""
    if order_of(kernels) is None:
        return np.arange(len(kernels), dtype=np.float64), "candidate", False
    label, name = _AXES[type(kernels[0])]
    values = np.array([getattr(kernel, name) for kernel in kernels], dtype=np.float64)
    return values, label, name != "degree"


def criterion_curves(
    result: ScoreTable | Selection,
    criteria: Sequence[str] | None = None,
    *,
    X: Any = None,
    ax: Axes | None = None,
) -> Axes:
    r"""Draw criteria over the candidates on a common axis, each winner marked.

    Criteria have different units, so each is drawn as its goodness: 1 at its best candidate, 0 at
    its worst, whatever its direction. Above the curves, each criterion's mark stands over its winner. Diagnostics without a direction run from least to most.

    Parameters
    ----------
    result : ScoreTable or Selection
        What `evaluate` or `select` gave; with several lambdas each candidate is at its best one.
    criteria : list of str, optional
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
    table = _scores(result)
    keys = list(table.scores) if criteria is None else [table._key(key) for key in criteria]
    axes = _new_axes(ax)
    places, label, logarithmic = _abscissae(table.kernels)
    marked: dict[int, int] = {}
    for number, key in enumerate(keys):
        _curve(axes, table, key, places, number=number, marked=marked)
    if logarithmic:
        axes.set_xscale("log", base=2 if isinstance(table.kernels[0], Gaussian) else 10)
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
    if label == "candidate" or not logarithmic:
        _name_candidates(axes, table.kernels, places, label)
    if X is not None and isinstance(table.kernels[0], Gaussian) and logarithmic:
        _heuristic_lines(axes, X, places)
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
    colour, marker = COLOURS[number % len(COLOURS)], _MARKERS[number % len(_MARKERS)]
    ranks = table.direction[key] != 0 and np.isfinite(goodness).any()
    winner = int(table.ranking(key)[0]) if ranks else None
    ordered = order_of(table.kernels) is not None  # a line between unrelated kernels says nothing
    axes.plot(
        places,
        goodness,
        color=colour,
        linestyle=_DASHES[number % len(_DASHES)] if ordered else "none",
        marker=marker,
        markersize=3.5 if ordered else 7,
        linewidth=1.6,
        label=f"{key} (diagnostic)"
        if winner is None
        else f"{key}: {_names(table.kernels)[winner]}",
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
    raw = table.scores[key]
    values = -table._at_best_lambda(key, table._loss(key)) if table.direction[key] else raw
    known = np.isfinite(values) & np.array([reason is None for reason in table.reasons[key]])
    goodness = np.full(len(values), np.nan)
    if known.any():
        low, span = values[known].min(), np.ptp(values[known])
        goodness[known] = (values[known] - low) / span if span > 0 else 1.0
    return goodness


def _names(kernels: Sequence[Kernel]) -> list[str]:
    """Short names: widths alone where all are Gaussian, else the kernels as they print."""
    names = []
    for kernel in kernels:
        text = repr(kernel)
        if isinstance(kernel, Gaussian) and all(isinstance(k, Gaussian) for k in kernels):
            exponent = float(np.log2(kernel.tau))
            power = abs(exponent) > 4 and exponent.is_integer()
            width = f"2^{{{int(exponent)}}}" if power else f"{kernel.tau:.4g}"
            text = rf"$\tau = {width}$"
        names.append(text if len(text) <= 36 else text[:35] + "…")
    return names


def _name_candidates(axes: Axes, kernels: list[Kernel], places: FloatArray, label: str) -> None:
    if label != "candidate":
        axes.set_xticks(places)
        return
    if len(kernels) <= 12:
        axes.set_xticks(places, _names(kernels), rotation=30, ha="right")
        axes.set_xlabel("")


def _heuristic_lines(axes: Axes, X: Any, places: FloatArray) -> None:
    for name, rule in (("scale", heuristics.scale), ("median", heuristics.median)):
        tau = rule(X).tau
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


def lambda_map(
    result: ScoreTable | Selection, criterion: str | None = None, *, ax: Axes | None = None
) -> Axes:
    r"""Draw a criterion over kernels and lambdas as a heat map, the winner marked.

    Parameters
    ----------
    result : ScoreTable or Selection
        With several lambdas.
    criterion : str, optional
        A criterion that depends on lambda; may be left out when there is only one.
    ax : matplotlib Axes, optional
        Where to draw.

    Returns
    -------
    matplotlib Axes
        Dark is better; pairs that were not evaluated are left white.

    Examples
    --------
    >>> import kernelect as ke
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> table = ke.evaluate(X, y, ke.gaussian_grid(-2, 4), "loo", lam=[0.01, 0.1, 1.0])
    >>> ke.plots.lambda_map(table).get_xlabel()
    'regularisation $\\lambda$'
    """
    table = _scores(result)
    paths = [key for key, values in table.scores.items() if values.ndim == 2]
    if table.lams is None or not paths:
        raise ValueError("a map of lambdas needs scores for several; pass lam=[...] or lam='auto'")
    key = table._key(criterion) if criterion is not None else paths[-1]
    if key not in paths:
        raise ValueError(f"{key!r} does not depend on lambda; {', '.join(paths)} do")
    axes = _new_axes(ax)
    lams, label = _shared_lambdas(table.lams)
    kernels, name, logarithmic = _abscissae(table.kernels)
    values = np.ma.masked_invalid(table.scores[key])
    # A search looks at part of the plane: show that part.
    rows, columns = (
        slice(found[0], found[-1] + 1)
        for found in (np.flatnonzero((~np.ma.getmaskarray(values)).any(axis=i)) for i in (1, 0))
    )
    positive = bool((values > 0).all()) and values.max() > 20 * values.min()
    smaller = table.direction[key] < 0
    image = axes.pcolormesh(
        _edges(lams[columns], True),
        _edges(kernels[rows], logarithmic),
        values[rows, columns],
        cmap="viridis" if smaller else "viridis_r",
        norm="log" if positive else "linear",
    )
    axes.set_xscale("log")
    if logarithmic:
        axes.set_yscale("log", base=2 if isinstance(table.kernels[0], Gaussian) else 10)
    elif name == "candidate":
        axes.set_yticks(kernels, _names(table.kernels))
        name = ""
    best = table.best(key)
    column = int(table.best_lambda(key)[best.index])
    axes.plot(
        lams[column],
        kernels[best.index],
        marker="*",
        markersize=16,
        color="white",
        markeredgecolor="black",
        linestyle="none",
        label="winner",
    )
    axes.set_xlabel(label)
    axes.set_ylabel(name)
    axes.set_title(
        f"{key} ({'smaller' if smaller else 'larger'} is better)\nbest at "
        rf"{_names(table.kernels)[best.index]}, $\lambda$ = {best.lam:.3g}",
        loc="left",
        fontsize="medium",
    )
    axes.figure.colorbar(image, ax=axes, label=key)
    return axes


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
    # lam="auto": 2^-10 .. 2^10 times tr(K_c)/n, another unit for every candidate.
    steps = np.exp2(np.arange(lams.shape[1]) - (lams.shape[1] - 1) / 2)
    return steps, r"regularisation $\lambda$, in units of tr($K_c$)/n"


def kernel_matrix(
    kernel: Kernel, X: ArrayLike, y: ArrayLike, *, max_rows: int = 600, ax: Axes | None = None
) -> Axes:
    """Draw the kernel matrix with the rows sorted by class (or by a number to predict).

    A kernel that tells the classes apart shows bright blocks on the diagonal.

    Parameters
    ----------
    kernel : Kernel
        What to draw.
    X : array-like of shape (n, n_features)
        Rows.
    y : array-like of shape (n,)
        Labels or numbers.
    max_rows : int, default=600
        Of more rows, an even share is drawn.
    ax : matplotlib Axes, optional
        Where to draw.

    Returns
    -------
    matplotlib Axes
        With an image and lines between classes.

    Examples
    --------
    >>> import kernelect as ke
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> ax = ke.plots.kernel_matrix(ke.Gaussian(2.0), X, y)
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['0', '1', '2']
    """
    from ._rows import check_rows
    from ._target import check_target

    target = check_target(y)
    if target.task == "regression" and len(target.values) != 1:
        raise ValueError("kernel_matrix sorts by one target, but y has several columns")
    by = target.codes if target.task == "classification" else target.values[0]
    order = np.argsort(by, kind="stable")
    if len(order) > max_rows:
        order = order[np.linspace(0, len(order) - 1, max_rows).astype(int)]
    bound = kernel._bound_to(X)
    matrix = bound(check_rows(X, "X")[order])
    axes = _new_axes(ax, (5.6, 4.6))
    image = axes.imshow(matrix, cmap="viridis", interpolation="nearest")
    axes.figure.colorbar(image, ax=axes, label="kernel value", shrink=0.9)
    if target.task == "classification":
        codes = by[order]
        ends = np.flatnonzero(np.diff(codes)) + 0.5
        for end in ends:
            axes.axhline(end, color="white", linewidth=1.0)
            axes.axvline(end, color="white", linewidth=1.0)
        limits = np.concatenate([[-0.5], ends, [len(codes) - 0.5]])
        middles = (limits[1:] + limits[:-1]) / 2
        names = [str(target.classes[code]) for code in np.unique(codes)]
        axes.set_yticks(middles, names)
        axes.set_xticks([])
        axes.set_xlabel("the same rows, sorted by class")
        axes.set_ylabel("class")
    else:
        axes.set_xlabel("rows sorted by the target, ascending")
        axes.set_ylabel("rows sorted by the target")
    axes.set_title(_names([kernel, Linear()])[0], loc="left", fontsize="medium")
    return axes


def spectra(
    kernels: Kernel | Sequence[Kernel],
    X: ArrayLike,
    *,
    max_rows: int = 1000,
    ax: Axes | None = None,
) -> Axes:
    """Draw the eigenvalues of kernel matrices, as shares of their sum.

    A steep curve is a simple kernel (few directions), a flat one a complex kernel.

    Parameters
    ----------
    kernels : Kernel or list of Kernel
        One curve each.
    X : array-like of shape (n, n_features)
        Rows.
    max_rows : int, default=1000
        Of more rows, the first of a fixed shuffle are taken.
    ax : matplotlib Axes, optional
        Where to draw.

    Returns
    -------
    matplotlib Axes
        With one line per kernel on logarithmic axes.

    Examples
    --------
    >>> import kernelect as ke
    >>> from sklearn.datasets import load_iris
    >>> X, _ = load_iris(return_X_y=True)
    >>> len(ke.plots.spectra([ke.Gaussian(0.5), ke.Gaussian(8.0)], X).get_lines())
    2
    """
    from scipy.linalg import eigvalsh

    from ._rows import check_rows

    listed = [kernels] if isinstance(kernels, Kernel) else list(kernels)
    rows = check_rows(X, "X")
    if rows.shape[0] > max_rows:
        rows = rows[np.random.default_rng(0).permutation(rows.shape[0])[:max_rows]]
    axes = _new_axes(ax)
    for number, kernel in enumerate(listed):
        values = eigvalsh(kernel._bound_to(X)(rows))[::-1]
        shares = values / values.sum()
        # Below rounding error of the largest there is only noise.
        shares = shares[shares > len(shares) * np.finfo(float).eps * shares[0]]
        axes.plot(
            np.arange(1, len(shares) + 1),
            shares,
            color=COLOURS[number % len(COLOURS)],
            linestyle=_DASHES[number % len(_DASHES)],
            linewidth=1.8,
            label=_names(listed)[number],
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("rank of the eigenvalue")
    axes.set_ylabel("share of the trace")
    axes.grid(color="0.92", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    gaussian = all(isinstance(kernel, Gaussian) for kernel in listed)
    axes.legend(frameon=False, loc="lower left", title="Gaussian kernel" if gaussian else None)
    return axes


__all__ = ["COLOURS", "criterion_curves", "kernel_matrix", "lambda_map", "spectra"]
