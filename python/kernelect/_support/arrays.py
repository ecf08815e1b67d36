"""Types of arrays, by the names that annotations use, and what else all who compute share."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]

# What is divided by in place of zero, and of anything smaller.
TINY = 1e-300


def aligned(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array as the core takes it; one cut out of a message may begin at any byte."""
    found: NDArray[Any] = np.require(array, requirements=("C", "A"))
    return found
