"""What an election warns about: a grid too narrow, no evidence, time that was up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._data.target import Target
from .._support.deadline import Deadline
from .._support.remedy import advised
from .._support.warning import warn_caller
from ..criteria import Criterion
from ..criteria._constant import larger_class
from ..kernels._order import order_of
from ..results import ScoreTable, Selection

# A measure this little above that of the identity kernel tells nothing.
_NOTHING = 1e-3
# Standard errors that the winner's held-out loss must be below that of a constant. With permuted
# targets 99 of 100 winners are not, with a signal one of 300; chosen on half of the sets that it
# was measured on (docs/guide/choosing.rst).
_ENOUGH, _ENOUGH_BY_SCORE = 1.645, 3.0
# More standard errors than these say nothing: all rows have nearly the same loss.
_COUNTABLE = 1e3
_ROUNDING = 1e-12


def warn_if_late(deadline: Deadline | None, table: ScoreTable) -> bool:
    """Warn where time was up, with how far the work got; return whether it was."""
    if deadline is None or not deadline.reached:
        return False
    counts = [f"{column.known.sum()} by {key}" for key, column in table.columns.items()]
    scored = f"of {len(table.kernels)} candidates were scored: {', '.join(counts)}"
    warn_caller(deadline.warning(f"was reached; {scored}"))
    return True


def warn_at_edge(chosen: Selection) -> None:
    """Say how to go on when the winner is the widest or narrowest of an ordered grid."""
    kernels, index = chosen.table.kernels, chosen.index
    widths = order_of(kernels)
    if widths is None or 0 < index < len(kernels) - 1:
        return
    advice = chosen.kernel._beyond(kernels, wide=bool(widths[index] == widths.max()))
    if advice is not None:
        fault = f"the winner {chosen.kernel} stands at the edge of the grid"
        warn_caller(advised(UserWarning, fault, advice))


def warn_without_evidence(chosen: Selection, target: Target | None) -> None:
    """Warn where the winner is not significantly better than predicting a constant.

    Without the target, it is not known whether the larger class does as well.
    """
    evidence, gain, score = chosen.evidence, chosen.gain, chosen.held_out_score
    if evidence is None or not np.isfinite(chosen.score):
        return
    label = chosen.table.columns[chosen.decisive].label
    classes = chosen.table.task == "classification"
    hope = "try other columns, more rows or other kernels"
    by_score = "scoring=" in chosen.decisive
    enough = _ENOUGH_BY_SCORE if by_score else _ENOUGH
    if evidence < enough or (gain is not None and gain <= 0.0):
        constant = "the shares of the classes alone" if classes else "the mean of y alone"
        beside = "" if chosen.baseline is None else f", baseline {chosen.baseline:.4g}"
        if abs(evidence) < _COUNTABLE:
            beside += f", {evidence:.2g} standard errors"
        warn_caller(
            f"no evidence: the best candidate {chosen.kernel} predicts held-out rows no better "
            f"than {constant}, beyond chance ({label} = {chosen.score:.4g}{beside}); {hope}"
        )
        return
    if target is None or not classes or score is None or by_score:
        return
    larger, share = larger_class(target)
    if score <= share + _ROUNDING:
        warn_caller(
            f"the best candidate {chosen.kernel} predicts no better than always choosing the "
            f"larger class {target.classes.tolist()[larger]!r}: accuracy {score:.4g} of rows "
            f"held out, share of that class {share:.4g}; {hope}, or scoring='balanced_accuracy' if "
            "the smaller classes matter"
        )


def warn_like_identity(chosen: Selection, relative: float) -> None:
    """Warn where the winner tells hardly more than the identity kernel, whose value is 1."""
    if relative <= 1.0 + _NOTHING:
        warn_caller(
            f"no evidence: by {chosen.criterion} the best candidate {chosen.kernel} says no "
            "more about y than the identity kernel does; try other candidates, a higher degree r, "
            "or criterion 'auto'"
        )


def warn_without_weights(criteria: Sequence[Criterion]) -> None:
    """Warn of criteria in which the weights of the rows play no part."""
    without = [criterion.key for criterion in criteria if not criterion.weighs_rows]
    if without:
        warn_caller(
            f"weights of rows (sample_weight, class_weight) play no part in {', '.join(without)}: "
            "each row of positive weight counts once; criteria that fit a model, such as 'auto', "
            "'loo' and 'cv', weigh rows"
        )
