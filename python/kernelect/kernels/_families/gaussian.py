"""The kernel families that the core knows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._data.rows import Tables
from .._base import Kernel, positive

if TYPE_CHECKING:
    from ..._data.rows import Program


def _set(kernel: Kernel, name: str, value: float) -> None:
    object.__setattr__(kernel, name, value)


@dataclass(frozen=True, repr=False)
class Gaussian(Kernel):
    r"""Gaussian kernel :math:`\exp(-\|x - x'\|^2 / (2 \tau))`.

    Parameters
    ----------
    tau : float
        Squared width. ``Gaussian(gamma=...)`` and ``Gaussian(sigma=...)`` take scikit-learn's
        ``gamma`` = 1/(2 tau) or the width ``sigma`` = sqrt(tau) instead.

    Examples
    --------
    >>> import kernelect as ke
    >>> ke.Gaussian(8.0)
    Gaussian(tau=8.0)
    >>> ke.Gaussian(8.0).gamma
    0.0625
    >>> ke.Gaussian(gamma=0.0625) == ke.Gaussian(sigma=8 ** 0.5) == ke.Gaussian(tau=8.0)
    True
    >>> ke.Gaussian(2.0)([[0.0], [1.0]]).round(4)
    array([[1.    , 0.7788],
           [0.7788, 1.    ]])
    """

    tau: float

    def __init__(
        self, tau: float | None = None, *, gamma: float | None = None, sigma: float | None = None
    ) -> None:
        if sum(value is not None for value in (tau, gamma, sigma)) != 1:
            raise TypeError("Gaussian needs exactly one of tau, gamma and sigma")
        if gamma is not None:
            value = 1.0 / (2.0 * positive("gamma", gamma, "Gaussian"))
        elif sigma is not None:
            # A width that is the root of a short number gives back that number.
            width = positive("sigma", sigma, "Gaussian")
            square = width * width
            short = float(f"{square:.14g}")
            value = short if abs(short - square) <= 1e-15 * square else square
        else:
            value = positive("tau", tau, "Gaussian")
        if not (math.isfinite(value) and value > 0 and math.isfinite(1.0 / value)):
            raise ValueError(f"Gaussian: tau = {value!r} is too extreme for floating point")
        _set(self, "tau", value)

    @property
    def gamma(self) -> float:
        """Scikit-learn's parameter, 1/(2 tau)."""
        return 0.5 / self.tau

    @property
    def sigma(self) -> float:
        """The width, sqrt(tau)."""
        return math.sqrt(self.tau)

    def _program(self, tables: Tables) -> Program:
        return [("gaussian", self.gamma, 0.0, 0, tables.whole())]

    def _params_for(self, names: set[str]) -> dict[str, Any]:
        if "gamma" in names:
            return {"kernel": "rbf", "gamma": self.gamma}
        if "optimizer" in names:  # a Gaussian process: its kernels are objects of their own
            from sklearn.gaussian_process.kernels import RBF

            return {"kernel": RBF(self.sigma, length_scale_bounds="fixed")}
        return {}


@dataclass(frozen=True, repr=False)
class Laplacian(Kernel):
    r"""Laplacian kernel :math:`\exp(-\gamma \|x - x'\|_1)`.

    Parameters
    ----------
    gamma : float
        Inverse width.

    Examples
    --------
    >>> import kernelect as ke
    >>> ke.Laplacian(0.5)([[0.0], [2.0]]).round(4)
    array([[1.    , 0.3679],
           [0.3679, 1.    ]])
    """

    gamma: float

    def __post_init__(self) -> None:
        _set(self, "gamma", positive("gamma", self.gamma, "Laplacian"))
        if not math.isfinite(2.0 * self.gamma):
            raise ValueError(f"Laplacian: gamma = {self.gamma!r} is too large for floating point")

    def _program(self, tables: Tables) -> Program:
        return [("laplacian", self.gamma, 0.0, 0, tables.whole())]


