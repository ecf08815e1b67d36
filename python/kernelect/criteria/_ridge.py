"""Criteria of O(n^3) evidence: exact held-out predictions of LSSVM and kernel ridge regression."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.metrics import get_scorer

from .._support.shown import shown
from ._base import Criterion, Evidence, choice, flag

_LOSSES = ("squared", "zero_one")


@dataclass(frozen=True, repr=False)
class RidgeCriterion(Criterion):
    """A criterion on the ridge system (K + rho I), factored once per candidate and lambda."""

    evidence: ClassVar[Evidence] = "ridge"
    regression: ClassVar[bool] = True
    regularised: ClassVar[bool] = True

    def _printed(self, name: str) -> str:
        value = getattr(self, name)
        if name != "folds" or not isinstance(value, (list, tuple)):
            return super()._printed(name)
        # Row numbers would fill pages; a checksum tells splits of the same number apart.
        parts = [np.asarray(part) for split in value for part in split]
        checksum = zlib.crc32(b"".join(b"%d:" % part.size + part.tobytes() for part in parts))
        return f"<{len(value)} splits {checksum:08x}>"


def _check_scoring(scoring: Any) -> None:
    if scoring is not None:
        try:
            get_scorer(scoring)
        except (ValueError, TypeError):
            raise ValueError(
                f"unknown scoring {scoring!r}; sklearn.metrics.get_scorer_names() lists them"
            ) from None


def _checked_folds(folds: Any, owner: str) -> Any:
    """Check the form of a criterion's own folds; splits that come one by one are gathered."""
    if not isinstance(folds, (str, bytes, bool, type)):
        if isinstance(folds, (int, np.integer)):
            return int(folds)
        if folds is None or hasattr(folds, "split"):
            return folds
        if isinstance(folds, Iterable):
            splits = folds if isinstance(folds, (list, tuple)) else list(folds)
            if all(map(_is_split, splits)):
                return splits
    raise TypeError(
        f"{owner}: folds must be a number, a scikit-learn splitter (PredefinedSplit for fold numbers) "
        f"or (train, test) pairs of indices, not {shown(folds)}"
    )


def _is_split(split: Any) -> bool:
    try:
        train, test = (np.asarray(part) for part in split)
    except (TypeError, ValueError):
        return False
    return train.ndim == test.ndim == 1


@dataclass(frozen=True, repr=False)
class HeldOutCriterion(RidgeCriterion):
    """A loss, or a scikit-learn score, of exact held-out predictions."""

    loss: str = "squared"
    scoring: str | None = None

    def __post_init__(self) -> None:
        choice(self.loss, "loss", _LOSSES, self.name)
        _check_scoring(self.scoring)

    def sense(self) -> int:
        """-1 for a loss, +1 for a scikit-learn score."""
        return -1 if self.scoring is None else 1

    def applies_to(self, task: str, n_classes: int) -> bool:
        return task == "classification" or self.loss == "squared"


@dataclass(frozen=True, repr=False)
class LOO(HeldOutCriterion):
    r"""Exact leave-one-out loss of LSSVM or kernel ridge regression; smaller is better.

    The held-out residuals are :math:`y_i - f^{(-i)}(x_i) = \alpha_i / P_{ii}` with
    :math:`P = R - R1 1^\top R / 1^\top R 1` (LSSVM) or :math:`P = R` (kernel ridge),
    :math:`R = (K + \rho I)^{-1}`: one factorisation instead of n fits.

    Parameters
    ----------
    loss : {"squared", "zero_one"}, default="squared"
        Mean squared residual over points and one-vs-rest columns, or share of wrong decisions (an
        output of exactly 0 counts one half; ties between kernels are broken by the squared loss).
    scoring : str, optional
        A scikit-learn scorer name, evaluated on the held-out outputs instead; larger is better.

    References
    ----------
    .. [1] G. C. Cawley, "Leave-one-out cross-validation based model selection criteria for weighted
       LS-SVMs", IJCNN 2006.

    Examples
    --------
    >>> import kernelect as ke
    >>> ke.criteria.LOO(loss="zero_one").key
    "loo(loss='zero_one')"
    """

    name: ClassVar[str] = "loo"
    direction: ClassVar[int] = -1


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
    direction: ClassVar[int] = -1
    folds: Any = None
    stratified: bool = True
    shuffled: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "folds", _checked_folds(self.folds, "cv"))
        object.__setattr__(self, "stratified", flag(self.stratified, "stratified", "cv"))
        object.__setattr__(self, "shuffled", flag(self.shuffled, "shuffled", "cv"))


