"""Results as plain data for reports: JSON has no numbers that are not finite."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._score_table import ScoreTable


def plain_number(value: Any) -> Any:
    """Return a number, or nested lists of numbers, with None where one is not finite."""
    if isinstance(value, list):
        return [plain_number(item) for item in value]
    return float(value) if math.isfinite(value) else None


def table_report(table: ScoreTable) -> dict[str, Any]:
    """Describe a table, each criterion with its scores, reasons and winner."""
    lams, jitter = table.lams, table.jitter
    criteria: dict[str, dict[str, Any]] = {}
    for key, column in table.columns.items():
        criteria[key] = {
            "direction": column.direction,
            "scores": plain_number(column.values.tolist()),
            "reasons": [
                reason or ("infinite, the best value" if np.isinf(row).all() else None)
                for reason, row in zip(column.reasons, column.values, strict=True)
            ],
            "best": table.winner(key),
        }
        for name in ("baselines", "held_out_scores"):
            quantity = getattr(column, name)
            if quantity is not None:
                criteria[key][name] = plain_number(quantity.tolist())
        if key in jitter:
            criteria[key]["jitter"] = jitter[key].tolist()
    return {
        "task": table.task,
        "kernels": [repr(kernel) for kernel in table.kernels],
        "lams": None if lams is None else plain_number(lams.tolist()),
        "criteria": criteria,
    }
