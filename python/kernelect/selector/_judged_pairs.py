"""Pairs of a kernel and C that folds have judged, and walks to others from the best of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from .._support.arrays import FloatArray, IntArray
from ._fold_rows import Rows

Pair = dict[str, float]

# A walk goes by strides of at least this factor, and has this many at most.
STRIDE, STEPS = 3.9, 3


@dataclass
class JudgedPairs:
    """What every pair lost, in the order in which they were judged; the elected one comes first.

    Attributes
    ----------
    judge : callable
        Gives the losses of all tested rows, the score of every fold, and whether fits take long.
    rows : Rows
        All that there are.
    tested : ndarray of int
        Places of the rows that folds hold out.
    two_classes : bool
        Whether the machine decides between two classes.
    """

    judge: Callable[[Pair], tuple[FloatArray, FloatArray, bool]]
    rows: Rows
    tested: IntArray
    two_classes: bool
    pairs: list[Pair] = field(default_factory=list)
    losses: list[FloatArray] = field(default_factory=list)
    scores: list[FloatArray] = field(default_factory=list)
    costly: list[bool] = field(default_factory=list)
    eligible: list[bool] = field(default_factory=list)

    def add(self, pair: Pair) -> None:
        """Judge one more pair."""
        losses, scores, costly = self.judge(pair)
        self.pairs.append(pair)
        self.losses.append(losses)
        self.scores.append(scores)
        self.costly.append(costly)
        self.eligible.append(True)

    def walk(self, start: int, pairs: Iterable[Pair]) -> int:
        """Judge one after another while the loss falls; return the place of the last that did it.

        A step after which it does not fall is no longer eligible.
        """
        for pair in pairs:
            self.add(pair)
            self.eligible[-1] = self.is_better(self.losses[-1], self.losses[start])
            if not self.eligible[-1]:
                break
            start = len(self.pairs) - 1
        return start

    def is_better(self, losses: FloatArray, before: FloatArray) -> bool:
        """Whether a step is worth taking: the mean loss falls, and no more of two classes is wrong.

        A smaller C alone, which says less of all rows, lowers the loss of noisy ones.
        """

        def mean(values: FloatArray) -> float:
            return self.rows.mean(values, self.tested)

        if mean(losses) >= mean(before):
            return False
        wrong, former = (mean(np.where(each > 1.0, 1.0, 0.0)) for each in (losses, before))
        return not self.two_classes or wrong <= former

    def means(self) -> FloatArray:
        """Mean loss of every pair that is eligible, infinite for the others."""
        means = [self.rows.mean(losses, self.tested) for losses in self.losses]
        return np.where(self.eligible, means, np.inf)

    def standard_errors(self, other: int) -> float:
        """By how many standard errors a pair is better than the first."""
        gain = self.losses[0] - self.losses[other]
        weights = (
            np.ones(len(gain)) if self.rows.weights is None else self.rows.weights[self.tested]
        )
        share = weights / weights.sum()
        mean = float(share @ gain)
        error = float(np.sqrt(np.sum((share * (gain - mean)) ** 2)))
        return mean / error if error > 0.0 else 0.0


def strides(gamma: float, way: Sequence[float]) -> Iterator[float]:
    """Yield the gammas of a way that are a stride apart, from one on."""
    taken = 0
    for other in way:
        if taken < STEPS and max(other / gamma, gamma / other) > STRIDE:
            yield other
            gamma, taken = other, taken + 1
