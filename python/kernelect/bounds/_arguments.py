"""Arguments of the bounds: numbers or arrays, checked once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Values = NDArray[np.float64]


def checked(
    name: str, value: ArrayLike, low: float, *, closed: bool, high: float = np.inf
) -> Values:
    """Return the argument as float64, every entry between the limits."""
    array = np.asarray(value, dtype=np.float64)
    inside = (array >= low if closed else array > low) & (array <= high) & np.isfinite(array)
    if not np.all(inside):
        least = f"at least {low:g}" if closed else f"above {low:g}"
        most = "" if high == np.inf else f" and at most {high:g}"
        raise ValueError(f"{name} must be {least}{most} and finite, got {value!r}")
    return array


def whole_number(name: str, value: int, least: int) -> int:
    """Return the argument if it is a whole number that is large enough."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, got {value!r}")
    return int(value)


def positive_number(name: str, value: ArrayLike) -> Values:
    """Return the argument as float64, every entry positive."""
    return checked(name, value, 0.0, closed=False)


def confidence(delta: ArrayLike) -> Values:
    """Return the argument as float64, every entry strictly between 0 and 1."""
    array = np.asarray(delta, dtype=np.float64)
    if not np.all((array > 0) & (array < 1)):
        raise ValueError(f"delta must lie strictly between 0 and 1, got {delta!r}")
    return array
