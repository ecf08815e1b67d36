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
    for key, column in table.columns.items():
        columns[f"score_{key}"] = column.at_best_lambda().values
        if column.direction != 0:
            columns[f"rank_{key}"] = np.argsort(table.ranking(key)) + 1
    decisive = table.columns[chosen.decisive].at_best_lambda()
    if decisive.lams is not None:
        columns["lam"] = decisive.lams
    columns["mean_test_score"] = decisive.direction * decisive.values
    columns["rank_test_score"] = columns[f"rank_{chosen.decisive}"]
    return columns
