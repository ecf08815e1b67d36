"""What criteria are functions of: facts about the matrices of all candidates.

These classes only hold numbers. Whoever makes them (for ridge systems the core with whole matrices)
may change without any criterion noticing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from .._data.target import Target
from .._support.arrays import FloatArray
from ._asked import asked, found
from ._needs import Above, CoreCriterion, Folds, Quadrature, Series
from ._predictions import HeldOut
from ._systems import Likelihood, Systems


class MomentScores(NamedTuple):
    """A closed form for every candidate, with the reason where it is undefined.

    Where it is estimated by some `rows` against all, with standard errors, and with 1 for those
    that may be the best and 0 for the others.
    """

    values: FloatArray
    reasons: list[str | None]
    errors: FloatArray | None = None
    rivals: FloatArray | None = None
    rows: int | None = None


class LabelForms(NamedTuple):
    """For every candidate, w'K_h w for every label vector w, and what K is divided by.

    K_h is the part of K in the eigenvectors above the threshold. Rows are NaN where there is a
    reason.
    """

    forms: FloatArray
    sizes: FloatArray
    reasons: list[str | None]


class Rules(NamedTuple):
    """For every candidate, nodes and weights of a Gauss rule for each label vector, or a reason."""

    rules: list[list[tuple[FloatArray, FloatArray]]]
    reasons: list[str | None]


class OperatorSpectra(NamedTuple):
    """For every candidate, the eigenvalues of K/n and of the integral operator, both descending."""

    pairs: list[tuple[FloatArray, FloatArray] | None]
    reasons: list[str | None]


class SpectrumEvidence:
    """Eigenvalues of every candidate's matrix, as far as they were asked for.

    Attributes
    ----------
    tolerance : float
        Relative error that the leading eigenvalues were iterated to.
    converged : bool
        Whether all of them reached it.
    """

    def __init__(
        self,
        *,
        leading: FloatArray | None = None,
        trace: FloatArray | None = None,
        tolerance: float = 0.0,
        converged: bool = True,
        full: FloatArray | None = None,
        operators: Mapping[str, OperatorSpectra] = {},
        above: Mapping[Above, LabelForms] = {},
        quadratures: Mapping[Quadrature, Rules] = {},
    ) -> None:
        self._leading, self._trace, self._full = leading, trace, full
        self._operators, self._above, self._quadratures = operators, above, quadratures
        self.tolerance, self.converged = tolerance, converged

    @property
    def leading(self) -> FloatArray:
        """The largest eigenvalues, (candidates, t + 1), descending; NaN for a matrix not finite.

        At least one more than this criterion asked for, which tells whether the last is repeated.
        """
        return asked(self._leading, "leading=t")

    @property
    def trace(self) -> FloatArray:
        """Sum of all eigenvalues, (candidates,)."""
        return asked(self._trace, "leading=t")

    @property
    def full(self) -> FloatArray:
        """All eigenvalues, (candidates, n), descending; NaN for a matrix that is not finite."""
        return asked(self._full, "full=True")

    def operator(self, measure: str) -> OperatorSpectra:
        """Eigenvalues of the matrices beside those of their integral operators."""
        return found(self._operators, measure, "operators")

    def above(self, request: Above) -> LabelForms:
        """Parts of the labels' measure above a threshold."""
        return found(self._above, request, "above")

    def quadrature(self, request: Quadrature) -> Rules:
        """Gauss rules of the labels' measure."""
        return found(self._quadratures, request, "quadratures")


