"""How large a kernel matrix may be to be kept."""

from __future__ import annotations

# Bytes of a matrix that is kept; larger ones are made tile by tile for each product.
STORE = 1e9


def can_be_stored(rows: int) -> bool:
    """Whether the kernel matrix of this many rows may be kept."""
    return 8.0 * rows**2 <= STORE


def most_rows() -> int:
    """Most rows whose kernel matrix may be kept."""
    return int((STORE / 8.0) ** 0.5)
