"""The limit of time of a command, of which reading its file is a part."""

from __future__ import annotations

import time


class TimeLimit:
    """Seconds from now on, or None for no limit."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._start = time.monotonic()

    def left(self) -> float | None:
        """Return the seconds that are left for the work."""
        if self._seconds is None:
            return None
        left = self._seconds - (time.monotonic() - self._start)
        if left <= 0.0:
            raise TimeoutError(
                f"reading the file took longer than --time-limit {self._seconds:g}; allow more time"
            )
        return left
