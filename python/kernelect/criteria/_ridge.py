"""Criteria of O(n^3) evidence: exact held-out predictions of LSSVM and kernel ridge regression."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from .._data.target import Target
from .._dispatch import core
from .._support.arguments import check_flag, check_number
from .._support.arrays import FloatArray
from .._support.warning import warn_caller
from ._bif import BIF  # noqa: F401  older pickles look for it here
from ._column import Column
from ._constant import beside_constant
from ._evidence import Evidence
from ._goal import Goal
from ._held_out import LOSSES, HeldOutCriterion, RidgeCriterion, checked_folds, mean_loss
from ._likelihood import constant_surprise, surprises
from ._moments import Stability
from ._needs import Folds, Needs
from ._points import means, standard_errors
from ._predictions import HeldOut


@dataclass(frozen=True, repr=False)
class LOO(HeldOutCriterion):
    r"""Exact leave-one-out loss of LSSVM or kernel ridge regression; smaller is better.

    The held-out residuals are :math:`y_i - f^{(-i)}(x_i) = \alpha_i / P_{ii}` with
    :math:`P = R - R1 1^\top R / 1^\top R 1` (LSSVM) or :math:`P = R` (kernel ridge),
    :math:`R = (K + \rho I)^{-1}`: one factorisation instead of n fits.

    Parameters
    ----------
    loss : {"squared", "zero_one", "log_probability"}, default="squared"
        Mean squared residual over points and one-vs-rest columns; share of wrong decisions (an
        output of exactly 0 counts one half; ties between kernels are broken by the squared loss);
        or minus the log probability density that a Gaussian process, as in `MarginalLikelihood`,
        gives to a left-out target: :math:`\frac12 \log(2\pi s/P_{ii}) + P_{ii} e_i^2 / (2s)` with
        the residual :math:`e_i` and :math:`s = \sum_i P_{ii} e_i^2 / n`, its least value [2]_.
        With ``landmarks=`` what they do not see of :math:`k(x_i, x_i)` is added to the variance
        :math:`1/P_{ii}` of their model (deterministic training conditional).
    scoring : str, optional
        A scikit-learn scorer name, evaluated on the held-out outputs instead; larger is better.

    References
    ----------
    .. [1] G. C. Cawley, "Leave-one-out cross-validation based model selection criteria for weighted
       LS-SVMs", IJCNN 2006.
    .. [2] C. E. Rasmussen, C. K. I. Williams, "Gaussian Processes for Machine Learning", MIT Press
       2006, equations 5.10 to 5.13.

    Examples
    --------
    >>> import kernelect as ke
    >>> ke.criteria.LOO(loss="zero_one").key
    "loo(loss='zero_one')"
    """

    name: ClassVar[str] = "loo"
    losses: ClassVar[tuple[str, ...]] = (*LOSSES, "log_probability")

    def check_target(self, target: Target) -> None:
        super().check_target(target)
        single = np.flatnonzero(np.bincount(target.codes, minlength=target.n_classes) == 1)
        if target.task == "classification" and len(single):
            warn_caller(
                f"class {target.classes.tolist()[single[0]]!r} has a single member, which "
                "leave-one-out must predict without having seen its class; give it more rows or "
                "leave it out",
            )

    def needs(self) -> Needs:
        if self._probabilistic:
            return self._predictions(loo=True, variances=True, outputs=True)
        return self._predictions(loo=True)

    @property
    def _probabilistic(self) -> bool:
        return self.loss == "log_probability" and self.scoring is None

    def column(self, evidence: Evidence) -> Column:
        if self._probabilistic:
            return self._surprise(evidence.scored, evidence.ridge.loo)
        return self._held_out(evidence.scored, [evidence.ridge.loo])

    def _surprise(self, target: Target, loo: HeldOut) -> Column:
        points, weights = surprises(loo, target), target.weights
        mean = means(points, weights)
        column = self.scored(mean, errors=standard_errors(points, weights, mean))
        return replace(
            column,
            baselines=np.full(column.values.shape, constant_surprise(target)),
            **beside_constant([loo], target),
        )

    def goal(self) -> Goal | None:
        if self.scoring is not None or self.loss == "zero_one":
            return None
        return Goal("log_probability", logarithmic=False) if self._probabilistic else Goal("loo")


@dataclass(frozen=True, repr=False)
class CV(HeldOutCriterion):
    r"""Exact k-fold cross-validation loss without retraining; smaller is better.

    For a fold F, :math:`y_F - f^{(-F)}(x_F) = (P_{FF})^{-1} \alpha_F`.

    Parameters
    ----------
    loss, scoring
        As for `LOO`.
    folds : int, splitter or list of (train, test) pairs, optional
        Number of folds, any scikit-learn splitter, or indices; that of the call by default.
    stratified, shuffled : bool, default=True
        How a number of folds is split (stratified for classification only).
    """

    name: ClassVar[str] = "cv"
    folds: Any = None
    stratified: bool = True
    shuffled: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "folds", checked_folds(self.folds, "cv"))
        object.__setattr__(self, "stratified", check_flag(self.stratified, "cv: stratified"))
        object.__setattr__(self, "shuffled", check_flag(self.shuffled, "cv: shuffled"))

    @property
    def _folds(self) -> Folds:
        return Folds(self.folds, self.stratified, self.shuffled)

    def needs(self) -> Needs:
        return self._predictions(folds=(self._folds,))

    def column(self, evidence: Evidence) -> Column:
        return self._held_out(evidence.scored, evidence.ridge.held_out(self._folds))

    def goal(self) -> Goal | None:
        if self.scoring is not None or self.loss == "zero_one":
            return None
        return Goal("cv", self._folds)


@dataclass(frozen=True, repr=False)
class GCV(RidgeCriterion):
    r"""Generalised cross-validation; smaller is better.

    :math:`n \|P y\|^2 / (\operatorname{tr} P)^2`.
    """

    name: ClassVar[str] = "gcv"
    direction: ClassVar[int] = -1

    def needs(self) -> Needs:
        return Needs(gcv=True)

    def column(self, evidence: Evidence) -> Column:
        return self.scored(evidence.ridge.gcv.mean(axis=-1))


@dataclass(frozen=True, repr=False)
class BR(RidgeCriterion):
    r"""Bayesian regularisation :math:`\frac n2 \log Q + \frac d2 \log \Omega`; smaller is better.

    Q is half the sum of squared leave-one-out residuals, Omega half the squared norm of the
    kernel's coefficients: for a Gaussian of one width the single number 1/(2 tau), so this is
    leave-one-out with a mild pull to wide kernels. Defined for Gaussian kernels. The formula
    follows the published description; it could not be compared with the paper's text.

    References
    ----------
    .. [1] G. C. Cawley, N. L. C. Talbot, "Preventing over-fitting during model selection via
       Bayesian regularisation of the hyper-parameters", JMLR 2007.
    """

    name: ClassVar[str] = "br"
    direction: ClassVar[int] = -1

    def needs(self) -> Needs:
        return Needs(loo=True, outputs=True)

    def column(self, evidence: Evidence) -> Column:
        sums = self._sums(evidence)
        values: FloatArray = np.full(sums.shape[:2], np.nan)
        reasons: list[str | None] = []
        for k, rates in enumerate(evidence.rates):
            if rates is None:
                reasons.append("br is defined for Gaussian kernels only")
                continue
            if not all(0.0 < rate < np.inf for rate in rates):
                reasons.append(f"1 / (2 tau) = {rates[0]:g} is out of range")
                continue
            reasons.append(None)
            for j in range(len(values[k])):
                if np.isfinite(sums[k, j]).all():
                    values[k, j] = core.bayesian_regularisation(
                        np.ascontiguousarray(sums[k, j]), evidence.target.size, np.array(rates)
                    )
        return self.scored(values, reasons=reasons)

    def _sums(self, evidence: Evidence) -> FloatArray:
        """Return means of squared residuals over rows, each with its weight."""
        target, held_out = evidence.scored, evidence.ridge.loo
        if target.weights is None:
            return held_out.sums
        squares = (target.columns() - held_out.outputs) ** 2
        return np.asarray(np.einsum("klnc,n->klc", squares, target.weights) / target.size)


@dataclass(frozen=True, repr=False)
class KS(RidgeCriterion):
    r"""Cross-validation with a kernel-stability penalty; smaller is better.

    :math:`\mathrm{CV}_k + \frac{\eta}{n} \max_i \|K - K^i\|_2`: the second term pulls to narrow
    kernels and guards against over-fitting of the selection. In regression the first is divided by
    the variance of y. Not free of the kernel's scale; meant for kernels of unit diagonal.

    Parameters
    ----------
    folds : int, splitter or list of (train, test) pairs, optional
        As for `CV`.
    eta : float, default=1.0
        Weight of the penalty; 2^-2 to 2^5 are advised.

    References
    ----------
    .. [1] "Preventing Over-Fitting of Cross-Validation with Kernel Stability", ECML 2014.
    """

    name: ClassVar[str] = "ks"
    direction: ClassVar[int] = -1
    folds: Any = None
    eta: float = 1.0

    def __post_init__(self) -> None:
        check_number(self.eta, "ks: eta", zero=True)
        object.__setattr__(self, "folds", checked_folds(self.folds, "ks"))

    @property
    def standard_errors(self) -> bool:
        return True

    def needs(self) -> Needs:
        return Needs(folds=(Folds(self.folds),), zero_one=True) | Stability().needs()

    def goal(self) -> Goal | None:
        return Goal("cv", Folds(self.folds), form=Stability().to_core(), factor=self.eta)

    def column(self, evidence: Evidence) -> Column:
        parts = evidence.ridge.held_out(Folds(self.folds))
        loss = mean_loss(self, "squared", parts, evidence.scored)
        stability = evidence.moments(Stability().to_core()).values
        penalty = self.eta / evidence.target.size * stability
        variance = evidence.target.unit**2
        assert loss.errors is not None
        assert loss.baselines is not None
        penalised = self.scored(loss.values / variance + penalty[:, None])
        return replace(
            loss,
            values=penalised.values,
            reasons=penalised.reasons,
            errors=loss.errors / variance,
            baselines=loss.baselines / variance,
        )
