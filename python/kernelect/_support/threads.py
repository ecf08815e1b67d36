"""How many threads to use."""

from __future__ import annotations

import functools
import os
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


def resolve_threads(n_threads: int | None) -> int:
    """Turn an ``n_threads`` argument into a number of threads; None is all."""
    return available_cpus() if n_threads is None else _threads(n_threads, "n_threads", "None")


def resolve_jobs(n_jobs: int | None) -> int:
    """Turn an estimator's ``n_jobs`` into a number of threads; None is one, as in scikit-learn."""
    return 1 if n_jobs is None else _threads(n_jobs, "n_jobs", "-1")


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
def _controller() -> Any:
    return ThreadpoolController()  # finding the libraries takes milliseconds, so once


def limit_blas(threads: int) -> Any:
    """Return a context in which BLAS and LAPACK use at most this many threads."""
    return _controller().limit(limits=threads, user_api="blas")
