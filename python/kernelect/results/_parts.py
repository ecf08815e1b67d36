"""Columns from one dictionary per quantity, the form that files and old pickles have."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..criteria import Column

FloatArray = NDArray[np.float64]


def columns_of(
    scores: Mapping[str, FloatArray],
    direction: Mapping[str, int],
    reasons: Mapping[str, list[str | None]],
    *,
    lams: FloatArray | None,
    labels: Mapping[str, str] = {},
    **quantities: Mapping[str, FloatArray],
) -> dict[str, Column]:
    """Make one column per key; `lams` belong to those with an axis of lambdas."""
    columns = {}
    for key, values in scores.items():
        own = {name: part[key] for name, part in quantities.items() if key in part}
        if values.ndim == 2 and lams is not None:
            own["lams"] = lams
        columns[key] = Column(
            key, direction[key], values, list(reasons[key]), **own, label=labels.get(key, "")
        )
    return columns
