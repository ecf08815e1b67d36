"""Types of arrays, by the names that annotations use."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]


def aligned(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array as the core takes it; one cut out of a message may begin at any byte."""
    found: NDArray[Any] = np.require(array, requirements=("C", "A"))
    return found
