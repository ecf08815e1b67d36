"""The sets that kernel weights live in: projections and norms."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._support.arguments import is_number, shown
from ..._support.arrays import FloatArray


def project_simplex(v: FloatArray) -> FloatArray:
    """Nearest point of ``{d >= 0, sum d = 1}``.

    The projection is ``max(v - theta, 0)`` with the one theta that makes the sum 1; it is found
    from the sorted entries [1]_.

    References
    ----------
    .. [1] J. Duchi, S. Shalev-Shwartz, Y. Singer and T. Chandra, "Efficient projections onto the
       l1-ball for learning in high dimensions", ICML 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from kernelect.mkl import project_simplex
    >>> project_simplex(np.array([0.75, 0.75, -1.0]))
    array([0.5, 0.5, 0. ])
    """
    # Moving all entries by one number changes nothing, and an entry 1 below the largest is at 0
    # already: in this form no entry is too large for the 1 to be seen beside it.
    v = np.maximum(v - np.max(v), -1.0)
    ordered = np.sort(v)[::-1]
    excess = np.cumsum(ordered) - 1.0
    rank = np.arange(1, len(v) + 1)
    last = np.flatnonzero(ordered * rank > excess)[-1]
    return np.asarray(np.maximum(v - excess[last] / (last + 1.0), 0.0))


def clip_and_normalise(v: FloatArray) -> FloatArray:
    """Clip at 0 and divide by the sum, as printed in the FKL paper.

    This is not a projection: where no entry is clipped it only rescales, so that a descent with it
    stops at weights proportional to the gradient, which are not optimal in general.
    """
    clipped = np.maximum(v, 0.0)
    total = float(clipped.sum())
    return clipped / total if total > 0.0 else np.full_like(v, 1.0 / len(v))


def check_norm(p: Any, default: float) -> float:
    """Check the p of a p-norm."""
    if p is None:
        return default
    if not is_number(p):
        raise TypeError(f"p must be a number of at least 1, not {shown(p)}")
    if not p >= 1.0:
        raise ValueError(f"p must be at least 1, not {shown(p)}")
    return float(p)
