"""Whether a machine of two classes decides better than always for the larger one."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._support.arrays import FloatArray, IntArray
from .._support.warning import warn_caller
from ..results import Selection
from ._fold_rows import Rows

# Standard errors by which it must be right more often; elections must be better than a constant by
# as many.
_CLEARLY = 1.645


def is_in_doubt(elected: Selection, y: IntArray) -> bool:
    """Whether an election leaves it open that a machine decides no better than the larger class.

    Parameters
    ----------
    elected : Selection
        Its winner predicts held-out rows by a ridge system, which stands for the machine.
    y : ndarray
        Classes of all rows, of which the election may have seen some.

    Returns
    -------
    bool
        False where the winner is right more often by as many standard errors as the machine has to
        be. It can have won or lost no more rows than those of which one of both is wrong.
    """
    accuracy, model = elected.held_out_score, elected.model
    if accuracy is None or model is None:
        return True
    _, counts = np.unique(y, return_counts=True)
    share = float(counts.max()) / len(y)
    differ = (1.0 - accuracy) + (1.0 - share)
    return not accuracy - share > _CLEARLY * np.sqrt(differ / model.rows)


def warn_unless_better(machine: Any, rows: Rows, losses: FloatArray, tested: IntArray) -> None:
    """Warn where the larger class alone does as well on the rows that folds held out.

    Nothing is said about several classes, nor where rows have weights, so that others count more.

    Parameters
    ----------
    machine : estimator
        The one that was judged.
    rows : Rows
        All that there are.
    losses : ndarray
        Its squared hinge losses, more than 1 where it decides wrong.
    tested : ndarray of int
        Places of the rows that they are of.
    """
    labels, counts = np.unique(rows.y, return_counts=True)
    if len(labels) != 2 or rows.weights is not None:
        return
    larger = labels[counts.argmax()]
    wrong, otherwise = losses > 1.0, rows.y[tested] != larger
    won, lost = int(np.sum(otherwise & ~wrong)), int(np.sum(wrong & ~otherwise))
    if won - lost > _CLEARLY * np.sqrt(won + lost):
        return
    warn_caller(
        f"{type(machine).__name__} with the elected kernel predicts hardly better than always "
        f"choosing the larger class {labels.tolist()[counts.argmax()]!r}: accuracy "
        f"{1.0 - np.mean(wrong):.4g} of rows held out in folds, share of that class "
        f"{1.0 - np.mean(otherwise):.4g}; try other columns, more rows or other kernels, or "
        "class_weight='balanced' if the smaller class matters"
    )
