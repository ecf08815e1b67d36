"""How large a kernel matrix may be to be kept, and how much memory is free."""

from __future__ import annotations

import os
import sys
from pathlib import Path

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

# Bytes of a matrix that is kept; larger ones are made tile by tile for each product.
STORE = 1e9
# Less than this is always there; of what is free this share may be taken.
LITTLE, SHARE = 2.5e8, 0.9


def can_be_stored(rows: int) -> bool:
    """Whether the kernel matrix of this many rows may be kept."""
    return 8.0 * rows**2 <= STORE


def most_rows() -> int:
    """Most rows whose kernel matrix may be kept."""
    return int((STORE / 8.0) ** 0.5)


def free_memory() -> float:
    """Bytes that this process may still take, by the system, its group and its own limit.

    Infinite where nobody tells.
    """
    return min(_of_system(), _of_group(), _of_address_space())


def refuse_matrix(what: str, rows: int, columns: int, remedy: str) -> None:
    """Raise where there is no memory for a matrix of this size."""
    refuse_bytes(f"{what}, {rows} x {columns} numbers,", 8.0 * rows * columns, remedy)


def refuse_bytes(what: str, need: float, remedy: str) -> None:
    """Raise where less memory than this is free, in bytes."""
    free = free_memory()
    if need > LITTLE and need > SHARE * free:
        raise MemoryError(f"{what} {compared(need, free)}; {remedy}")


def compared(need: float, free: float) -> str:
    """Say how much is needed, and how much there is."""
    return f"takes about {_size(need)} of memory, and {_size(free)} are free"


def _size(count: float) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e8 else f"{count / 1e6:.3g} MB"


def _of_system() -> float:
    """Memory that is free or can be freed without writing anything out."""
    for line in _lines("/proc/meminfo"):
        name, _, rest = line.partition(":")
        if name == "MemAvailable":
            return 1024.0 * float(rest.split()[0])
    try:
        # What is in use by others is not known here, so half of all there is.
        return 0.5 * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # Windows
        return float("inf")


def _of_group() -> float:
    """Bytes that a container's limit leaves; cached pages of files can be given up."""
    for limit, used, statistics, cached in (
        ("memory.max", "memory.current", "memory.stat", "inactive_file"),
        (
            "memory/memory.limit_in_bytes",
            "memory/memory.usage_in_bytes",
            "memory/memory.stat",
            "total_inactive_file",
        ),
    ):
        most, now = ("".join(_lines(f"/sys/fs/cgroup/{name}")).strip() for name in (limit, used))
        if most.isdecimal() and now.isdecimal():
            entries = dict(line.split() for line in _lines(f"/sys/fs/cgroup/{statistics}"))
            return float(most) - float(now) + float(entries.get(cached, 0))
    return float("inf")


def _of_address_space() -> float:
    """Bytes that ``ulimit -v`` leaves."""
    if resource is None or sys.platform != "linux":
        return float("inf")
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return float("inf")
    pages = int(next(iter(_lines("/proc/self/statm")), "0").split()[0])
    return float(limit - pages * resource.getpagesize())


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return []
