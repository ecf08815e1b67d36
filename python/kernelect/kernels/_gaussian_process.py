"""Kernels in the form that scikit-learn's Gaussian processes want."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.gaussian_process.kernels import (
    ConstantKernel,
    Exponentiation,
    KernelOperator,
    WhiteKernel,
)
from sklearn.gaussian_process.kernels import Kernel as GaussianProcessKernel

from ._base import Kernel

# Of a constant that may be anything, in units of the process: wide enough to be flat.
_FLAT = 1e6


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


def whole_process(elected: Any, variance: float, noise: float, bias: bool) -> Any:
    """Make the covariance of observations: signal, noise, and a constant where there is a bias.

    Parameters
    ----------
    elected : scikit-learn kernel
        The kernel k.
    variance : float
        What it is multiplied by.
    noise : float
        Variance of the noise.
    bias : bool
        Whether there is a constant that may be anything.

    Returns
    -------
    scikit-learn kernel
        Without free parameters.
    """
    whole = ConstantKernel(variance, "fixed") * elected
    if bias:
        whole += ConstantKernel(_FLAT * (variance + noise), "fixed")
    return whole + WhiteKernel(noise, "fixed")


def put_into(given: Any, elected: Any) -> Any | None:
    """Put the elected kernel in the place of the one that a given covariance is made of.

    Factors and noise around it stay as they are. None where there is no single such place: then
    something of what was given is lost.
    """
    places = [part for part in _leaves(given) if not isinstance(part, ConstantKernel | WhiteKernel)]
    if len(places) != 1 or type(places[0]) is not type(elected):
        return None
    return _replaced(given, places[0], elected)


def _leaves(kernel: Any) -> Iterator[Any]:
    if isinstance(kernel, KernelOperator):
        yield from _leaves(kernel.k1)
        yield from _leaves(kernel.k2)
    elif isinstance(kernel, Exponentiation):
        yield from _leaves(kernel.kernel)
    else:
        yield kernel


def _replaced(kernel: Any, place: Any, elected: Any) -> Any:
    if kernel is place:
        return elected
    if isinstance(kernel, KernelOperator):
        parts = (_replaced(part, place, elected) for part in (kernel.k1, kernel.k2))
        return type(kernel)(*parts)
    if isinstance(kernel, Exponentiation):
        return Exponentiation(_replaced(kernel.kernel, place, elected), kernel.exponent)
    return kernel
