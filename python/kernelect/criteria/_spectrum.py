"""Criteria of the eigenvalues of a kernel matrix."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ._base import Criterion, Evidence, choice, flag


def _whole(value: Any, name: str, owner: str) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{owner}: {name} must be a whole number, not {value!r}")
    if value < 1:
        raise ValueError(f"{owner}: {name} must be at least 1, not {value}")


def _number(value: Any, name: str, owner: str, *, zero: bool = True) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise TypeError(f"{owner}: {name} must be a number, not {value!r}")
    if not math.isfinite(value) or value < 0 or (value == 0 and not zero):
        wanted = "zero or positive" if zero else "positive"
        raise ValueError(f"{owner}: {name} must be {wanted} and finite, not {value!r}")


@dataclass(frozen=True, repr=False)
class SpectrumCriterion(Criterion):
    """A criterion on eigenvalues of the kernel matrix."""

    evidence: ClassVar[Evidence] = "spectrum"
    regression: ClassVar[bool] = True


@dataclass(frozen=True, repr=False)
class PEP(SpectrumCriterion):
    r"""Principal eigenvalue proportion :math:`\sum_{i \le t} \lambda_i / \operatorname{tr} K`.

    In [0, 1] and free of the kernel's scale; a larger value means a simpler kernel. It looks at no
    labels, so it is a diagnostic without a direction.

    Parameters
    ----------
    t : int, default=4
        How many eigenvalues; from 1 to n - 1.

    References
    ----------
    .. [1] "Infinite Kernel Learning: Generalization Bounds and Algorithms", AAAI 2017.

    Examples
    --------
    >>> import kernelect as ke
    >>> ke.criteria.PEP(t=2).key
    'pep(t=2)'
    """

    name: ClassVar[str] = "pep"
    direction: ClassVar[int] = 0
    cubic = False
    unlabelled: ClassVar[bool] = True
    t: int = 4

    def __post_init__(self) -> None:
        _whole(self.t, "t", "pep")


@dataclass(frozen=True, repr=False)
class ERRatio(SpectrumCriterion):
    r"""Eigenvalue ratio: the sum of the t largest over the sum of the others; a diagnostic.

    Parameters
    ----------
    t : int, default=4
        How many eigenvalues; from 1 to n - 1.
    """

    name: ClassVar[str] = "er_ratio"
    direction: ClassVar[int] = 0
    cubic = False
    unlabelled: ClassVar[bool] = True
    t: int = 4

    def __post_init__(self) -> None:
        _whole(self.t, "t", "er_ratio")


@dataclass(frozen=True, repr=False)
class ER(SpectrumCriterion):
    r"""Training loss plus the tail share of the spectrum; smaller is better.

    :math:`\frac1n \sum_i (y_i - f(x_i))^2 + \eta / (1 + \mathrm{ER}_t)` with the ratio
    :math:`\mathrm{ER}_t` of the t largest eigenvalues to the others. The second term is 1 - t/n at K = I
    and 0 at a constant kernel, so eta trades under- against over-smoothing. Reconstructed from the
    published abstract and a sister bound; the exact constants are ours.

    Parameters
    ----------
    t : int, default=4
        How many eigenvalues; from 1 to n - 1.
    eta : float, default=1.0
        Weight of the tail share.
    """

    name: ClassVar[str] = "er"
    direction: ClassVar[int] = -1
    regularised: ClassVar[bool] = True
    t: int = 4
    eta: float = 1.0

    def __post_init__(self) -> None:
        _whole(self.t, "t", "er")
        _number(self.eta, "eta", "er")


@dataclass(frozen=True, repr=False)
class EP(SpectrumCriterion):
    r"""Training loss plus the distance of the spectrum from the integral operator's; smaller is better.

    :math:`\frac1n \sum_i (y_i - f(x_i))^2 + \eta (\sum_i |\lambda_i(K/n) - \lambda_i(T)|^p)^{1/p}`.
    The operator's eigenvalues come from the kernel's Fourier transform on a torus, or in closed form for
    Gaussian data. Defined for Gaussian kernels, on the torus also for Laplacian, Matern and others
    that know their spectrum there.
    Reconstructed from the published abstract; expect little power in high dimension, where both
    spectra are flat.

    Parameters
    ----------
    eta : float, default=1.0
        Weight of the distance.
    p : {1, 2}, default=2
        The norm.
    measure : {"gaussian", "torus"}, default="gaussian"
        Normal data with the features' mean variance, or uniform data on a torus around the sample.
    """

    name: ClassVar[str] = "ep"
    direction: ClassVar[int] = -1
    regularised: ClassVar[bool] = True
    eta: float = 1.0
    p: int = 2
    measure: str = "gaussian"

    def __post_init__(self) -> None:
        _number(self.eta, "eta", "ep")
        if self.p not in (1, 2):
            raise ValueError(f"ep: p must be 1 or 2, not {self.p!r}")
        choice(self.measure, "measure", ("gaussian", "torus"), "ep")


@dataclass(frozen=True, repr=False)
class SMHinge(SpectrumCriterion):
    r"""Spectral measure of eigenvalues above a threshold; larger is better.

    :math:`\frac1n \sum_{\lambda_i > h} \lambda_i \langle \bar y, v_i \rangle^2` over the eigenpairs of
    :math:`N = K / \operatorname{tr} K`: only those above h are computed.

    Parameters
    ----------
    h : float, optional
        Threshold; 1/n by default.
    normalization : {"trace", "sum"}, default="trace"
        As for `SM`.
    weighted : bool, default=True
        As for `SM`.

    References
    ----------
    .. [1] "Efficient Kernel Selection via Spectral Analysis", IJCAI 2017.
    """

    name: ClassVar[str] = "sm_hinge"
    direction: ClassVar[int] = 1
    h: float | None = None
    normalization: str = "trace"
    weighted: bool = True

    def __post_init__(self) -> None:
        if self.h is not None:
            _number(self.h, "h", "sm_hinge")
        choice(self.normalization, "normalization", ("trace", "sum"), "sm_hinge")
        object.__setattr__(self, "weighted", flag(self.weighted, "weighted", "sm_hinge"))


@dataclass(frozen=True, repr=False)
class SMPhi(SpectrumCriterion):
    r"""Spectral measure :math:`\frac1n \bar y^\top \varphi(N) \bar y` of any function; larger is better.

    By Gauss quadrature from Lanczos steps started at the labels, without a decomposition: exact for
    polynomials of degree below twice the steps.

    Parameters
    ----------
    phi : callable
        Takes an array of eigenvalues of N, in [0, 1] up to rounding.
    steps : int, default=30
        Lanczos steps.
    normalization : {"trace", "sum"}, default="trace"
        As for `SM`.
    weighted : bool, default=True
        As for `SM`.

    References
    ----------
    .. [1] "Efficient Kernel Selection via Spectral Analysis", IJCAI 2017.
    """

    name: ClassVar[str] = "sm_phi"
    direction: ClassVar[int] = 1
    phi: Callable[[Any], Any] | None = None
    steps: int = 30
    normalization: str = "trace"
    weighted: bool = True

    def __post_init__(self) -> None:
        if self.phi is not None and not callable(self.phi):
            raise TypeError(f"sm_phi: phi must be a function of eigenvalues, not {self.phi!r}")
        _whole(self.steps, "steps", "sm_phi")
        choice(self.normalization, "normalization", ("trace", "sum"), "sm_phi")
        object.__setattr__(self, "weighted", flag(self.weighted, "weighted", "sm_phi"))
