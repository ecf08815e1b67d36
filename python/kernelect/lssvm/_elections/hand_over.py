"""What a learner's election tells other estimators: the elected model, and sizes of its fit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..._data.target import Target
from ..._evidence.work import CallOptions
from ...results import RidgeModel, Selection
from ...selection._judged import sized
from .._fits.system import Fitted
from .._training import Training


def with_model(found: Selection, training: Training, options: CallOptions) -> Selection:
    """Return the election with its winner's model, unless lambda goes by each kernel's scale."""
    made = options.regularisation
    if found.model is not None or not made.single or training.relative:
        return found
    lam = float(made.values[0])
    model = RidgeModel.of(training.target, lam, mean=made.mean, bias=made.bias)
    return replace(found, model=model)


def sized_by(fitted: Fitted, found: Selection, target: Target) -> Selection:
    """Return the election with the sizes of residuals and signal, where its winner was fitted."""
    model = found.model
    if model is None or model.residual is not None or target.task == "classification":
        return found
    exact = fitted.landmarks is None and fitted.passes is None
    if not exact or fitted.kernel != found.kernel or not np.all(fitted.lams == model.lam):
        return found
    residuals = target.columns() - fitted.loo_outputs
    return replace(found, model=sized(model, target, residuals, fitted.dual_coef))