@dataclass(frozen=True, repr=False)
class Matern(Kernel):
    r"""Matern kernel with smoothness 1/2, 3/2 or 5/2.

    With :math:`s = \sqrt{2\nu}\,\|x - x'\| / \ell`: :math:`e^{-s}`, :math:`(1 + s) e^{-s}` or
    :math:`(1 + s + s^2/3) e^{-s}`.

    Parameters
    ----------
    nu : {0.5, 1.5, 2.5}
        Smoothness.
    length_scale : float, default=1.0
        The length :math:`\ell`.

    Examples
    --------
    >>> import kernelect as ke
    >>> ke.Matern(1.5, 2.0)([[0.0], [1.0]]).round(4)
    array([[1.    , 0.7849],
           [0.7849, 1.    ]])
    """

    nu: float
    length_scale: float = 1.0

    def __post_init__(self) -> None:
        _set(self, "nu", positive("nu", self.nu, "Matern"))
        if self.nu not in (0.5, 1.5, 2.5):
            raise ValueError(f"Matern: nu must be 0.5, 1.5 or 2.5, not {self.nu!r}")
        _set(self, "length_scale", positive("length_scale", self.length_scale, "Matern"))
        if not math.isfinite(2.0 * self._rate):
            raise ValueError(
                f"Matern: length_scale = {self.length_scale!r} is too small for floating point"
            )

    @property
    def _rate(self) -> float:
        return math.sqrt(2 * self.nu) / self.length_scale

    def _program(self, tables: Tables) -> Program:
        return [(f"matern{int(2 * self.nu)}2", self._rate, 0.0, 0, tables.whole())]

    def _params_for(self, names: set[str]) -> dict[str, Any]:
        if "optimizer" not in names:
            return {}
        from sklearn.gaussian_process import kernels

        return {"kernel": kernels.Matern(self.length_scale, "fixed", nu=self.nu)}


@dataclass(frozen=True, repr=False)
class Polynomial(Kernel):
    r"""Polynomial kernel :math:`(c + \gamma\, x \cdot x')^{d}`.

    Parameters
    ----------
    degree : int
        The degree :math:`d`, at least 1.
    gamma : float, default=1.0
        Factor of the inner product.
    coef0 : float, default=1.0
        The constant :math:`c`; not negative, so that the kernel is positive semidefinite.

    Examples
    --------
    >>> import kernelect as ke
    >>> ke.Polynomial(2)
    Polynomial(degree=2)
    >>> ke.Polynomial(2)([[1.0], [2.0]])
    array([[ 4.,  9.],
           [ 9., 25.]])
    """

    degree: int
    gamma: float = 1.0
    coef0: float = 1.0

    def __post_init__(self) -> None:
        degree = self.degree
        if isinstance(degree, (bool, np.bool_)) or not isinstance(degree, (int, np.integer)):
            raise TypeError(f"Polynomial: degree must be a whole number, not {degree!r}")
        if not 1 <= degree <= 1000:
            raise ValueError(f"Polynomial: degree must be from 1 to 1000, not {degree!r}")
        object.__setattr__(self, "degree", int(degree))
        _set(self, "gamma", positive("gamma", self.gamma, "Polynomial"))
        _set(self, "coef0", positive("coef0", self.coef0, "Polynomial", zero=True))

    def _program(self, tables: Tables) -> Program:
        return [("polynomial", self.gamma, self.coef0, self.degree, tables.whole())]

    def _params_for(self, names: set[str]) -> dict[str, Any]:
        if {"gamma", "degree", "coef0"} <= names:
            return {
                "kernel": "poly",
                "degree": self.degree,
                "gamma": self.gamma,
                "coef0": self.coef0,
            }
        return {}

    def __repr__(self) -> str:
        extra = "".join(
            f", {name}={value!r}"
            for name, value in (("gamma", self.gamma), ("coef0", self.coef0))
            if value != 1.0
        )
        return f"Polynomial(degree={self.degree}{extra})"


@dataclass(frozen=True, repr=False)
class Linear(Kernel):
    r"""Linear kernel :math:`x \cdot x'`.

    Examples
    --------
    >>> import kernelect as ke
    >>> ke.Linear()([[1.0, 2.0]])
    array([[5.]])
    """

    def _program(self, tables: Tables) -> Program:
        return [("linear", 0.0, 0.0, 0, tables.whole())]

    def _params_for(self, names: set[str]) -> dict[str, Any]:
        return {"kernel": "linear"} if "degree" in names else {}
