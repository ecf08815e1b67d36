"""Spectra of kernel matrices: how eigenvalues decay, and which of them the labels need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from .._data.rows import check_rows
from .._data.target import Target, check_target
from .._evidence.kernel_spectrum import kernel_spectrum
from .._support.arguments import check_whole
from .._support.threads import resolve_threads
from ..kernels import Kernel
from ._style import COLOURS, DASHES, MARKERS, common_axis, new_axes, short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FAINT = 1e-10  # energies below are not shown on a logarithmic axis


def spectra(
    kernels: Any,
    X: ArrayLike | None = None,
    *,
    count: int | None = None,
    max_rows: int = 5000,
    n_threads: int | None = None,
    n_jobs: int | None = None,
    notes: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the eigenvalues of kernel matrices, as shares of their sum.

    A steep curve is a simple kernel (few directions), a flat one a complex kernel. Whether the
    simple one is good is another matter: see `label_energy`.

    Parameters
    ----------
    kernels : Kernel, kernel matrix, or list of these
        One curve each.
    X : array-like of shape (n, n_features), optional
        Rows; may be left out for matrices.
    count : int, optional
        How many of the largest eigenvalues; by default all of up to 1000 rows, 100 of more rows.
    max_rows : int, default=5000
        Of more rows, a fixed sample is taken, and the legend says so; shares change little.
    n_threads, n_jobs : int, optional
        Threads, by either name; all CPUs that this process may use by default.
    notes : list of str, optional
        What the legend says of each kernel beside its name; nothing where empty.
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
    listed, X, _, sampled = _sampled(_listed(kernels), X, None, max_rows)
    notes = _check_notes(notes, len(listed))
    threads = resolve_threads(n_threads, n_jobs)
    found = [kernel_spectrum(k, X, count=count, n_threads=threads) for k in listed]
    axes = new_axes(ax)
    for number, spectrum in enumerate(found):
        axes.plot(
            np.arange(1, len(spectrum.values) + 1),
            spectrum.shares,
            color=_colour(number, len(listed)),
            **_line(number, len(listed)),
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("rank of the eigenvalue")
    axes.set_ylabel("eigenvalue, as a share of the trace")
    _finish(axes, listed, notes, sampled, "lower left")
    return axes


def label_energy(
    kernels: Any,
    X: ArrayLike | None = None,
    y: ArrayLike | None = None,
    *,
    cumulative: bool = False,
    count: int | None = None,
    max_rows: int = 5000,
    task: str = "auto",
    n_threads: int | None = None,
    n_jobs: int | None = None,
    notes: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    r"""Draw how much of the labels lies along each eigenvector, against its eigenvalue.

    With the eigenpairs :math:`K v_i = \lambda_i v_i` the energy of the labels at an eigenvalue is
    :math:`\langle y, v_i \rangle^2`. A learner follows directions of large eigenvalues first and
    shrinks the others, so a good kernel has the labels' energy at few, large eigenvalues; energy at
    small ones is what it takes for noise. The spectral measure is the mean of
    :math:`\phi(\lambda_i)` with these energies as weights.

    Parameters
    ----------
    kernels : Kernel, kernel matrix, or list of these
        One set of points, or one curve, each.
    X : array-like of shape (n, n_features), optional
        Rows; may be left out for matrices.
    y : array-like of shape (n,) or, for regression, (n, n_targets)
        Labels or numbers. They are centred; energies are shares of their squared length, the mean
        over classes (one against the rest) or targets.
    cumulative : bool, default=False
        Draw instead the share of the energy at or above each eigenvalue: the curve that rises
        first, from the right, needs the fewest directions.
    count : int, optional
        How many of the largest eigenvalues; by default all of up to 1000 rows, 100 of more rows.
    max_rows : int, default=5000
        Of more rows, a fixed sample is taken, and the legend says so; shares change little.
    task : {"auto", "classification", "regression"}, default="auto"
        What y is.
    n_threads, n_jobs : int, optional
        Threads, by either name; all CPUs that this process may use by default.
    notes : list of str, optional
        What the legend says of each kernel beside its name; nothing where empty.
    ax : matplotlib Axes, optional
        Where to draw.

    Returns
    -------
    matplotlib Axes
        With one line per kernel; eigenvalues are shares of the trace.

    Examples
    --------
    >>> import kernelect as ke
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> ax = ke.plots.label_energy([ke.Gaussian(0.5), ke.Gaussian(8.0)], X, y, cumulative=True)
    >>> ax.get_xlabel()
    'eigenvalue, as a share of the trace'
    """
    if y is None:
        raise TypeError("label_energy needs y, the labels or numbers to predict")
    listed, X, y, sampled = _sampled(_listed(kernels), X, y, max_rows)
    notes = _check_notes(notes, len(listed))
    threads = resolve_threads(n_threads, n_jobs)
    found = [kernel_spectrum(k, X, y, count=count, task=task, n_threads=threads) for k in listed]
    axes = new_axes(ax)
    points = [spectrum.distinct() for spectrum in found]
    for number, (shares, energies) in enumerate(points):
        style = {
            "linestyle": "none",
            "marker": MARKERS[number % len(MARKERS)],
            "markersize": 4.5,
            "alpha": 0.75,
            "markeredgewidth": 0,
        }
        axes.plot(
            shares,
            np.cumsum(energies) if cumulative else energies,
            color=_colour(number, len(listed)),
            **(_line(number, len(listed)) if cumulative else style),
        )
    axes.set_xscale("log")
    axes.set_xlabel("eigenvalue, as a share of the trace")
    if cumulative:
        axes.set_ylim(-0.03, 1.03)
        axes.set_ylabel("share of label energy at or above it")
    else:
        axes.set_yscale("log")
        # Energies at rounding level would press the others together.
        seen = np.concatenate([energies[energies > _FAINT] for _, energies in points])
        axes.set_ylim(seen.min(initial=0.1) / 3, 2.0)
        axes.set_ylabel(r"label energy $\langle y, v_i \rangle^2$, as a share")
    _finish(axes, listed, notes, sampled, "lower left" if cumulative else "best")
    return axes


def _listed(kernels: Any) -> list[Any]:
    """One kernel or matrix, or several."""
    several = isinstance(kernels, Iterable) and getattr(kernels, "ndim", None) != 2
    listed = list(kernels) if several else [kernels]
    if not listed:
        raise ValueError("there are no kernels to draw; give at least one")
    return listed


def _check_notes(notes: Sequence[str] | None, count: int) -> Sequence[str]:
    if notes is None:
        return [""] * count
    if isinstance(notes, str) or len(notes) != count:
        raise ValueError(f"notes must be a list with a text for each of the {count} kernels")
    return notes


def _sampled(listed: list[Any], X: Any, y: Any, max_rows: int) -> tuple[list[Any], Any, Any, str]:
    """Take a fixed sample of many rows, in which a class keeps its share, and name its size."""
    max_rows = check_whole(max_rows, "max_rows", least=1)
    if X is None or not all(isinstance(kernel, Kernel) for kernel in listed):
        return listed, X, y, ""
    rows = check_rows(X, "X")
    n = rows.shape[0]
    if n <= max_rows:
        return listed, X, y, ""
    target = Target.of_numbers(np.zeros(n)) if y is None else check_target(y, rows=n)
    order = target.shuffled_by_class()
    taken = order[np.linspace(0, n - 1, max_rows).astype(int)]
    bound = [kernel._bound_to(X) for kernel in listed]
    return (
        bound,
        rows[taken],
        None if y is None else np.asarray(y)[taken],
        f"{max_rows} of {n} rows",
    )


def _colour(number: int, count: int) -> Any:
    """Choose a colour for each of few kernels, a place on a ramp for those of a grid."""
    if count <= len(COLOURS):
        return COLOURS[number]
    import matplotlib as mpl

    return mpl.colormaps["viridis"](0.95 * number / (count - 1))


def _line(number: int, count: int) -> dict[str, Any]:
    dashes = DASHES[number % len(DASHES)] if count <= len(COLOURS) else "-"
    return {"linestyle": dashes, "linewidth": 1.8}


def _finish(
    axes: Axes,
    listed: Sequence[Any],
    notes: Sequence[str],
    sampled: str,
    corner: Literal["lower left", "best"],
) -> None:
    """Label the lines (every few where there are many), the legend and the grid."""
    kernels = [kernel for kernel in listed if isinstance(kernel, Kernel)]
    names = iter(short_names(kernels))
    labels = [
        next(names) if isinstance(kernel, Kernel) else f"matrix {number}"
        for number, kernel in enumerate(listed)
    ]
    labels = [", ".join(filter(None, pair)) for pair in zip(labels, notes, strict=True)]
    step = -(-len(listed) // len(COLOURS))
    lines = axes.get_lines()[-len(listed) :]
    for number, (line, label) in enumerate(zip(lines, labels, strict=True)):
        shown = number % step == 0 or number == len(listed) - 1
        line.set_label(label if shown else f"_{label}")
    axes.grid(color="0.92", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axis = common_axis(kernels) if len(kernels) == len(listed) else None
    title = ", ".join(filter(None, ["" if axis is None else axis.title, sampled]))
    axes.legend(frameon=False, loc=corner, title=title or None)
