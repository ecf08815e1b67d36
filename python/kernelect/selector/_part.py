"""The part of many rows on which the kernel of a support vector machine is elected.

Exact leave-one-out of n rows takes time that grows as n^3, a support vector machine about n^2: from
some thousand rows on the election would take longer than the machine. The best width changes
little with the number of rows, and neither does the ridge that is added to the kernel's diagonal;
other kernels of classifiers are judged on all rows afterwards (`_pairs`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing

from .._data.target import check_target
from .._evidence.landmarks.counts import WHOLE_ROWS
from .._support.arguments import is_whole
from .._support.arrays import IntArray

# Rows that are enough, and which share of more of them up to which limit. On one split of 16 sets
# with 592 to 1,000 rows a machine with the pair elected on 500 of them lost 8.97 % of new rows,
# with that elected on all 8.91 %. Of numbers the election looks at half of all rows first, and
# mostly at one pair of all of them, which says how large residuals and coefficients are: with those
# of 500 rows machines of 1,000 rows with little noise lost a quarter to three quarters more
# (kin40k, two made-up sets). Of 4,000 rows of cadata, cpusmall, kin40k and protein, three splits,
# parts of 1,000, 2,000 and 3,000 lost 21.2, 20.9 and 20.6 % in 1.5, 1.9 and 2.5 s. Three folds in
# place of leave-one-out elect narrower kernels, which rows that lie far out want: of 4,000 rows
# they lost 20.7 %, but of 2,000 rows of six sets 28.0 for 27.8, and of 1,000 32.2 for 31.4.
_ENOUGH = {"classification": 500, "regression": 1000}
_SHARE = {"classification": 0.2, "regression": 0.5}
_MOST = {"classification": WHOLE_ROWS, "regression": 2000}


def asked(
    selector: Any, X: Any, y: Any, kernels: Any, options: dict[str, Any]
) -> tuple[tuple[Any, Any, Any], dict[str, Any]]:
    """Return whom an election asks, rows, target and candidates, and its keywords."""
    if X is None or not selector._judges_pairs or not isinstance(options["landmarks"], str):
        return (X, y, kernels), options
    places = places_of_part(y, options)
    if places is None:
        return (X, y, kernels), options
    some = dict(options)
    for name in ("groups", "sample_weight"):
        if np.shape(options[name]) == np.shape(y):
            some[name] = np.asarray(options[name])[places]
    return (_safe_indexing(X, places), y[places], kernels), some


def places_of_part(y: Any, options: dict[str, Any]) -> IntArray | None:
    """Rows to elect on, of every class its share; None for all of them.

    All are taken where they are few, where somebody gave the splits themselves or a number of
    landmarks, and where landmarks are taken because there are too many rows for whole matrices.
    """
    folds, n = options["folds"], len(y)
    by_number = folds is None or is_whole(folds)
    automatic = isinstance(options["landmarks"], str)
    if not (min(_ENOUGH.values()) < n <= WHOLE_ROWS and by_number and automatic):
        return None
    target = check_target(y, options["task"], n)
    task = target.task
    count = max(_ENOUGH[task], min(round(_SHARE[task] * n), _MOST[task]))
    if count >= n:
        return None
    order = target.shuffled_by_class()
    return np.sort(order[np.linspace(0, n - 1, count).round().astype(np.int64)])
