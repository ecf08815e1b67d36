"""A kernel matrix as an image, its rows sorted by class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._data.rows import check_rows
from .._data.target import check_target
from .._support.arguments import check_whole, shown
from .._support.arrays import FloatArray
from ..kernels import Kernel
from ..kernels._candidates import check_matrix
from ._labels import fit_text
from ._style import colour_bar, new_axes, short_names, thin

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def kernel_matrix(
    kernel: Kernel | ArrayLike,
    X: ArrayLike | None = None,
    y: ArrayLike | None = None,
    *,
    max_rows: int = 600,
    ax: Axes | None = None,
) -> Axes:
    """Draw the kernel matrix with the rows sorted by class (or by a number to predict).

    A kernel that separates the classes shows bright blocks on the diagonal.

    Parameters
    ----------
    kernel : Kernel or kernel matrix of shape (n, n)
        What to draw.
    X : array-like of shape (n, n_features), optional
        Rows; may be left out for a matrix.
    y : array-like of shape (n,)
        Labels or numbers.
    max_rows : int, default=600
        Of larger tables, evenly spaced rows are drawn.
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
    if y is None:
        raise TypeError("kernel_matrix needs y, by which the rows are sorted")
    max_rows = check_whole(max_rows, "max_rows", least=1)
    target = check_target(y)
    if target.task == "regression" and len(target.values) != 1:
        raise ValueError("kernel_matrix sorts by one target, but y has several columns")
    by = target.codes if target.task == "classification" else target.values[0]
    order = np.argsort(by, kind="stable")
    if len(order) > max_rows:
        order = order[np.linspace(0, len(order) - 1, max_rows).astype(int)]
    matrix = _entries(kernel, X, order, target.size)
    axes = new_axes(ax, (5.0, 4.0))
    image = axes.imshow(matrix, cmap="viridis", interpolation="nearest")
    thin(axes, grid="none", frame=True)
    colour_bar(image, axes, "kernel value")
    if target.task == "classification":
        codes = by[order]
        ends = np.flatnonzero(np.diff(codes)) + 0.5
        for end in ends:
            axes.axhline(end, color="white", linewidth=0.8)
            axes.axvline(end, color="white", linewidth=0.8)
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
    if isinstance(kernel, Kernel):
        axis = kernel._axis
        family = f"{axis.title}, " if axis is not None and axis.symbol is not None else ""
        axes.set_title(family + short_names([kernel])[0], loc="left", fontsize="medium")
    if ax is not None:
        fit_text(axes)
    return axes


def _entries(kernel: Any, X: Any, order: NDArray[np.intp], n: int) -> FloatArray:
    """Kernel values among the rows drawn, in their order."""
    if not isinstance(kernel, Kernel):
        return np.asarray(check_matrix(kernel, n, "the kernel matrix")[np.ix_(order, order)])
    if X is None:
        raise TypeError(f"kernel_matrix needs X, the rows at which {shown(kernel)} is drawn")
    return kernel._bound_to(X)(check_rows(X, "X")[order])
