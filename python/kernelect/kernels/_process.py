"""A kernel in the form of scikit-learn's Gaussian-process kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.gaussian_process import kernels as processes

from ._base import Kernel


class ProcessKernel(processes.Kernel):  # type: ignore[misc]
    """A kernel without free parameters, for estimators that want scikit-learn's own class.

    Gaussian processes accept no other callable. Estimators on scikit-learn's pairwise functions
    (kernel ridge regression, kernel PCA, spectral clustering) would call a plain function once for
    every pair of rows, and this one once for all.

    Parameters
    ----------
    kernel : Kernel
        What to compute.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def __call__(
        self, X: ArrayLike, Y: ArrayLike | None = None, eval_gradient: bool = False
    ) -> Any:
        """Kernel matrix, with its gradient in no parameters if asked for."""
        matrix = self.kernel(X, Y)
        return (matrix, np.empty((*matrix.shape, 0))) if eval_gradient else matrix

    def diag(self, X: ArrayLike) -> NDArray[np.float64]:
        """Diagonal of the kernel matrix."""
        return self.kernel.diag(X)

    def is_stationary(self) -> bool:
        """Nothing is known about that."""
        return False

    def __repr__(self) -> str:
        return f"ProcessKernel({self.kernel!r})"
