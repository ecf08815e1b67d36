"""Which of two sets of landmarks predicts better: rows that pivoting spreads, or rows as they come.

Pivoting takes rows that are far from one another, among them outliers that explain little but
themselves. Where a kernel has many more directions than there are landmarks, rows drawn alike may
serve better; where rows are in clusters, some of them small, they are far worse. Both sets are
drawn without a look at the target; some rows that are in neither tell which of them to take.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._support.arrays import FloatArray, IntArray, aligned
from ..work import Work
from .counts import SCORED_IN_CONTEST
from .model import Landmarks

# Of few rows pivoting looks a little better than it is of all; it must be better by this factor.
_CLEARLY = 0.98
# Ridges of both, in units of the kernel's spread, and as those of all rows: whatever a caller asks
# for later, a kernel has the same landmarks.
_RIDGES: FloatArray = np.exp2(np.arange(-10.0, 11.0, 2.0))


def better_of(
    spread: Landmarks,
    alike: Landmarks,
    values: Any,
    rows: IntArray,
    work: Work,
    *,
    bias: bool,
) -> Landmarks:
    """Return the set of landmarks whose model of some rows has the lesser leave-one-out loss.

    Parameters
    ----------
    spread, alike : Landmarks
        By pivoting, and as they come.
    values : ndarray or sparse matrix of shape (count, n_features)
        The rows that the models are fitted on.
    rows : ndarray of int64
        Which rows of the data these are.
    work : Work
        With the target of all rows.
    bias : bool
        Whether models have a bias.
    """
    target = work.target.part(rows)
    columns, weights = target.columns(), target.weights
    origin = aligned(columns.mean(axis=0))
    taken = np.isin(rows, np.concatenate([spread.numbers, alike.numbers]))
    scored = np.flatnonzero(~taken)
    scored = scored[:: max(-(-len(scored) // SCORED_IN_CONTEST), 1)]
    if len(scored) == 0:
        return spread
    of_scored = None if weights is None else aligned(weights[scored])
    losses, unit = [], 0.0
    for each in (spread, alike):
        sums = each.sums(
            values,
            columns,
            target_origin=origin,
            weights=None if weights is None else aligned(weights),
            threads=work.threads,
        )
        # As the first set sees it, for both.
        unit = unit or max(sums.centred_trace, 1e-300) * len(rows) / work.target.size
        model = each.ridge(sums, target_origin=origin, bias=bias, threads=work.threads)
        found = model.left_out(values[scored], columns[scored], _RIDGES * unit, weights=of_scored)
        squares = np.average(found.residuals**2, axis=1, weights=of_scored).mean(axis=1)
        losses.append(np.nanmin(np.append(squares, np.inf)))
    return spread if losses[0] < _CLEARLY * losses[1] else alike
