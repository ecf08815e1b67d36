"""What landmark models cost in operations, and how many landmarks an election may go up to."""

from __future__ import annotations

import math

from . import landmark_work
from .landmark_contest import SCORED, rows_of_contest

# The work for a kernel value, in operations.
_VALUE = 50.0
# What an election may have taken for every row in all when it goes on with twice as many landmarks
# and nobody limits the time: up to so many rows, which then take some ten seconds on two cores, and
# of more, of which 200,000 take no more than three minutes. The root between the two lets 50,000
# and 100,000 rows have more landmarks than 20,000 have.
_QUICKLY, _OF_FEW, _OF_MANY = 20_000, 2.8e7, 4.5e7
# The looks at least before that: at the winner, and at one beside it.
_LOOKS = 2


def operations(rows: int, landmarks: int) -> float:
    """Count what a landmark model takes: its choice, sums over rows, and outputs left out."""
    scored = rows if rows <= landmark_work.SCORE_ALL else landmark_work.SCORED
    pool = landmark_work.pool_size(rows, landmarks)
    contest = rows_of_contest(landmarks)
    judged = min(contest, SCORED)
    if 2 * contest > rows:
        contest = judged = 0
    squares = pool + 2.0 * rows + 3.0 * scored + 10.0 * landmarks + 4.0 * contest + 6.0 * judged
    values = pool + rows + scored + 2.0 * (contest + judged)
    return landmarks * (landmarks * squares + _VALUE * values)


def for_a_row(rows: int) -> float:
    """Return how many operations an election of this many rows may take for each of them."""
    return min(_OF_FEW * math.sqrt(max(rows / _QUICKLY, 1.0)), _OF_MANY)


def most_landmarks(rows: int) -> int:
    """Return how many landmarks the default election may go up to where too few do not suffice."""
    count, done = landmark_work.landmark_count(rows), 0.0
    while count < rows:
        done += _LOOKS * operations(rows, count)
        twice = min(2 * count, rows)
        if done + operations(rows, twice) > for_a_row(rows) * rows:
            break
        count = twice
    return count
