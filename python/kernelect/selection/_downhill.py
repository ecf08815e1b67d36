"""A walk along an ordered grid."""

from __future__ import annotations

from collections.abc import Callable, Container


def walk_downhill(
    start: int, way: int, places: Container[int], gains: Callable[[int, int], bool]
) -> int:
    """Go from a place to the next one while that gains, and return where it ends.

    Losses along a grid have one valley, so that a walk which has left its start to one side is not
    tried to the other.

    Parameters
    ----------
    start : int
        The place to begin at.
    way : {1, -1}
        The side to try first.
    places : container of int
        Where the walk may go.
    gains : callable
        Whether a new place, the first argument, is better than an old one, the second.
    """
    here = start
    for step in (way, -way):
        while here + step in places and gains(here + step, here):
            here += step
        if here != start:
            break
    return here