class RidgeEvidence:
    """Solutions of the ridge systems of every candidate and lambda, as far as asked for.

    Attributes
    ----------
    systems : Systems
        The systems.
    scored : Target or None
        What is to be predicted of the rows that residuals and predictions are of, with what each
        counts in means; None where these are all rows.
    """

    def __init__(
        self,
        systems: Systems,
        *,
        residuals: FloatArray | None = None,
        gcv: FloatArray | None = None,
        likelihood: Likelihood | None = None,
        loo: HeldOut | None = None,
        folds: Mapping[Folds, list[HeldOut]] = {},
        series: Mapping[Series, list[HeldOut]] = {},
        off_diagonal: FloatArray | None = None,
        off_diagonal_squares: FloatArray | None = None,
        scored: Target | None = None,
    ) -> None:
        self.systems, self.scored = systems, scored
        self._residuals, self._gcv, self._loo = residuals, gcv, loo
        self._likelihood = likelihood
        self._folds, self._series = folds, series
        self._off_diagonal, self._off_diagonal_squares = off_diagonal, off_diagonal_squares

    @property
    def residuals(self) -> FloatArray:
        """Y - f(x) of the training rows, (candidates, lambdas, n, columns of the target)."""
        return asked(self._residuals, "fit=True")

    @property
    def gcv(self) -> FloatArray:
        """Generalised cross-validation, (candidates, lambdas, columns of the target)."""
        return asked(self._gcv, "gcv=True")

    @property
    def likelihood(self) -> Likelihood:
        """What the marginal likelihood of a Gaussian process is made of."""
        return asked(self._likelihood, "evidence=True")

    @property
    def loo(self) -> HeldOut:
        """Leave-one-out predictions."""
        return asked(self._loo, "loo=True")

    def held_out(self, folds: Folds) -> list[HeldOut]:
        """Predictions of held-out folds, one part per repetition."""
        return found(self._folds, folds, "folds")

    def series(self, request: Series) -> list[HeldOut]:
        """Approximate predictions of held-out folds, one part per repetition."""
        return found(self._series, request, "series")

    @property
    def off_diagonal(self) -> FloatArray:
        """Mean off-diagonal entry over mean diagonal entry, (candidates,), beside a series."""
        return asked(self._off_diagonal, "series=(...,)")

    @property
    def off_diagonal_squares(self) -> FloatArray:
        """The same of squared entries, in which signs do not cancel."""
        return asked(self._off_diagonal_squares, "series=(...,)")


class Evidence:
    """What a criterion is given: the candidates, the target, and the evidence that was asked for.

    Attributes
    ----------
    kernels : list of Kernel
        The candidates.
    target : Target
        What is to be predicted; ``target.columns()`` are the columns that are fitted: +1 and -1 for
        two classes, one-vs-rest for more, the targets of a regression.
    rates : list of tuple of float or None
        Rates at which Gaussian kernels fall, gamma or one per feature; None for other kernels.
    """

    def __init__(
        self,
        kernels: Sequence[Any],
        target: Target,
        rates: Sequence[Sequence[float] | None],
        *,
        moments: Mapping[CoreCriterion, MomentScores] = {},
        spectrum: SpectrumEvidence | None = None,
        ridge: RidgeEvidence | None = None,
        matrix: Callable[[int], FloatArray] | None = None,
    ) -> None:
        self.kernels, self.target, self.rates = kernels, target, rates
        self._moments, self._spectrum, self._ridge = moments, spectrum, ridge
        self._matrix = matrix

    def matrix(self, place: int) -> FloatArray:
        """Make the kernel matrix of one candidate, not to be written to."""
        return asked(self._matrix, "matrices=True")(place)

    def moments(self, form: CoreCriterion) -> MomentScores:
        """Values of a closed form of the core."""
        return found(self._moments, form, "moments")

    @property
    def spectrum(self) -> SpectrumEvidence:
        """Eigenvalues."""
        return asked(self._spectrum, "leading=t")

    @property
    def scored(self) -> Target:
        """What is to be predicted of the rows that held-out predictions are of: all, or a sample.

        Its ``weights`` say what each of them counts in means.
        """
        own = self.ridge.scored
        return self.target if own is None else own

    @property
    def ridge(self) -> RidgeEvidence:
        """Solutions of ridge systems."""
        return asked(self._ridge, "loo=True")
