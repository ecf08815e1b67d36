"""Weights of rows: which rows take part."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def rows_that_count(weights: Any, n: int) -> NDArray[np.bool_] | None:
    """Which of n rows have a positive weight; None where all of them take part.

    A row of weight zero is left out: its ridge would be infinite. Weights of another shape are for
    whoever takes them to refuse.
    """
    if weights is None:
        return None
    counts = np.asarray(weights) > 0
    return None if counts.shape != (n,) or counts.all() else counts
