"""A limit of time: the moment after which no new work is begun."""

from __future__ import annotations

import time
from copy import copy
from typing import TYPE_CHECKING, Any

from .arguments import is_number, shown
from .progress import Tick
from .remedy import worded

if TYPE_CHECKING:
    from typing_extensions import Self  # for type checkers alone: it need not be installed


class TimeUp(Exception):
    """Raised from a report of progress where time is up; what is done by then may be kept."""


class Deadline:
    """The moment after which no new work is begun."""

    def __init__(self, seconds: Any) -> None:
        if not is_number(seconds):
            raise TypeError(f"time_limit must be a number of seconds or None, not {shown(seconds)}")
        if not seconds > 0:
            raise ValueError(f"time_limit must be positive, not {shown(seconds)}")
        self.seconds = float(seconds)
        self._end = time.monotonic() + self.seconds
        self._for_the_fit = 0.0
        self.reached = False

    @classmethod
    def of(cls, limit: Any) -> Deadline | None:
        """Return the moment for a caller's limit: a number of seconds from now, or none.

        Work inside other work is given the moment itself, so that it speaks of the caller's number.
        """
        return limit if limit is None or isinstance(limit, Deadline) else cls(limit)

    def before(self, seconds: float, *, fit: bool = False) -> Self:
        """Return the moment that many seconds earlier, for work that more, or a fit, follows."""
        earlier = copy(self)
        earlier._end = self._end - seconds
        earlier._for_the_fit = seconds if fit else self._for_the_fit
        return earlier

    @property
    def left(self) -> float:
        """Seconds left; 0 where time is up."""
        return max(self._end - time.monotonic(), 0.0)

    def over(self) -> bool:
        """Whether time is up; remembered, for something is then left out."""
        self.reached = self.reached or time.monotonic() >= self._end
        return self.reached

    def tick(self, shown: Tick | None, before: float = 0.0, share: float = 1.0) -> Tick:
        """Make a progress function that stops the work when time is up."""

        def report(fraction: float) -> None:
            if shown is not None:
                shown(before + share * fraction)
            if fraction < 1.0 and self.over():
                raise TimeUp

        return report

    def warning(self, rest: str) -> UserWarning:
        """Return the warning that the limit ..., in the words of its caller."""
        return worded(
            UserWarning, f"time_limit={self.seconds:g} seconds {rest}", f"--time-limit {rest}"
        )

    def nothing(self, what: str = "no candidate was scored", fewer: str = "") -> TimeoutError:
        """Return the error that not even the cheapest work was done."""
        fault = f"{what} within"
        remedy = f"; allow more time, or give fewer {fewer or 'rows or candidates'}"
        if self._for_the_fit >= 0.1:
            remedy = f", of which the fit takes about {self._for_the_fit:.2g} seconds{remedy}"
        return worded(
            TimeoutError,
            f"{fault} time_limit={self.seconds:g} seconds{remedy}",
            f"{fault} --time-limit{remedy}",
        )
