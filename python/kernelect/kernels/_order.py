"""Whether candidates form an ordered grid."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ._base import Kernel


def order_of(kernels: Sequence[Kernel]) -> NDArray[np.float64] | None:
    """Find the widths along which candidates of one family form an ordered grid.

    None where they do not: fewer than three, several families, or not monotone.
    """
    family = type(kernels[0])
    if len(kernels) < 3 or any(type(kernel) is not family for kernel in kernels):
        return None
    widths = [kernel._width for kernel in kernels]
    if None in widths or len({kernel._common for kernel in kernels}) > 1:
        return None
    values = np.array(widths, dtype=np.float64)
    steps = np.diff(values)
    return values if (steps > 0).all() or (steps < 0).all() else None
