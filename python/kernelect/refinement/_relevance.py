"""How much each column counts in a kernel with widths of its own for columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._data.rows import Rows, Tables
from ..kernels import Kernel
from ..kernels._parameters import Parameters


def relevance(kernel: Kernel, rows: Rows, names: Sequence[str]) -> dict[str, float]:
    """Return of each column its share in squared distances, the mean over all such leaves.

    Empty where no leaf of the kernel has a width for every column.
    """
    parameters, tables = Parameters(kernel), Tables()
    program = kernel._program(tables)
    shares = []
    for _, seen in parameters.leaves(program, tables.of(rows)):
        if seen.shape[1] != len(names):  # a part of the columns
            continue
        # Columns as the kernel sees them, divided by their widths.
        spread = seen.var(axis=0)
        spread[np.ptp(seen, axis=0) == 0.0] = 0.0
        if spread.sum() > 0.0:
            shares.append(spread / spread.sum())
    if not shares:
        return {}
    return dict(zip(names, np.mean(shares, axis=0).tolist(), strict=True))
