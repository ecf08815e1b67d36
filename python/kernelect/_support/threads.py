"""How many threads to use."""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from threadpoolctl import ThreadpoolController

from .arguments import is_whole, shown

# More never help, and each costs a stack.
_MOST = 1024


def available_cpus() -> int:
    """CPUs this process may use, at most OMP_NUM_THREADS where that is set."""
    affinity = getattr(os, "sched_getaffinity", None)
    cpus = len(affinity(0)) if affinity else (os.cpu_count() or 1)
    limit = os.environ.get("OMP_NUM_THREADS", "")
    return min(cpus, int(limit)) if limit.isdigit() and int(limit) > 0 else cpus


def resolve_threads(n_threads: int | None, n_jobs: int | None = None) -> int:
    """Turn the ``n_threads`` of a function into a number of threads; None is all.

    ``n_jobs`` is the same by the name that estimators have.
    """
    found = _agreed(n_threads, n_jobs, "None")
    return available_cpus() if found is None else found


def resolve_jobs(n_jobs: int | None, n_threads: int | None = None) -> int:
    """Turn the ``n_jobs`` of an estimator into a number of threads; None is one.

    ``n_threads`` is the same by the name that functions have.
    """
    found = _agreed(n_threads, n_jobs, "-1")
    return 1 if found is None else found


def _agreed(n_threads: int | None, n_jobs: int | None, all_cpus: str) -> int | None:
    """Return the number that is given by one name or, the same, by both."""
    given = {"n_threads": n_threads, "n_jobs": n_jobs}
    found = {k: _threads(v, k, all_cpus) for k, v in given.items() if v is not None}
    if len(set(found.values())) > 1:
        raise ValueError(
            f"n_threads={n_threads} and n_jobs={n_jobs} are names for the same thing; pass one"
        )
    return next(iter(found.values()), None)


def _threads(given: int, name: str, all_cpus: str) -> int:
    if not is_whole(given):
        raise TypeError(f"{name} must be a whole number or None, not {shown(given)}")
    if given == -1:
        return available_cpus()
    if given < 1:
        raise ValueError(
            f"{name} must be at least 1, or {all_cpus} for all available CPUs, not {given}"
        )
    return min(int(given), _MOST)


@functools.cache
def _blas_libraries() -> list[Any]:
    """Find the BLAS libraries in the process; that takes milliseconds, so once."""
    return list(ThreadpoolController().select(user_api="blas").lib_controllers)


def _set_threads(library: Any, threads: int) -> None:
    # From 3.8 on threadpoolctl lets only the thread that limited OpenBLAS first change its limit,
    # and does nothing for others; callers here share one limit and count themselves.
    getattr(library, "_real_set_num_threads", library.set_num_threads)(threads)


class _BlasLimit:
    """The number of threads that BLAS uses, which is one number for the whole process.

    Several Python threads may ask at once: the first remembers what was, the last restores it, and
    between them the smallest number asked for is in force.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: list[int] = []
        self._before: list[int] = []

    def enter(self, threads: int) -> None:
        with self._lock:
            libraries = _blas_libraries()
            if not self._asked:
                self._before = [library.get_num_threads() for library in libraries]
            self._asked.append(threads)
            for library, before in zip(libraries, self._before, strict=True):
                _set_threads(library, min(before, *self._asked))

    def leave(self, threads: int) -> None:
        with self._lock:
            self._asked.remove(threads)
            for library, before in zip(_blas_libraries(), self._before, strict=True):
                _set_threads(library, min(before, *self._asked) if self._asked else before)


_blas_limit = _BlasLimit()
if hasattr(os, "register_at_fork"):  # a child must not wait for a thread that it does not have
    os.register_at_fork(after_in_child=_blas_limit.__init__)  # type: ignore[misc]


@contextmanager
def limit_blas(threads: int) -> Iterator[None]:
    """Let BLAS and LAPACK use at most this many threads for a while."""
    _blas_limit.enter(threads)
    try:
        yield
    finally:
        _blas_limit.leave(threads)
