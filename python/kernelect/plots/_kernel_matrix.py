"""A kernel matrix as an image, its rows sorted by class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from .._data.rows import check_rows
from .._data.target import check_target
from .._support.arguments import check_whole, shown
from ..kernels import Kernel, Linear
from ._style import new_axes, short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
    if not isinstance(kernel, Kernel):
        raise TypeError(f"kernel_matrix needs a kernel such as Gaussian(1.0), not {shown(kernel)}")
    max_rows = check_whole(max_rows, "max_rows", least=1)
    target = check_target(y)
    if target.task == "regression" and len(target.values) != 1:
        raise ValueError("kernel_matrix sorts by one target, but y has several columns")
    by = target.codes if target.task == "classification" else target.values[0]
    order = np.argsort(by, kind="stable")
    if len(order) > max_rows:
        order = order[np.linspace(0, len(order) - 1, max_rows).astype(int)]
    bound = kernel._bound_to(X)
    matrix = bound(check_rows(X, "X")[order])
    axes = new_axes(ax, (5.6, 4.6))
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
    axes.set_title(short_names([kernel, Linear()])[0], loc="left", fontsize="medium")
    return axes
