"""Where tasks run: on the workers of a client, or in this process.

Tasks are pure functions of blocks and small arguments, so that dask computes again what is lost
with a worker. Nothing is sent to workers beforehand that they could lose.
"""

from __future__ import annotations

import pydoc
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from weakref import WeakKeyDictionary

from .._support.arguments import shown
from .._support.progress import Tick
from .._version import __version__

# How often a task is tried again, after how many seconds the caller is heard, and how long work
# goes on without a worker.
_RETRIES, _HEARD, _PATIENCE = 3, 0.1, 60.0
# Workers of each client that have this version of kernelect.
_alike: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()


class Workers:
    """No workers but this process: dask computes blocks as it is set up to, threads here add up."""

    count = 1

    def gather(
        self, tasks: Sequence[Any], tick: Tick | None = None, of: Sequence[Any] = ()
    ) -> list[Any]:
        """Compute tasks, and tell how many of the parts `of` them are done."""
        from dask.base import compute

        (found,) = compute(list(tasks))  # type: ignore[no-untyped-call]
        if tick is not None:
            tick(1.0)
        return list(found)

    def keep(self, blocks: list[Any]) -> list[Any]:
        """Return blocks that are asked for often; here they are made again each time."""
        return blocks


class Cluster(Workers):
    """The workers of a client.

    Parameters
    ----------
    client : distributed.Client
        A client, which is running.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        check_client(client)
        self.count = len(client.scheduler_info(n_workers=-1)["workers"])

    def gather(
        self, tasks: Sequence[Any], tick: Tick | None = None, of: Sequence[Any] = ()
    ) -> list[Any]:
        """Compute tasks; when the caller wants no more, the rest of them is cancelled."""
        from dask import config
        from distributed import CancelledError, KilledWorker

        # Targets go with tasks, a few bytes a row, which are not to be complained about.
        with config.set({"distributed.admin.large-graph-warning-threshold": "1TB"}):
            futures = self._client.compute([*tasks, *of], retries=_RETRIES)
        found: list[Any] | None = None
        try:
            self._wait(futures, futures[len(tasks) :], tick)
            found = list(self._client.gather(futures[: len(tasks)]))
        except KilledWorker:
            raise MemoryError(
                "a task was lost with several workers, most likely for lack of memory; give "
                "workers more memory, or fewer landmarks"
            ) from None
        except CancelledError:
            raise ConnectionError(
                "the work was cancelled, by somebody or with the scheduler; run this again"
            ) from None
        finally:
            if found is None:  # the caller wants no more, or there is nothing more to be had
                with suppress(Exception):
                    self._client.cancel(futures, force=True)
        return found

    def keep(self, blocks: list[Any]) -> list[Any]:
        """Hold blocks in the workers' memory, from where they can be computed again."""
        return list(self._client.persist(blocks, retries=_RETRIES))

    def _wait(self, futures: list[Any], parts: list[Any], tick: Tick | None) -> None:
        """Wait for the futures; `tick` may raise, as an interrupt may."""
        seen = time.monotonic()
        while not all(future.done() for future in futures):
            if any(future.status in ("error", "cancelled", "lost") for future in futures):
                return
            if tick is not None:
                done = sum(future.done() for future in parts)
                tick(done / max(len(parts), 1) * 0.999)
            if self._client.status != "running":
                raise ConnectionError(
                    "the client has lost its scheduler; look at the scheduler's log, and run "
                    "this again with a new client"
                )
            if self._client.scheduler_info(n_workers=-1)["workers"]:
                seen = time.monotonic()
            elif time.monotonic() - seen > _PATIENCE:
                raise ConnectionError(
                    f"all workers have been gone for {_PATIENCE:.0f} seconds; look at their logs, "
                    "and run this again with new ones"
                )
            time.sleep(_HEARD)
        if tick is not None:
            tick(1.0)


def workers_of(client: object = None) -> Workers:
    """Return where to compute: on the given client, else the active one, else here."""
    if client is not None:
        return Cluster(client)
    distributed = sys.modules.get("distributed")
    if distributed is None:  # nobody made a client
        return Workers()
    try:
        active = distributed.default_client()
    except ValueError:
        return Workers()
    return Cluster(active)


def check_client(client: Any) -> None:
    """Refuse a client that cannot be used, before any work."""
    wanted = "client must be a distributed.Client that is running"
    if type(client).__module__.partition(".")[0] != "distributed" or not hasattr(client, "compute"):
        raise TypeError(f"{wanted}, not {shown(client)}")
    if client.asynchronous:
        raise ValueError(f"{wanted}, not an asynchronous one; make it with asynchronous=False")
    if client.status != "running":
        raise ValueError(f"{wanted}, but this one is {client.status}; make a new one")
    workers = client.scheduler_info(n_workers=-1)["workers"]
    if not workers:
        raise ValueError(
            "client has no workers; start some, or wait for them with client.wait_for_workers(1)"
        )
    _check_versions(client, set(workers))


def _check_versions(client: Any, workers: set[str]) -> None:
    """Refuse workers with another version; each is asked once."""
    alike = _alike.setdefault(client, set())
    if workers <= alike:
        return
    # One that dies before it answers is no matter, its tasks go to others.
    versions = client.run(pydoc.locate, "kernelect._version.__version__", on_error="return")
    for address, version in versions.items():
        if version == __version__:
            alike.add(address)
        elif not isinstance(version, OSError):
            has = "no kernelect" if version is None else f"kernelect {version}"
            raise ValueError(
                f"worker {address} has {has} and this process kernelect {__version__}; install the "
                "same version everywhere"
            )
