"""What evidence criteria ask for: small values that can be united."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from ._base import Criterion

# A closed form in the core: (name, degree, entry_sum, plain, relative, variant).
CoreCriterion: TypeAlias = tuple[str, int, bool, bool, bool, bool]


@dataclass(frozen=True, eq=False)
class Folds:
    """How rows are held out.

    Attributes
    ----------
    splits : int, splitter, list of (train, test) pairs or None
        None stands for those of the call. Two splitters are the same only if they are one object.
    stratified, shuffled : bool
        How a number of folds is split.
    """

    splits: Any = None
    stratified: bool = True
    shuffled: bool = True

    @property
    def _identity(self) -> tuple[Any, ...]:
        number = self.splits is None or isinstance(self.splits, (int, np.integer))
        return (self.splits if number else id(self.splits), number, self.stratified, self.shuffled)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Folds) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)


@dataclass(frozen=True)
class Series:
    """A Taylor series for held-out predictions: its order, the folds, whether to count errors."""

    order: int
    folds: Folds
    zero_one: bool = False


@dataclass(frozen=True)
class Above:
    """The part of the labels' measure above a threshold h of the normalised matrix, or 1/n."""

    h: float | None = None
    normalization: str = "trace"
    weighted: bool = True


@dataclass(frozen=True)
class Quadrature:
    """Gauss rules of the labels' measure, from this many Lanczos steps."""

    steps: int = 30
    normalization: str = "trace"
    weighted: bool = True


@dataclass(frozen=True)
class Needs:
    """The evidence that a criterion is a function of; ``a | b`` serves two criteria at once.

    Attributes
    ----------
    moments : tuple
        Closed forms of the core on sums over the matrix, as `MomentCriterion.to_core` names them.
    leading : int
        This many of the largest eigenvalues.
    full : bool
        All eigenvalues.
    operators : tuple of str
        All eigenvalues beside those of the integral operator, for ``"gaussian"`` or ``"torus"``
        data.
    above : tuple of Above
        Parts of the labels' spectral measure above a threshold.
    quadratures : tuple of Quadrature
        Gauss rules of the labels' spectral measure.
    fit : bool
        Residuals of the training rows.
    loo : bool
        Leave-one-out predictions.
    variances : bool
        Of leave-one-out predictions also their variances.
    gcv : bool
        Generalised cross-validation.
    evidence : bool
        What the marginal likelihood of a Gaussian process is made of.
    folds : tuple of Folds
        Predictions of held-out folds.
    series : tuple of Series
        Approximate predictions of held-out folds.
    zero_one, outputs : bool
        Of held-out predictions also their errors, and their outputs.
    matrices : bool
        The kernel matrices themselves, one at a time.
    """

    moments: tuple[CoreCriterion, ...] = ()
    leading: int = 0
    full: bool = False
    operators: tuple[str, ...] = ()
    above: tuple[Above, ...] = ()
    quadratures: tuple[Quadrature, ...] = ()
    fit: bool = False
    loo: bool = False
    variances: bool = False
    gcv: bool = False
    evidence: bool = False
    folds: tuple[Folds, ...] = ()
    series: tuple[Series, ...] = ()
    zero_one: bool = False
    outputs: bool = False
    matrices: bool = False

    @classmethod
    def of(cls, criteria: Iterable[Criterion]) -> Needs:
        """Return what some criteria, at least one, need between them."""
        first, *others = (criterion.needs() for criterion in criteria)
        return first._with(*others) if others else first

    def __or__(self, other: Needs) -> Needs:
        return self._with(other)

    def _with(self, *others: Needs) -> Needs:
        united = dict(vars(self))
        for other in others:
            for name, value in vars(other).items():
                if value is not united[name]:  # as most are
                    united[name] = _union(united[name], value)
        return Needs(**united)

    @property
    def exact(self) -> bool:
        """Whether ridge systems are to be solved as they are."""
        return self.fit or self.loo or self.gcv or self.evidence or bool(self.folds)

    @property
    def ridge(self) -> bool:
        """Whether ridge systems are needed at all."""
        return self.exact or bool(self.series)

    @property
    def spectrum(self) -> bool:
        """Whether anything about eigenvalues is needed."""
        return bool(self.leading or self.full or self.operators or self.above or self.quadratures)

    @property
    def whole_matrices(self) -> bool:
        """Whether landmarks cannot stand in for the matrix."""
        return self.spectrum or self.matrices

    @property
    def systems_alone(self) -> bool:
        """Whether ridge systems are all that is needed."""
        return not (self.moments or self.spectrum or self.matrices)

    @property
    def sums_alone(self) -> bool:
        """Whether one streaming pass over the pairs of rows is all that is needed."""
        return not (self.spectrum or self.ridge or self.matrices)


def _union(one: Any, two: Any) -> Any:
    if one == two:
        return one
    if isinstance(one, tuple):
        return tuple(dict.fromkeys(one + two))
    return max(one, two)
