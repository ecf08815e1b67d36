"""Steps along a direction of descent: how much they must bring, and the next one to try."""

from __future__ import annotations

from ..._support.arrays import TINY

# Share of the predicted decrease that a step must bring (Armijo).
ARMIJO = 1e-4
# How much shorter the next step may be than one that was too long, and must be.
_LEAST, _MOST = 0.1, 0.5


def shorter(length: float, slope: float, change: float) -> float:
    """Return the length to try after one by which the value changed too little.

    It is the minimum of the parabola through both values with this slope at the start, kept away
    from the ends.
    """
    best = -0.5 * slope * length**2 / max(change - slope * length, TINY)
    return min(max(best, _LEAST * length), _MOST * length)
