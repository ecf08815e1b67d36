"""How much memory a process holds."""

from __future__ import annotations

from pathlib import Path


def resident() -> float:
    """Return the megabytes in use by this process (Linux)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024.0


def peak() -> float:
    """Return the most megabytes that were in use so far (Linux)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024.0
