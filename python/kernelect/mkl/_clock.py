"""The limit of time of the fit that is running.

Passes over kernels, machines and steps of a search ask for it wherever they are: `tick` goes to the
core, `check` stands between steps. Both raise `TimeUp`, which searches catch to give back the best
they have.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from .._support.deadline import Deadline, TimeUp
from .._support.progress import Tick

# What the end of a fit takes, the machine with the learned kernel and outputs on held-out rows, in
# units of the longest step so far.
_END = 4.0


class Clock:
    """The moment when a fit must be done, and what of its time the end needs."""

    def __init__(self, deadline: Deadline) -> None:
        self.deadline = deadline
        self.longest = 0.0
        self._learning = True

    def over(self) -> bool:
        """Whether to stop: while weights are learned, early enough for the end of the fit."""
        left = self.deadline.left
        return left <= (_END * self.longest if self._learning else 0.0)

    def tick(self, fraction: float) -> None:
        """Stop what reports its progress where time is up."""
        if fraction < 1.0 and self.over():
            raise TimeUp

    def finish(self) -> None:
        """Let the rest of the time be for the end of the fit."""
        self._learning = False


_running: ContextVar[Clock | None] = ContextVar("the limit of the fit that is running")


@contextmanager
def limited(seconds: Any) -> Iterator[Clock | None]:
    """Limit what is done meanwhile, where there is a number of seconds."""
    clock = None if seconds is None else Clock(Deadline(seconds))
    token = _running.set(clock)
    try:
        yield clock
    except TimeUp:
        assert clock is not None
        done = "no machine was trained"
        raise clock.deadline.nothing(done, "rows or kernels") from None
    finally:
        _running.reset(token)


@contextmanager
def half_of_the_rest() -> Iterator[None]:
    """Limit what is done meanwhile to half of the time that is left."""
    clock = _running.get(None)
    if clock is None:
        yield
        return
    shorter = Clock(clock.deadline.before(0.5 * clock.deadline.left))
    token = _running.set(shorter)
    try:
        yield
    finally:
        clock.longest = max(clock.longest, shorter.longest)
        _running.reset(token)


def tick() -> Tick | None:
    """Progress function for the core: none where there is no limit."""
    clock = _running.get(None)
    return None if clock is None else clock.tick


def check() -> None:
    """Raise where time is up."""
    clock = _running.get(None)
    if clock is not None:
        clock.tick(0.0)


def finish() -> None:
    """Say that weights are learned, and the rest of the time is for the end of the fit."""
    clock = _running.get(None)
    if clock is not None:
        clock.finish()


@contextmanager
def step() -> Iterator[None]:
    """Measure a step, which the end of the fit takes a few times."""
    started = time.monotonic()
    yield
    clock = _running.get(None)
    if clock is not None:
        clock.longest = max(clock.longest, time.monotonic() - started)
