"""Criteria of the eigenvalues of a kernel matrix."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .._data.target import Target
from .._support.arguments import check_choice, check_flag, check_number, check_whole
from .._support.arrays import FloatArray
from ._column import Column
from ._eigenvalues import SpectrumCriterion, remainder, share, training_loss
from ._evidence import Evidence
from ._needs import Above, Needs, Quadrature


@dataclass(frozen=True, repr=False)
class _OfLargest(SpectrumCriterion):
    """A diagnostic of the t largest eigenvalues."""

    direction: ClassVar[int] = 0
    cubic: ClassVar[bool] = False
    t: int = 4

    def __post_init__(self) -> None:
        check_whole(self.t, f"{self.name}: t", least=1)

    def needs(self) -> Needs:
        return Needs(leading=int(self.t))


@dataclass(frozen=True, repr=False)
class PEP(_OfLargest):
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

    def column(self, evidence: Evidence) -> Column:
        return self.scored(share(evidence, self.t, self.key))


@dataclass(frozen=True, repr=False)
class ERRatio(_OfLargest):
    r"""Eigenvalue ratio: the sum of the t largest over the sum of the others; a diagnostic.

    Parameters
    ----------
    t : int, default=4
        How many eigenvalues; from 1 to n - 1.
    """

    name: ClassVar[str] = "er_ratio"

    def column(self, evidence: Evidence) -> Column:
        found = share(evidence, self.t, self.key)
        with np.errstate(divide="ignore"):
            return self.scored(found / remainder(evidence, found, self.key))


@dataclass(frozen=True, repr=False)
class ER(SpectrumCriterion):
    r"""Training loss plus the tail share of the spectrum; smaller is better.

    :math:`\frac1n \sum_i (y_i - f(x_i))^2 + \eta / (1 + \mathrm{ER}_t)` with the ratio
    :math:`\mathrm{ER}_t` of the t largest eigenvalues to the others. The second term is 1 - t/n at
    K = I and 0 at a constant kernel, so eta trades under- against over-smoothing. In regression the
    loss is divided by the variance of y. Reconstructed from the published abstract and a sister
    bound; the exact constants are ours.

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
    weighs_rows: ClassVar[bool] = True
    t: int = 4
    eta: float = 1.0

    def __post_init__(self) -> None:
        check_whole(self.t, "er: t", least=1)
        check_number(self.eta, "er: eta", zero=True)

    def needs(self) -> Needs:
        return Needs(leading=int(self.t), fit=True)

    def column(self, evidence: Evidence) -> Column:
        tail = 1.0 - share(evidence, self.t, self.key)
        reasons = [self.undefined if gone else None for gone in np.isnan(tail)]
        values = training_loss(evidence) + self.eta * tail[:, None]
        return self.scored(values, reasons=reasons)


