"""Which arguments are dask's collections, recognised without importing dask."""

from __future__ import annotations

from typing import Any

from .._support.arguments import shown
from .cluster import Workers, workers_of


def is_dask(thing: object) -> bool:
    """Whether this is a collection of dask."""
    room = type(thing).__module__.partition(".")[0]
    return room in ("dask", "dask_expr") and hasattr(thing, "__dask_graph__")


def refuse_idle_client(client: object, *given: object) -> None:
    """Refuse a client where nothing is for it to do."""
    if client is not None and not any(is_dask(thing) for thing in given):
        raise ValueError(
            f"client={shown(client)} plays no part where X is in this process; pass X as a dask "
            "array or data frame, or no client"
        )


def in_memory(thing: Any, client: object = None) -> Any:
    """Return the values of a collection; anything else as it is."""
    if not is_dask(thing):
        return thing
    workers: Workers = workers_of(client)
    return workers.gather([thing])[0]
