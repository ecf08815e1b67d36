"""Criteria of O(n^2) evidence: sums over the kernel matrix in one streaming pass."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import ClassVar

from .._support.arguments import check_choice, check_flag, check_whole
from ._base import Criterion
from ._column import Column
from ._evidence import Evidence
from ._goal import Goal
from ._needs import CoreCriterion, Needs


@dataclass(frozen=True, repr=False)
class MomentCriterion(Criterion):
    """A closed form on sums over the kernel matrix, which the core computes.

    A subclass that is registered under another name has its parent's formula with other parameters.
    """

    cubic: ClassVar[bool] = False
    # Whether the core knows its derivatives in the parameters of a kernel.
    differentiable: ClassVar[bool] = False

    @property
    def _formula(self) -> str:
        """Name in the core; a subclass that is registered under another name keeps its parent's."""
        return _formula_of(type(self))

    def to_core(self) -> CoreCriterion:
        """Return what the core computes: (name, degree, entry_sum, plain, relative, variant)."""
        return (self._formula, 2, False, False, False, False)

    def needs(self) -> Needs:
        return _needs_of(self.to_core())

    def goal(self) -> Goal | None:
        return Goal(form=self.to_core()) if self.differentiable else None

    def column(self, evidence: Evidence) -> Column:
        found = evidence.moments(self.to_core())
        column = self.scored(found.values, reasons=found.reasons, errors=found.errors)
        if found.rows is None:
            return column
        label = f"{self.label} ({found.rows} of {evidence.target.size} rows)"
        return replace(column, rivals=found.rivals, label=label)


# Asked for several times in every call.
@cache
def _formula_of(kind: type[MomentCriterion]) -> str:
    return [k for k in kind.__mro__ if issubclass(k, MomentCriterion)][-2].name


@cache
def _needs_of(form: CoreCriterion) -> Needs:
    return Needs(moments=(form,))


@dataclass(frozen=True, repr=False)
class SM(MomentCriterion):
    r"""Spectral measure :math:`\frac{1}{n} \bar y^\top N^r \bar y`; larger is better.

    With :math:`N = K / \operatorname{tr} K` and labels weighted by class,
    :math:`\bar y_i = n/n_+` or :math:`-n/n_-`. Several classes: the mean over one-vs-rest codings.
    Regression: the centred target, scaled to squared norm n. Costs ceil(r/2) passes over the pairs.

    Parameters
    ----------
    r : int, default=2
        Degree, at least 1. Larger degrees prefer wider kernels; 2 to 5 are sensible.
    normalization : {"trace", "sum"}, default="trace"
        What N divides by. ``"sum"``, the sum of entries, is the printed form of the paper. It
        drifts to the identity kernel (mean regret 14 points of test error on 22 data sets, against
        1.5 for the trace) and is kept for comparison.
    weighted : bool, default=True
        Weight labels by class; with False they are +1 and -1.
    relative : bool, default=False
        Divide by the value at K = I. At 1 the kernel says no more than the identity.

    References
    ----------
    .. [1] "Efficient Kernel Selection via Spectral Analysis", IJCAI 2017.

    Examples
    --------
    >>> import kernelect as ke
    >>> ke.criteria.SM(r=3).key
    'sm(r=3)'
    """

    name: ClassVar[str] = "sm"
    direction: ClassVar[int] = 1
    differentiable: ClassVar[bool] = True
    regression: ClassVar[bool] = True
    r: int = 2
    normalization: str = "trace"
    weighted: bool = True
    relative: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "r", check_whole(self.r, "sm: r", least=1, most=1000))
        check_choice(self.normalization, "sm: normalization", ("trace", "sum"))
        object.__setattr__(self, "weighted", check_flag(self.weighted, "sm: weighted"))
        object.__setattr__(self, "relative", check_flag(self.relative, "sm: relative"))

    def to_core(self) -> CoreCriterion:
        entry_sum, plain = self.normalization == "sum", not self.weighted
        return (self._formula, self.r, entry_sum, plain, self.relative, False)

    def beside_identity(self) -> SM:
        return replace(self, relative=True)


@dataclass(frozen=True, repr=False)
class KTA(MomentCriterion):
    r"""Kernel-target alignment :math:`\langle K, yy^\top\rangle / (n \|K\|)`; larger is better.

    Several classes: the target is 1 within a class and -1/(c-1) between classes. Regression:
    :math:`tt^\top` of the centred numbers. It leans to narrow kernels.

    References
    ----------
    .. [1] "Comparative study of universal kernel evaluation measures", J. Software 2015.
    """

    name: ClassVar[str] = "kta"
    direction: ClassVar[int] = 1
    differentiable: ClassVar[bool] = True
    regression: ClassVar[bool] = True


@dataclass(frozen=True, repr=False)
class EKTA(MomentCriterion):
    r"""Alignment with classes weighted by 1/n_k; larger is better.

    :math:`\langle K, y_E y_E^\top\rangle / (\|K\| \|y_E y_E^\top\|)` with :math:`y_E = 1/n_+` or
    :math:`-1/n_-`; equal to `KTA` for balanced classes.

    References
    ----------
    .. [1] "Comparative study of universal kernel evaluation measures", J. Software 2015.
    """

    name: ClassVar[str] = "ekta"
    direction: ClassVar[int] = 1
    differentiable: ClassVar[bool] = True


