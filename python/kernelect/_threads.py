"""How many threads to use."""

from __future__ import annotations

import functools
import os
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

# More never help, and each costs a stack.
_MOST = 1024


def available_cpus() -> int:
    """CPUs this process may use, at most OMP_NUM_THREADS where that is set."""
    affinity = getattr(os, "sched_getaffinity", None)
    cpus = len(affinity(0)) if affinity else (os.cpu_count() or 1)
    limit = os.environ.get("OMP_NUM_THREADS", "")
    return min(cpus, int(limit)) if limit.isdigit() and int(limit) > 0 else cpus


def resolve_threads(n_threads: int | None) -> int:
    """Turn an ``n_threads`` argument into a number of threads."""
    if n_threads is None or n_threads == -1:
        return available_cpus()
    if isinstance(n_threads, bool) or not isinstance(n_threads, (int, np.integer)):
        raise TypeError(f"n_threads must be a whole number or None, not {n_threads!r}")
    if n_threads < 1:
        raise ValueError(
            f"n_threads must be at least 1, or None for all available CPUs, not {n_threads}"
        )
    return min(int(n_threads), _MOST)


@functools.cache
def _controller() -> Any:
    return ThreadpoolController()  # finding the libraries takes milliseconds, so once


def limit_blas(threads: int) -> Any:
    """Give a context in which BLAS and LAPACK use at most so many threads."""
    return _controller().limit(limits=threads, user_api="blas")
