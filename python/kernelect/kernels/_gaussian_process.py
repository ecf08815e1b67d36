"""Kernels in the form that scikit-learn's Gaussian processes want."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.gaussian_process.kernels import Kernel as GaussianProcessKernel

from ._base import Kernel


class FixedKernel(GaussianProcessKernel):  # type: ignore[misc]
    """A kernel without free parameters, for `GaussianProcessRegressor` and its classifier.

    Parameters
    ----------
    kernel : Kernel
        What to compute.

    Examples
    --------
    >>> import kernelect as ke
    >>> from sklearn.gaussian_process import GaussianProcessRegressor
    >>> kernel = ke.Laplacian(1.0) + ke.Linear()
    >>> kernel.params_for(GaussianProcessRegressor)
    {'kernel': FixedKernel(Laplacian(gamma=1.0) + Linear())}
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def __call__(
        self, X: ArrayLike, Y: ArrayLike | None = None, eval_gradient: bool = False
    ) -> Any:
        """Kernel matrix, and an empty gradient where asked."""
        matrix = self.kernel(X, Y)
        return (matrix, np.empty((*matrix.shape, 0))) if eval_gradient else matrix

    def diag(self, X: ArrayLike) -> NDArray[np.float64]:
        """Diagonal of the kernel matrix."""
        return self.kernel.diag(X)

    def is_stationary(self) -> bool:
        """Whether only differences of rows matter; not claimed."""
        return False

    def __repr__(self) -> str:
        return f"FixedKernel({self.kernel!r})"
