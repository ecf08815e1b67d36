"""Silence about what a caller need not hear, also where several threads work at once."""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager


class _Silence:
    """What is ignored, which is one list for the whole process.

    ``warnings.catch_warnings`` puts back what it found. Of two threads the second finds what the
    first ignores, and were it the last to leave, that would be ignored for ever: so the first to
    come remembers, and the last to leave restores.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._before = warnings.catch_warnings()

    def enter(self, category: type[Warning]) -> None:
        with self._lock:
            if not self._inside:
                self._before = warnings.catch_warnings()
                self._before.__enter__()
            self._inside += 1
            warnings.simplefilter("ignore", category)

    def leave(self) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._before.__exit__(None, None, None)


_silence = _Silence()
if hasattr(os, "register_at_fork"):  # a child must not wait for a thread that it does not have
    os.register_at_fork(after_in_child=_silence.__init__)  # type: ignore[misc]


@contextmanager
def quietly(category: type[Warning] = Warning) -> Iterator[None]:
    """Ignore warnings of a category for a while."""
    if getattr(sys.flags, "context_aware_warnings", False):  # each thread has a list of its own
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", category)
            yield
        return
    _silence.enter(category)
    try:
        yield
    finally:
        _silence.leave()
