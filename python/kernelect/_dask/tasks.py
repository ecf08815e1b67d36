"""What workers do: sums over some rows, and the merging of two such sums.

Sums travel as bytes: dask would cut their arrays out of messages, where these begin at any byte,
and what a worker has found must not change when it is merged, since it may be asked for again.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable, Sequence
from typing import Any

from .._support.arrays import FloatArray
from .._support.threads import available_cpus
from .blocks import joined

# A task uses all threads of its worker, so that they do not hold as many sums as it has threads.
_one_at_a_time = threading.Lock()


def call_in_worker(function: Callable[..., Any], shared: Any, pieces: Sequence[Any]) -> Any:
    """Call a function of what tasks share and of the rows in pieces, later."""
    from dask.delayed import delayed

    return delayed(_Call(function))(shared, pieces)


class _Call:
    """A function, which dask is not to look into: it searches arguments for collections."""

    __name__ = "sums of rows"

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __call__(self, shared: Any, pieces: Sequence[FloatArray]) -> bytes:
        rows = joined(pieces)
        with _one_at_a_time:
            return pickle.dumps(self._function(shared, rows, threads=threads_here(), tick=None))


def threads_here() -> int:
    """Return the threads of the worker that a task runs in."""
    from distributed import get_worker

    try:
        return int(get_worker().state.nthreads)
    except ValueError:  # in no worker
        return available_cpus()


def merged(one: Any, other: Any) -> Any:
    """Merge two sums, later."""
    from dask.delayed import delayed

    return delayed(_merged)(one, other)


def _merged(one: bytes, other: bytes) -> bytes:
    total = pickle.loads(one)
    total.merge(pickle.loads(other))
    return pickle.dumps(total)


def done(task: Any) -> Any:
    """Know that a task is done without a hold on its result."""
    from dask.delayed import delayed

    return delayed(_nothing)(task)


def _nothing(_: Any) -> None:
    return None
