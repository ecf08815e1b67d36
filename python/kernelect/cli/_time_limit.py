"""The limit of time of a command, of which reading its file is a part."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .._support.deadline import Deadline


class _Woken(BaseException):
    """Time is up while a file is read; readers take an OSError for a damaged file."""


class TimeLimit:
    """Seconds from now on, or None for no limit."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._start = time.monotonic()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """End the reading of a file when time is up, where the system can wake a program.

        A pipe may never give its first byte.
        """
        can_wake = hasattr(signal, "setitimer")
        if self._seconds is None or not can_wake or not _in_main_thread():
            yield
            return

        def wake(*_: Any) -> None:
            raise _Woken

        former = signal.signal(signal.SIGALRM, wake)
        try:
            signal.setitimer(signal.ITIMER_REAL, self.left() or 0.0)
            yield
        except _Woken:
            raise self._too_slow() from None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, former)

    def left(self) -> float | None:
        """Return the seconds that are left for the work."""
        if self._seconds is None:
            return None
        left = self._seconds - (time.monotonic() - self._start)
        if left <= 0.0:
            raise self._too_slow()
        return left

    def moment(self) -> Deadline | None:
        """Return the moment when all work is to end, for work of several parts."""
        left = self.left()
        return None if left is None else Deadline(left)

    def _too_slow(self) -> TimeoutError:
        return TimeoutError(
            f"reading the file took longer than --time-limit {self._seconds:g}; allow more time"
        )


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
