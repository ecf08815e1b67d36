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
    Product,
    Sum,
    WhiteKernel,
)
from sklearn.gaussian_process.kernels import Kernel as GaussianProcessKernel

from .._support.arrays import TINY
from ._base import Kernel

# Of a constant that may be anything, in units of the process: wide enough to be flat.
_FLAT = 1e6
# Of scikit-learn's constants, noise and process as they come.
_BOUNDS = (1e-5, 1e5)
_ALPHA = 1e-10


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
    place = place_in(given)
    return None if place is None else _replaced(given, place, elected)


def place_in(given: Any) -> Any | None:
    """Return the one part of a covariance that is neither a constant nor noise, if there is one."""
    places = [part for part in _leaves(given) if not isinstance(part, ConstantKernel | WhiteKernel)]
    return places[0] if len(places) == 1 else None


def in_unit_of(y: ArrayLike, given: Any, alpha: Any) -> dict[str, Any]:
    """Bring what of a regression is as it comes, and so stands for no wish, to the unit of y.

    Constants and noise of 1 within 1e-5 and 1e5 become the mean square of y, since the process has
    mean zero, and its variance, within bounds as wide as before, and an `alpha` of 1e-10 a share of
    the mean square. All others stay. Of factors one constant is enough: the others are shares.
    Where there is none, and no wish in noise and `alpha`, one of that size is put before the whole:
    a process of variance 1 would not see y of 1e-6 beside its noise, or the noise beside y of 1e6.

    Parameters
    ----------
    y : array-like
        Numbers.
    given : scikit-learn kernel
        The covariance.
    alpha : float or array
        What is added to its diagonal.

    Returns
    -------
    dict
        ``kernel``, and ``alpha`` where that is another.
    """
    numbers = np.asarray(y, dtype=np.float64)
    size = max(float(np.abs(numbers).max()), TINY)  # whose square may be no number
    squares = np.mean((numbers / size) ** 2), np.mean((numbers / size).var(axis=0))
    units = [size * size * float(square) for square in squares]
    if not all(0.0 < unit < np.inf for unit in units):
        return {"kernel": given}
    as_it_comes = np.ndim(alpha) == 0 and alpha == _ALPHA
    if as_it_comes and _has_no_unit(given):
        made = {"kernel": ConstantKernel(units[0], "fixed") * given}
    else:
        scales = dict(zip((ConstantKernel, WhiteKernel), units, strict=True))
        made = {"kernel": _scaled(given, scales)}
    if made["kernel"] != given and as_it_comes:
        made["alpha"] = _ALPHA * units[0]
    return made


def _has_no_unit(given: Any) -> bool:
    """Whether there is no constant, and no noise but as it comes."""
    return not any(
        isinstance(part, ConstantKernel)
        or (isinstance(part, WhiteKernel) and part != WhiteKernel())
        for part in _leaves(given)
    )


def _scaled(kernel: Any, units: dict[Any, float]) -> Any:
    kind = type(kernel)
    if kind in units and kernel == kind():
        return kind(units[kind], tuple(units[kind] * bound for bound in _BOUNDS))
    if isinstance(kernel, Sum):
        return Sum(_scaled(kernel.k1, units), _scaled(kernel.k2, units))
    if isinstance(kernel, Product):
        for k1, k2 in ((kernel.k1, kernel.k2), (kernel.k2, kernel.k1)):
            factor = _scaled(k1, units) if isinstance(k1, ConstantKernel | Product) else k1
            if factor != k1:
                return Product(*((factor, k2) if k1 is kernel.k1 else (k2, factor)))
    return kernel


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
