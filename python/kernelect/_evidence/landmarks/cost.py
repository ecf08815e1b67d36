"""What landmark models cost in operations, and how many landmarks an election may go up to."""

from __future__ import annotations

import math

from .counts import SCORED_IN_CONTEST, contest_size, landmark_count, pool_size, scored_count

# The work for a kernel value, in operations.
_VALUE = 50.0
# What an election may have taken for every row in all when it goes on with twice as many landmarks
# and nobody limits the time: up to this many rows, which then take some ten seconds on two cores,
# and of more, of which 200,000 take no more than three minutes. The root between the two lets
# 50,000 and 100,000 rows have more landmarks than 20,000 have.
_QUICKLY, _OF_FEW, _OF_MANY = 20_000, 2.8e7, 4.5e7
# The looks at least before that: at the winner, and at one beside it.
_LOOKS = 2


def operations(rows: int, landmarks: int) -> float:
    """Count what a landmark model takes: its choice, sums over rows, and outputs left out."""
    scored, pool = scored_count(rows), pool_size(rows, landmarks)
    contest = contest_size(rows, landmarks)
    judged = min(contest, SCORED_IN_CONTEST)
    squares = pool + 2.0 * rows + 3.0 * scored + 10.0 * landmarks + 4.0 * contest + 6.0 * judged
    values = pool + rows + scored + 2.0 * (contest + judged)
    return landmarks * (landmarks * squares + _VALUE * values)


def for_a_row(rows: int) -> float:
    """Return how many operations an election of this many rows may take for each of them."""
    return min(_OF_FEW * math.sqrt(max(rows / _QUICKLY, 1.0)), _OF_MANY)


def most_landmarks(rows: int) -> int:
    """Return how many landmarks the default election may go up to where too few do not suffice."""
    count, done = landmark_count(rows), 0.0
    while count < rows:
        done += _LOOKS * operations(rows, count)
        twice = min(2 * count, rows)
        if done + operations(rows, twice) > for_a_row(rows) * rows:
            break
        count = twice
    return count
