"""The model that a held-out loss judged, and what other estimators call its regularisation."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .._support.arguments import check_choice, check_flag, check_number, check_whole
from ..kernels._base import parameter_names

if TYPE_CHECKING:
    from .._data.target import Target
    from ..kernels import Kernel

# Defaults of scikit-learn's regressors, which are made for targets of unit variance.
_DEFAULTS = {"epsilon": 0.1, "tol": 1e-3}
# Best half width of the band for normal noise of unit variance.
_BAND = 0.612
# Of more rows than this the band and C of a regression are those of the least-squares model that
# was judged: multiples of its residuals on the rows it was fitted to and of its coefficients. Of
# 130 to 354 rows neither this nor the rule for few is better, of 52 the rule for few.
_FEW = 500
# C and the least share of the held-out residuals for the band, below which the time of a fit grows
# as the band's inverse square. C was chosen on 1,000 rows of abalone, cpusmall, protein and three
# made-up sets (splits that no result in bench/results is of): with 2.0 and a share of 0.03 fits
# took twice as long and lost 0.5 points more. Of a made-up set with little noise shares of 0.06,
# 0.12 and 0.25 lost 5.6, 5.6 and 6.0 % in 0.52, 0.40 and 0.22 s. Of 10,000 rows of kin40k, with
# 2.0, 0.3 lost 2.55 % in 20 s, 0.2 lost 2.48 % in 31 s.
_OF_RESIDUALS, _OF_COEFFICIENTS = 0.5, 1.5
_AT_LEAST, _TWICE = 0.15, 10_000
# Where a machine stops, as a share of the band. With a quarter of it fits of kin40k took a fifth
# less time than with a tenth; with a half errors of space_ga and cadata were up to 0.4 points more.
_STOP = 0.25
# A hinge loss wants more weight than the square that it stands for: of 1, 2, 4, .. 32 times as much
# this lost least on either half of 23 two-class sets.
_HINGE = 4.0


@dataclass(frozen=True)
class RidgeModel:
    """The least-squares model that was judged: ``sum(loss) + ridge |f|^2`` on all rows.

    Attributes
    ----------
    lam : float
        Its lambda.
    rows : int
        On how many rows it was fitted.
    lam_convention : {"sum", "mean"}
        Whether the ridge is lambda, or lambda times the rows.
    bias : bool
        With a bias term (LSSVM), or without (kernel ridge regression).
    unit : float
        The unit of y: the standard deviation of a regression's target; 1 for classes.
    residual : float or None
        Root mean square of the leave-one-out residuals of a regression, where they are known.
    signal : float or None
        The size s of a regression's signal, where it is known: as a Gaussian process it has the
        covariance s^2 k and noise of variance s^2 ridge, at which the leave-one-out residuals have
        the size that the process says.
    coefficient : float or None
        Root mean square of the coefficients of a regression, where they are known.
    """

    lam: float
    rows: int
    lam_convention: str = "sum"
    bias: bool = True
    unit: float = 1.0
    residual: float | None = None
    signal: float | None = None
    coefficient: float | None = None

    def __post_init__(self) -> None:
        check_number(self.lam, "lam", positive=True)
        check_whole(self.rows, "rows", least=1)
        check_choice(self.lam_convention, "lam_convention", ("sum", "mean"))
        check_flag(self.bias, "bias")
        check_number(self.unit, "unit", positive=True)
        for name in ("residual", "signal", "coefficient"):
            if getattr(self, name) is not None:
                check_number(getattr(self, name), name, zero=True)

    @property
    def ridge(self) -> float:
        """What is added to the kernel's diagonal."""
        return self.lam * self.rows if self.lam_convention == "mean" else self.lam

    def _on_rows(self, rows: int) -> RidgeModel:
        """Return the model of the same ridge on another number of rows than it was judged on."""
        lam = self.ridge / rows if self.lam_convention == "mean" else self.lam
        return replace(self, lam=lam, rows=rows)

    @property
    def _bound(self) -> float | None:
        """The size of coefficients where a support vector regression is to have such ones."""
        return self.coefficient or None if self.rows > _FEW else None

    @classmethod
    def of(cls, target: Target, lam: float, *, mean: bool, bias: bool) -> RidgeModel:
        """Make the model of a lambda.

        Parameters
        ----------
        target : Target
            What it was fitted to.
        lam : float
            Its lambda.
        mean : bool
            Whether the ridge is that many times lambda as there are rows.
        bias : bool
            Whether it has a bias term.

        Returns
        -------
        RidgeModel
            With its ridge.
        """
        convention = "mean" if mean else "sum"
        return cls(float(lam), target.size, convention, bias, target.unit)

    def params_for(self, estimator: object, kernel: Kernel | None = None) -> dict[str, Any]:
        """Parameters that make an estimator regularise as much as this model.

        A support vector machine minimises ``C sum(loss) + |f|^2 / 2``, a ridge system ``sum(loss) +
        ridge |f|^2``: in units of y equal weights at C = 1 / (2 ridge). The hinge loss of a
        classifier grows more slowly than the square and only inside the margin; four times as much,
        C = 2 / ridge, lost least on 23 two-class sets. The loss of `SVR` is
        absolute, not squared, so its C is a multiple of that unit, and so is its tol. Its epsilon
        is ``min(0.612, 3 sqrt(log(n) / n))`` times the root mean square of the held-out residuals
        [1]_ [2]_, or a tenth of the unit where these are unknown. Of more than 500 rows a band of
        that width swallows what a model with little noise knows; there epsilon is half the root
        mean square of the residuals of this model on its own rows, C 1.5 times that of its
        coefficients, which are what C bounds, and tol a quarter of epsilon; for the fit's time
        epsilon is not less than 0.15 (1 + min(n / 10,000, 1)) times the held-out residuals. (An
        epsilon or tol that is not the estimator's default stays.) Kernel ridge regression has alpha
        = ridge: the same model without bias. Gaussian process regression with its kernel has the
        covariance ``s^2 k`` of the signal, noise of variance ``s^2 ridge`` as a `WhiteKernel`, so
        that deviations are those of new observations, and of a model with a bias a constant of wide
        variance: the same predictions as of this model.

        Parameters
        ----------
        estimator : object
            An estimator or its class.
        kernel : Kernel, optional
            What the estimator is to use; its parameters are then given as well.

        Returns
        -------
        dict
            Without regularisation where the estimator has nothing that stands for a ridge, as
            `NuSVC` and `GaussianProcessClassifier`.

        References
        ----------
        .. [1] V. Cherkassky, Y. Ma, "Practical selection of SVM parameters and noise estimation for
           SVM regression", Neural Networks 17, 2004.
        .. [2] A. J. Smola, N. Murata, B. Schoelkopf, K.-R. Mueller, "Asymptotically optimal choice
           of epsilon-loss for support vector machines", ICANN 1998.
        """
        names = parameter_names(estimator)
        own = {} if kernel is None else kernel.params_for(estimator)
        if {"lam", "lam_convention", "bias"} <= names:
            model = {"lam": self.lam, "lam_convention": self.lam_convention, "bias": self.bias}
            return {**own, **model}
        if "C" in names:
            hinge = _HINGE if "class_weight" in names else 1.0  # a classifier
            cost = hinge * self.unit * 0.5 / self.ridge
            if self._bound is not None:
                cost = _OF_COEFFICIENTS * self._bound
            return {**own, "C": cost, **self._tolerances(estimator, names)}
        if own and {"optimizer", "alpha", "normalize_y"} <= names:
            return self._process(own["kernel"])
        # The alpha of a transformer such as KernelPCA is another thing.
        learns = "alpha" in names and hasattr(estimator, "score")
        return {**own, "alpha": self.ridge} if learns else own

    def _tolerances(self, estimator: object, names: set[str]) -> dict[str, float]:
        """Return epsilon and tol of a support vector regression in the unit of y."""
        if "class_weight" in names:  # a classifier
            return {}
        wanted = {name: self.unit * default for name, default in _DEFAULTS.items()}
        if self.residual is not None:
            share = 3.0 * math.sqrt(math.log(self.rows) / self.rows)
            wanted["epsilon"] = min(_BAND, share) * self.residual
        if self._bound is not None:
            band = _OF_RESIDUALS * self.ridge * self._bound
            if self.residual is not None:
                share = _AT_LEAST * (1.0 + min(self.rows / _TWICE, 1.0))
                band = max(band, share * self.residual)
            wanted |= {"epsilon": band, "tol": max(wanted["tol"], _STOP * band)}
        given = {} if isinstance(estimator, type) else vars(estimator)
        return {
            name: value
            for name, value in wanted.items()
            if name in names and given.get(name, _DEFAULTS[name]) == _DEFAULTS[name]
        }

    def _process(self, elected: Any) -> dict[str, Any]:
        """Return the parameters of the Gaussian process that this model is the mean of."""
        from ..kernels._gaussian_process import whole_process

        signal = self.unit if self.signal is None else self.signal
        # Of a model with a bias y is brought to mean 0 and variance 1 beforehand, so that the
        # constant finds its value wherever y is.
        variance = (signal / self.unit if self.bias else signal) ** 2
        return {
            "kernel": whole_process(elected, variance, variance * self.ridge, self.bias),
            "alpha": 0.0,
            "normalize_y": self.bias,
        }