@dataclass(frozen=True, repr=False)
class CKTA(MomentCriterion):
    r"""Centred alignment of the kernel with the labels; larger is better.

    :math:`\langle K_c, yy^\top\rangle / (\|K_c\| \|H yy^\top H\|)`.

    It does not change when the kernel is scaled or the features are moved, and likes wide kernels;
    with those a learner of fixed regularisation wants the kernel rescaled.

    Parameters
    ----------
    variant : {"cortes", "survey"}, default="cortes"
        ``"survey"`` divides by n in place of the centred target's norm; two classes only. Both
        elect the same kernel.

    References
    ----------
    .. [1] C. Cortes, M. Mohri, A. Rostamizadeh, "Algorithms for learning kernels based on centered
       alignment", JMLR 2012.
    .. [2] "Comparative study of universal kernel evaluation measures", J. Software 2015.
    """

    name: ClassVar[str] = "ckta"
    direction: ClassVar[int] = 1
    differentiable: ClassVar[bool] = True
    regression: ClassVar[bool] = True
    variant: str = "cortes"

    def __post_init__(self) -> None:
        check_choice(self.variant, "ckta: variant", ("cortes", "survey"))

    def applies_to(self, task: str, n_classes: int) -> bool:
        two_classes = task == "classification" and n_classes <= 2
        return two_classes or (self.variant == "cortes" and super().applies_to(task, n_classes))

    def to_core(self) -> CoreCriterion:
        return (self._formula, 2, False, False, False, self.variant == "survey")


@dataclass(frozen=True, repr=False)
class FSM(MomentCriterion):
    r"""Feature-space separability :math:`(s_+ + s_-) / (m_+ - m_-)`; smaller is better.

    Spread of each class along the line that joins the class means, over the distance of the means;
    the mean over pairs of classes. Its optimum 0 is reached at K = I, so on a grid of widths it
    picks the narrowest kernel (test error 37 to 49% in nine probes): for comparison, not for use.

    References
    ----------
    .. [1] "Comparative study of universal kernel evaluation measures", J. Software 2015.
    """

    name: ClassVar[str] = "fsm"
    direction: ClassVar[int] = -1


@dataclass(frozen=True, repr=False)
class KCSM(MomentCriterion):
    r"""Class separability :math:`\operatorname{tr} S_B / \operatorname{tr} S_W`; larger is better.

    Between-class over within-class scatter in feature space, any number of classes. Free of the
    kernel's scale; likes very wide kernels.

    Parameters
    ----------
    bounded : bool, default=False
        Use tr S_B / (tr S_B + tr S_W), in [0, 1]; the same ranking.

    References
    ----------
    .. [1] "Comparative study of universal kernel evaluation measures", J. Software 2015.
    """

    name: ClassVar[str] = "kcsm"
    direction: ClassVar[int] = 1
    bounded: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "bounded", check_flag(self.bounded, "kcsm: bounded"))

    def to_core(self) -> CoreCriterion:
        return (self._formula, 2, False, False, False, self.bounded)


@dataclass(frozen=True, repr=False)
class Ncut(MomentCriterion):
    r"""Normalised cut between the two classes; smaller is better.

    The ratio :math:`y^\top (D - K) y / y^\top D y = 4\,\mathrm{cut} / \mathrm{vol}`, equal to
    :math:`1 - n` times the plain spectral measure of degree 1 with the entry-sum normalisation. Its
    optimum 0 is reached at K = I.

    Parameters
    ----------
    variant : {"ratio", "shi_malik"}, default="ratio"
        ``"shi_malik"``: cut/vol(+) + cut/vol(-).

    References
    ----------
    .. [1] "Efficient Kernel Selection via Spectral Analysis", IJCAI 2017.
    """

    name: ClassVar[str] = "ncut"
    direction: ClassVar[int] = -1
    multiclass: ClassVar[bool] = False
    variant: str = "ratio"

    def __post_init__(self) -> None:
        check_choice(self.variant, "ncut: variant", ("ratio", "shi_malik"))

    def to_core(self) -> CoreCriterion:
        return (self._formula, 2, False, False, False, self.variant == "shi_malik")


@dataclass(frozen=True, repr=False)
class MMD(MomentCriterion):
    r"""Squared distance of the class means in feature space (biased MMD²); larger is better.

    For kernels of unit diagonal it equals the spectral measure of degree 1; two classes only.

    References
    ----------
    .. [1] "Efficient Kernel Selection via Spectral Analysis", IJCAI 2017.
    """

    name: ClassVar[str] = "mmd"
    direction: ClassVar[int] = 1
    multiclass: ClassVar[bool] = False


@dataclass(frozen=True, repr=False)
class Stability(MomentCriterion):
    r"""Kernel stability :math:`\max_i \|K - K^i\|_2`; a diagnostic without a direction.

    :math:`K^i` is K with row and column i set to zero; the norm is
    :math:`(K_{ii} + \sqrt{K_{ii}^2 + 4 \sum_{j \ne i} K_{ji}^2}) / 2`. Needs no labels.

    References
    ----------
    .. [1] "Preventing Over-Fitting of Cross-Validation with Kernel Stability", ECML 2014, Theorem
       4.
    """

    name: ClassVar[str] = "stability"
    direction: ClassVar[int] = 0
    regression: ClassVar[bool] = True
