"""What ``landmarks`` asks for."""

from __future__ import annotations

from typing import Any

from sklearn.utils import check_random_state

from .._evidence.work import LandmarkOptions
from .._support.arguments import check_whole, is_whole, shown


def check_landmarks(landmarks: Any, rows: int, random_state: Any) -> LandmarkOptions | None:
    """Return how many landmarks models have, None for those of whole matrices."""
    if landmarks is None:
        return None
    if not is_whole(landmarks):
        raise TypeError(f"landmarks must be a whole number or None, not {shown(landmarks)}")
    count = check_whole(landmarks, "landmarks", least=1)
    if count > rows:
        raise ValueError(
            f"landmarks={count} is more than the {rows} rows; give fewer, or None for models on "
            "whole kernel matrices"
        )
    return LandmarkOptions(count, seed_of(random_state))


def seed_of(random_state: Any) -> int:
    """Return the seed itself, or a number that a generator draws."""
    if is_whole(random_state) and random_state >= 0:
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31))