@dataclass(frozen=True, repr=False)
class GCV(RidgeCriterion):
    r"""Generalised cross-validation :math:`n \|P y\|^2 / (\operatorname{tr} P)^2`; smaller is better."""

    name: ClassVar[str] = "gcv"
    direction: ClassVar[int] = -1


@dataclass(frozen=True, repr=False)
class BR(RidgeCriterion):
    r"""Bayesian regularisation :math:`\frac n2 \log Q + \frac d2 \log \Omega`; smaller is better.

    Q is half the sum of squared leave-one-out residuals, Omega half the squared norm of the kernel's
    coefficients: for a Gaussian of one width the single number 1/(2 tau), so this is leave-one-out
    with a mild pull to wide kernels. Defined for Gaussian kernels. The formula follows the published
    description; it could not be compared with the paper's text.

    References
    ----------
    .. [1] G. C. Cawley, N. L. C. Talbot, "Preventing over-fitting during model selection via Bayesian
       regularisation of the hyper-parameters", JMLR 2007.
    """

    name: ClassVar[str] = "br"
    direction: ClassVar[int] = -1


@dataclass(frozen=True, repr=False)
class BIF(RidgeCriterion):
    r"""Approximate k-fold cross-validation by a Bouligand influence function; smaller is better.

    A Taylor series of order t around the fit on all data. For the square loss `CV` is exact at the
    same cost, so this is for comparison. Near K = I the series keeps the sign of the training label;
    kernels whose mean off-diagonal entry is below 1/n of the diagonal get the worst value. lambda is
    taken in the mean convention (``lam / n`` where the call uses "sum").

    Parameters
    ----------
    order : int, default=3
        Terms of the series.
    folds : int, splitter or list of (train, test) pairs, optional
        As for `CV`.
    loss : {"squared", "zero_one"}, default="squared"
        As for `LOO`.
    """

    name: ClassVar[str] = "bif"
    direction: ClassVar[int] = -1
    order: int = 3
    folds: Any = None
    loss: str = "squared"

    def __post_init__(self) -> None:
        if isinstance(self.order, bool) or not isinstance(self.order, (int, np.integer)):
            raise TypeError(f"bif: order must be a whole number, not {self.order!r}")
        if not 1 <= self.order <= 100:
            raise ValueError(f"bif: order must be from 1 to 100, not {self.order}")
        choice(self.loss, "loss", _LOSSES, "bif")
        object.__setattr__(self, "folds", _checked_folds(self.folds, "bif"))

    def applies_to(self, task: str, n_classes: int) -> bool:
        return task == "classification" or self.loss == "squared"


@dataclass(frozen=True, repr=False)
class KS(RidgeCriterion):
    r"""Cross-validation with a kernel-stability penalty; smaller is better.

    :math:`\mathrm{CV}_k + \frac{\eta}{n} \max_i \|K - K^i\|_2`: the second term pulls to narrow kernels
    and guards against over-fitting of the selection. Not free of the kernel's scale; meant for
    kernels of unit diagonal.

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
        if not isinstance(self.eta, (int, float, np.integer, np.floating)):
            raise TypeError(f"ks: eta must be a number, not {self.eta!r}")
        if not (math.isfinite(self.eta) and self.eta >= 0):
            raise ValueError(f"ks: eta must be zero or positive, not {self.eta!r}")
        object.__setattr__(self, "folds", _checked_folds(self.folds, "ks"))
