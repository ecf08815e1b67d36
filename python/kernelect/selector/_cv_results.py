"""An election as the table of columns that scikit-learn's searches give."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..results import ScoreTable, Selection


def cv_results(chosen: Selection) -> dict[str, Any]:
    """Scores and ranks of all candidates as columns."""
    table: ScoreTable = chosen.table
    kernels = np.empty(len(table.kernels), dtype=object)
    kernels[:] = table.kernels
    columns: dict[str, Any] = {"kernel": kernels}
    # The election "auto" is decided by the criterion that comes last, leave-one-out.
    decisive = chosen.criterion if chosen.criterion in table.scores else list(table.scores)[-1]
    for key, values in table.scores.items():
        columns[f"score_{key}"] = table._at_best_lambda(key, values)
        if table.direction[key] != 0:
            columns[f"rank_{key}"] = np.argsort(table.ranking(key)) + 1
    if table.lams is not None and table.scores[decisive].ndim == 2:
        columns["lam"] = table._at_best_lambda(decisive, table.lams)
    columns["mean_test_score"] = table.direction[decisive] * columns[f"score_{decisive}"]
    columns["rank_test_score"] = columns[f"rank_{decisive}"]
    return columns