@dataclass(frozen=True, repr=False)
class EP(SpectrumCriterion):
    r"""Training loss plus distance of the spectrum from the integral operator's; smaller is better.

    :math:`\frac1n \sum_i (y_i - f(x_i))^2 + \eta (\sum_i |\lambda_i(K/n) - \lambda_i(T)|^p)^{1/p}`.
    The operator's eigenvalues come from the kernel's Fourier transform on a torus, or in closed
    form for Gaussian data. Defined for Gaussian kernels, on the torus also for Laplacian, Matern
    and others that know their spectrum there. In regression the loss is divided by the variance of
    y. Reconstructed from the published abstract; expect little power in high dimension, where both
    spectra are flat.

    Unless a kernel explains most of y, it elects a narrow one, of noise too: near K = I the
    training loss is :math:`(\lambda / (1 + \lambda))^2` of the variance, and the distance with
    p = 2 at most :math:`1 / \sqrt n`. So on scikit-learn's diabetes data it elects tau = 1, in any
    unit of y and for any `eta` up to 2. With p = 1 the distance is about 1 there, and wide kernels
    win.

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
    weighs_rows: ClassVar[bool] = True
    eta: float = 1.0
    p: int = 2
    measure: str = "gaussian"

    def __post_init__(self) -> None:
        check_number(self.eta, "ep: eta", zero=True)
        if self.p not in (1, 2):
            raise ValueError(f"ep: p must be 1 or 2, not {self.p!r}")
        check_choice(self.measure, "ep: measure", ("gaussian", "torus"))

    def needs(self) -> Needs:
        return Needs(operators=(self.measure,), fit=True)

    def column(self, evidence: Evidence) -> Column:
        pairs, reasons = evidence.spectrum.operator(self.measure)
        distances = np.array(
            [np.nan if p is None else np.linalg.norm(p[0] - p[1], ord=self.p) for p in pairs]
        )
        values = training_loss(evidence) + self.eta * distances[:, None]
        return self.scored(values, reasons=reasons)


@dataclass(frozen=True, repr=False)
class SMHinge(SpectrumCriterion):
    r"""Spectral measure of eigenvalues above a threshold; larger is better.

    :math:`\frac1n \sum_{\lambda_i > h} \lambda_i \langle \bar y, v_i \rangle^2` over the eigenpairs
    of :math:`N = K / \operatorname{tr} K`: only those above h are computed.

    Parameters
    ----------
    h : float, optional
        Threshold; 1/n by default. Eigenvalues that equal it to eight digits are not above it: those
        of narrow kernels crowd around 1/n, and rounding would decide.
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
            check_number(self.h, "sm_hinge: h", zero=True)
        check_choice(self.normalization, "sm_hinge: normalization", ("trace", "sum"))
        object.__setattr__(self, "weighted", check_flag(self.weighted, "sm_hinge: weighted"))

    @property
    def _request(self) -> Above:
        return Above(self.h, self.normalization, self.weighted)

    def needs(self) -> Needs:
        return Needs(above=(self._request,))

    def column(self, evidence: Evidence) -> Column:
        found = evidence.spectrum.above(self._request)
        values = found.forms.mean(axis=1) / (evidence.target.size * found.sizes)
        return self.scored(values, reasons=found.reasons)


@dataclass(frozen=True, repr=False)
class SMPhi(SpectrumCriterion):
    r"""Spectral measure of any function; larger is better.

    :math:`\frac1n \bar y^\top \varphi(N) \bar y`.

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
        check_whole(self.steps, "sm_phi: steps", least=1)
        check_choice(self.normalization, "sm_phi: normalization", ("trace", "sum"))
        object.__setattr__(self, "weighted", check_flag(self.weighted, "sm_phi: weighted"))

    @property
    def _request(self) -> Quadrature:
        return Quadrature(int(self.steps), self.normalization, self.weighted)

    def check_target(self, target: Target) -> None:
        super().check_target(target)
        if self.phi is None:
            raise ValueError("sm_phi needs a function: SMPhi(phi=lambda t: ...)")

    def needs(self) -> Needs:
        return Needs(quadratures=(self._request,))

    def column(self, evidence: Evidence) -> Column:
        found = evidence.spectrum.quadrature(self._request)
        values = np.full(len(found.rules), np.nan)
        reasons = list(found.reasons)
        for k, rules in enumerate(found.rules):
            if reasons[k] is not None:
                continue
            sums = [float(weights @ self._phi(nodes)) for nodes, weights in rules]
            value = float(np.mean(sums)) / evidence.target.size
            if np.isfinite(value):
                values[k] = value
            else:
                reasons[k] = "phi is not finite at an eigenvalue"
        return self.scored(values, reasons=reasons)

    def _phi(self, nodes: FloatArray) -> FloatArray:
        """Apply the function to eigenvalues, which rounding may have left below zero."""
        assert self.phi is not None
        found = np.asarray(self.phi(np.clip(nodes, 0.0, None)))
        if found.shape != nodes.shape or found.dtype.kind not in "biuf":
            raise ValueError(
                f"phi must give a real number for each of {len(nodes)} eigenvalues, not an array "
                f"of shape {found.shape} and type {found.dtype}; write it with NumPy's functions "
                "of arrays"
            )
        return found
