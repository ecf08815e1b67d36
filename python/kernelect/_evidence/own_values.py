"""k(x, x) of rows, without their whole matrix."""

from __future__ import annotations

import numpy as np

from .._data.rows import Rows
from .._support.arrays import FloatArray
from ..kernels import Kernel

# Rows whose k(x, x) is taken of one small matrix, for kernels that give no diagonal.
_AT_ONCE = 64


def own_values(kernel: Kernel, rows: Rows) -> FloatArray:
    """k(x, x) of rows, whatever the kernel."""
    if kernel.in_core:
        return kernel._diagonal(rows)
    parts = range(0, rows.shape[0], _AT_ONCE)
    return np.concatenate([kernel._diagonal(rows[start : start + _AT_ONCE]) for start in parts])
