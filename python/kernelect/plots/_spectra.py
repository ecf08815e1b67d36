"""Spectra of kernel matrices: how eigenvalues decay, and which of them the labels need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .._data.rows import check_rows
from .._data.target import Target, check_target
from .._evidence.kernel_spectrum import kernel_spectrum
from .._support.arguments import check_whole
from .._support.threads import resolve_threads
from ..kernels import Kernel
from ._kernel_key import KernelKey
from ._labels import fit_text
from ._style import new_axes, thin

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
        From more rows a fixed sample is taken, and the legend says so; shares change little.
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
    axes, key = new_axes(ax), KernelKey(listed)
    for number, spectrum in enumerate(found):
        axes.plot(np.arange(1, len(spectrum.values) + 1), spectrum.shares, **key.line(number))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("rank of the eigenvalue")
    axes.set_ylabel("eigenvalue, as a share of the trace")
    thin(axes)
    if ax is not None:
        fit_text(axes)
    key.explain(axes, notes, sampled, own=ax is None)
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
        From more rows a fixed sample is taken, and the legend says so; shares change little.
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
    axes, key = new_axes(ax), KernelKey(listed)
    points = [spectrum.distinct() for spectrum in found]
    for number, (shares, energies) in enumerate(points):
        if cumulative:
            steps = {"drawstyle": "steps-post", **key.line(number)}
            axes.plot(shares, np.cumsum(energies), **steps)
        else:
            axes.plot(shares, energies, **key.points(number))
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
    thin(axes)
    if ax is not None:
        fit_text(axes)
    key.explain(axes, notes, sampled, own=ax is None)
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
