"""Kernels as covariances: the likelihood of the targets under a Gaussian process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .._data.target import Target
from .._support.arguments import check_number
from .._support.arrays import FloatArray
from ._column import Column
from ._evidence import Evidence
from ._goal import Goal
from ._held_out import RidgeCriterion
from ._needs import Needs
from ._predictions import HeldOut


@dataclass(frozen=True, repr=False)
class MarginalLikelihood(RidgeCriterion):
    r"""Log marginal likelihood of a Gaussian process, the "evidence"; larger is better.

    Each column of the target is taken for :math:`y \sim N(b 1, s A)` with :math:`A = K + \rho I`
    (:math:`\rho / w_i` on the diagonal for weighted rows): the kernel is the covariance of what is
    to be learnt, lambda that of the noise, and s their common scale. The bias has a flat prior of
    density 1 and is integrated out, which is the restricted likelihood of statistics:

    .. math:: -\frac m2 \log(2 \pi s) - \frac12 \log |A| - \frac12 \log 1^\top A^{-1} 1
              - \frac1{2s} y^\top P y,

    :math:`m = n - 1`; without a bias :math:`m = n`, :math:`P = A^{-1}`, and there is no third term.
    The values of all columns are added; the labels of a classification are taken for numbers, +1
    and -1. All of it comes from the factorisation that leave-one-out makes. It prefers the simplest
    kernel that explains the targets and, unlike held-out losses, believes in the model: where no
    kernel on offer fits, or labels are far from Gaussian, leave-one-out is the better judge.

    Parameters
    ----------
    variance : float, optional
        The scale s. By default that of greatest likelihood, :math:`y^\top P y / m`, for every
        column its own, so that neither the unit of the targets nor that of the kernel matters.
        With 1 and ``bias=False`` the value is that of scikit-learn's
        ``GaussianProcessRegressor(kernel, alpha=lam)``.

    References
    ----------
    .. [1] C. E. Rasmussen, C. K. I. Williams, "Gaussian Processes for Machine Learning", MIT Press
       2006, sections 2.7 and 5.4.1.
    .. [2] D. A. Harville, "Maximum likelihood approaches to variance component estimation and to
       related problems", JASA 1977.

    Examples
    --------
    >>> import kernelect as ke
    >>> ke.criteria.MarginalLikelihood(variance=1.0).key
    'evidence(variance=1.0)'
    """

    name: ClassVar[str] = "evidence"
    direction: ClassVar[int] = 1
    variance: float | None = None

    def __post_init__(self) -> None:
        if self.variance is not None:
            number = check_number(self.variance, "evidence: variance", positive=True)
            object.__setattr__(self, "variance", number)

    def needs(self) -> Needs:
        return Needs(evidence=True)

    def column(self, evidence: Evidence) -> Column:
        log_determinant, energies, freedom = evidence.ridge.likelihood
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = energies / freedom if self.variance is None else self.variance
            logs = freedom * np.log(2.0 * np.pi * scale) + log_determinant[..., None]
            return self.scored(-0.5 * (logs + energies / scale).sum(axis=-1))

    def goal(self) -> Goal | None:
        return Goal("evidence", variance=self.variance or 0.0, logarithmic=False)


def surprises(loo: HeldOut, target: Target) -> FloatArray:
    """Minus the log density of each left-out target, (candidates, lambdas, n): mean over columns.

    The scale s of the variances s / P_ii is that of the least mean, for every column its own.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        variances = loo.variances[..., None]
        ratios = (target.columns() - loo.outputs) ** 2 / variances
        scale = np.average(ratios, axis=-2, weights=target.weights)[..., None, :]
        densities = np.log(2.0 * np.pi * scale * variances) + ratios / scale
    return np.asarray(0.5 * densities.mean(axis=-1))


def constant_surprise(target: Target) -> float:
    """Minus the mean log density of targets that are taken for normal around their mean."""
    columns = target.columns()
    around = (columns - np.average(columns, axis=0, weights=target.weights)) ** 2
    variances = np.average(around, axis=0, weights=target.weights)
    return float(0.5 * (1.0 + np.log(2.0 * np.pi * variances).mean()))
