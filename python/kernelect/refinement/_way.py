"""How a kernel is refined: by which criterion, from where, how far."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from .._data.splits import Splits
from .._data.target import Target
from .._support.arguments import shown
from ..criteria import CV, LOO, Criterion, Goal, MarginalLikelihood, get
from ..kernels import Kernel
from ..kernels._parameters import Parameters
from ..results import Selection

# Times the squared log widths around their mean, in nats: a normal prior on them with a standard
# deviation of 0.3. docs/guide/beyond.rst tells how it was chosen.
PENALTY = 6.0
BOUNDS = (1e-4, 1e4)


@dataclass(frozen=True)
class Way:
    """How a kernel is refined.

    Attributes
    ----------
    criterion : Criterion
        What is to become better.
    goal : Goal
        Its derivatives.
    penalty : float
        Times the sum of squares of the log widths of columns around their mean, in nats: a normal
        prior on them, beside which the rows count the more the more there are.
    bounds : tuple of float
        By which factors a parameter may become smaller or larger.
    free : bool
        Whether lambda moves too, where there is one.
    """

    criterion: Criterion
    goal: Goal
    penalty: float
    bounds: tuple[float, float]
    free: bool = True


def deciding(criterion: Any, target: Target, splits: Splits) -> Criterion:
    """Return the criterion to refine by."""
    if not (isinstance(criterion, str) and criterion == "auto"):
        return get(criterion)
    if splits.given:
        return CV()
    return MarginalLikelihood() if target.task == "regression" else LOO()


def checked_goal(criterion: Criterion) -> Any:
    """Return the derivatives of a criterion; refuse one that has none."""
    goal = criterion.goal()
    if goal is None:
        raise ValueError(
            f"the derivatives of {criterion.key} are not known; refine by 'auto', 'loo', 'cv', "
            "'evidence', 'sm', 'kta', 'ckta' or 'ks'"
        )
    return goal


def checked_bounds(bounds: Any) -> tuple[float, float]:
    """Return the factors by which parameters may become smaller or larger."""
    try:
        low, high = (float(bound) for bound in bounds)
    except (TypeError, ValueError):
        raise TypeError(
            f"bounds must be two factors by which parameters may change, not {shown(bounds)}"
        ) from None
    if not (0.0 < low <= 1.0 <= high and math.isfinite(high)):
        raise ValueError(
            f"bounds=({low:g}, {high:g}) leave the start out: they are factors of its parameters, "
            "the first between 0 and 1, the second 1 or more"
        )
    return low, high


def kernel_of(start: Any) -> Kernel | None:
    """Return the kernel to set out from; None where it is still to be elected."""
    if start is None:
        return None
    kernel = start.kernel if isinstance(start, Selection) else start
    if not isinstance(kernel, Kernel):
        raise TypeError(
            f"start must be a kernel or a Selection, not {shown(start)}; derivatives of a function "
            "are not known"
        )
    return kernel


def check_parameters(kernel: Kernel) -> None:
    """Refuse a kernel that has nothing to refine."""
    if not kernel.in_core:
        raise ValueError(
            f"the derivatives of {kernel!r} are not known; start from a kernel of this library"
        )
    if not Parameters(kernel).items:
        raise ValueError(
            f"{kernel!r} has no parameters to refine; start from one with a width, such as "
            "Gaussian(1.0)"
        )
