"""Memory that BLAS needs, taken while there is some.

OpenBLAS takes a work space for every thread that calls it when that thread first multiplies. Where
there is no address space left for one, it waits for ever or ends the process; so where the process
has a limit, what is needed is taken before the work begins, or the work is refused.
"""

from __future__ import annotations

import mmap
import threading

import numpy as np

from .._dispatch import core

try:
    import resource
except ImportError:  # not on Windows, which has no such limit either
    resource = None  # type: ignore[assignment]

_WORK_SPACE = 32 << 20  # of OpenBLAS, per thread and library
_STACK = 8 << 20  # of a thread
_lock = threading.Lock()
_taken = 0


def _limited() -> bool:
    """Whether the address space of this process has a limit."""
    if resource is None:
        return False
    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


def take_blas_memory(threads: int) -> None:
    """Take what BLAS needs for this many threads, if memory is limited; refuse where it lacks."""
    global _taken  # noqa: PLW0603
    if threads <= _taken or not _limited():
        return
    with _lock:
        need = (threads - _taken) * (_WORK_SPACE + _STACK) + (0 if _taken else _WORK_SPACE)
        try:
            mmap.mmap(-1, need).close()
        except OSError:
            raise MemoryError(
                f"the limit of this process leaves no {need >> 20} MB for the work spaces of BLAS "
                f"({threads} threads); raise it (ulimit -v), or take fewer threads (n_threads=1)"
            ) from None
        one = np.ones((256, 256))
        one @ one  # NumPy has a BLAS of its own
        core.take_blas_work_spaces(threads=threads)
        _taken = max(_taken, threads)
