"""Which of many candidates have their names below a picture: all, or those beside a grid."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from ..kernels import Kernel
from ..kernels._order import order_of

NAMED = 12  # names that an axis has room for
_MOST = 40  # of more candidates two that are neighbours have no room for their names


def named_among(kernels: Sequence[Kernel]) -> list[int]:
    """Return places to name: of a few kernels all; of a grid and a few others these, some of it.

    Empty where there are too many that belong to no grid.
    """
    count = len(kernels)
    if count <= NAMED:
        return list(range(count))
    runs = _runs(kernels)
    named = [run[0] for run in runs if len(run) == 1]
    if count > _MOST or len(named) + len(runs) > NAMED:
        return []
    gap = ceil(count / NAMED)
    for run in runs:
        for place in run if len(run) > 1 else ():
            if all(abs(place - other) >= gap for other in named):
                named.append(place)
    return sorted(named)


def _runs(kernels: Sequence[Kernel]) -> list[range]:
    """Divide candidates into the longest grids that follow one another, and single kernels."""
    runs: list[range] = []
    start = 0
    while start < len(kernels):
        end = start + 3
        if end > len(kernels) or order_of(kernels[start:end]) is None:
            end = start + 1
        else:
            while end < len(kernels) and order_of(kernels[start : end + 1]) is not None:
                end += 1
        runs.append(range(start, end))
        start = end
    return runs
