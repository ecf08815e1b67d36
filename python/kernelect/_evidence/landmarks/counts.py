"""How many landmarks there are, and how many rows each step of their models sees."""

from __future__ import annotations

import math

# Up to this many rows the default election verifies on whole matrices, in at most minutes.
WHOLE_ROWS = 10_000
# The fewest and most landmarks, unless somebody says.
_FEW, _MANY = 500, 2000
# Rows to choose landmarks from: this many, or this many times the landmarks.
_POOL, _POOL_TIMES = 5_000, 10
# The same of kernels outside the core, whose matrix on the pool is made.
_SMALL_POOL, _SMALL_POOL_TIMES = 2_000, 2
# Rows on which a contest of two sets is held, in multiples of the landmarks and at least; and the
# most that are scored there.
_CONTEST_TIMES, _CONTEST, SCORED_IN_CONTEST = 3, 1024, 1024
# Up to the first number all rows are scored, of more the second.
SCORE_ALL, SCORED = 50_000, 20_000


def landmark_count(rows: int) -> int:
    """How many landmarks there are unless somebody says: four times the root of the rows."""
    return min(max(round(4.0 * math.sqrt(rows)), _FEW), _MANY, rows)


def pool_size(rows: int, landmarks: int, *, in_core: bool = True) -> int:
    """From how many rows landmarks are chosen."""
    least, times = (_POOL, _POOL_TIMES) if in_core else (_SMALL_POOL, _SMALL_POOL_TIMES)
    return min(rows, max(least, times * landmarks))


def contest_size(rows: int, landmarks: int) -> int:
    """On how many rows models of two sets of landmarks are compared; 0 where there are too few."""
    size = max(_CONTEST_TIMES * landmarks, _CONTEST)
    return size if 2 * size <= rows else 0


def scored_count(rows: int) -> int:
    """How many rows are scored: all, or of many about this many."""
    return rows if rows <= SCORE_ALL else SCORED
