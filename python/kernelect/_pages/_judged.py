"""The elected kernel judged on rows left out: what the report shows of its predictions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._data.outputs import LogisticProbabilities, decide
from .._data.rows import check_rows
from .._data.target import Target, check_target
from .._support.arrays import FloatArray
from ..lssvm import LSSVMClassifier, LSSVMRegressor
from ..results import Selection

# A page is to be there in seconds: of more rows than these, this many are drawn.
MOST_ROWS = 3000


@dataclass(frozen=True)
class Judged:
    """Predictions of rows left out: by the elected kernel, or by a learner's model.

    Attributes
    ----------
    target : Target
        The rows that were looked at.
    rows : int
        Number of all rows.
    lam : float or None
        Regularisation of the only model; None of a learner's.
    predicted : ndarray
        Labels or numbers, each by a model that has not seen the row.
    sure : ndarray or None
        Probabilities of the predicted classes.
    deviation : ndarray or None
        Deviations of predicted numbers.
    """

    target: Target
    rows: int
    lam: float | None
    predicted: NDArray[Any]
    sure: FloatArray | None = None
    deviation: FloatArray | None = None

    @property
    def observed(self) -> NDArray[Any]:
        """What was to be predicted."""
        if self.target.task == "regression":
            return np.asarray(self.target.values[0])
        return np.asarray(self.target.classes[self.target.codes])

    @property
    def score(self) -> float:
        """Accuracy, or R^2."""
        if self.target.task == "classification":
            return float((self.predicted == self.observed).mean())
        rest = self.observed - self.predicted
        return 1.0 - float(rest @ rest) / float(np.sum((self.observed - self.observed.mean()) ** 2))

    @property
    def constant(self) -> float:
        """Score of the largest class, or of the mean."""
        if self.target.task == "regression":
            return 0.0
        return float(np.bincount(self.target.codes).max() / self.target.size)


def judge(chosen: Selection, X: Any, y: Any, *, stored: bool = False) -> Judged | None:
    """Fit the model that was judged once more, and take its predictions on rows left out.

    `stored` says that X is the elected kernel's matrix. Where the criterion fits no model, lambda
    is that of least leave-one-out loss. None for targets of several numbers.
    """
    task = chosen.table.task
    whole = check_target(y, task)
    rows = check_rows(X, "X")
    if rows.shape[0] != whole.size:
        raise ValueError(f"X has {rows.shape[0]} rows, but y has {whole.size} entries")
    if stored and rows.shape[1] != whole.size:
        raise ValueError(
            f"the elected kernel is a matrix, so X must be that matrix of shape ({whole.size}, "
            f"{whole.size}), not of shape {rows.shape}"
        )
    if task == "regression" and len(whole.values) > 1:
        return None
    places = np.arange(whole.size)
    if whole.size > MOST_ROWS:
        places = np.sort(whole.shuffled_by_class()[:: -(-whole.size // MOST_ROWS)])
    target = whole.part(places)
    part = rows[np.ix_(places, places)] if stored else rows[places]
    options: dict[str, Any] = {"lam": "auto"}
    if chosen.model is not None:
        options = {
            "lam": chosen.model.lam,
            "lam_convention": chosen.model.lam_convention,
            "bias": chosen.model.bias,
        }
    kernel: Any = "precomputed" if stored else chosen.kernel._bound_to(X)
    if task == "classification":
        learner = LSSVMClassifier(kernel, solver="exact", **options).fit(
            part, target.classes[target.codes]
        )
        outputs = learner._loo_outputs
        sure = LogisticProbabilities.fit(outputs, target.codes).probabilities(outputs).max(axis=1)
        predicted = decide(outputs, learner.classes_)
        return Judged(target, whole.size, float(learner.lam_), predicted, sure=sure)
    model = LSSVMRegressor(kernel, solver="exact", **options).fit(part, target.values[0])
    residuals, coefficients = model.loo_residuals_, model.dual_coef_[:, 0]
    # The variance of row i left out is s^2 / P_ii, and P_ii is alpha_i over the residual.
    unit = np.mean(residuals * coefficients)
    safe = np.where(coefficients == 0.0, 1.0, coefficients)
    variance = np.where(coefficients == 0.0, np.nan, unit * residuals / safe)
    variance = np.where(np.isnan(variance), np.nanmedian(variance), variance)
    predicted = target.values[0] - residuals
    return Judged(
        target, whole.size, float(model.lam_), predicted, deviation=np.sqrt(np.abs(variance))
    )


def judged_by(learner: LSSVMClassifier | LSSVMRegressor) -> Judged | None:
    """Take the held-out predictions that a learner has; None for targets of several columns."""
    whole, known = learner._target, np.flatnonzero(learner._judged_rows)
    if len(known) == 0 or (whole.task == "regression" and len(whole.values) > 1):
        return None
    if getattr(learner, "_indicators", False):
        return None
    if len(known) > MOST_ROWS:
        known = known[:: -(-len(known) // MOST_ROWS)]
    target, outputs = whole.part(known), learner._loo_outputs[known]
    if whole.task == "regression":
        return Judged(target, whole.size, None, outputs[:, 0])
    sure = LogisticProbabilities.fit(outputs, target.codes).probabilities(outputs).max(axis=1)
    return Judged(target, whole.size, None, decide(outputs, learner.classes_), sure=sure)
