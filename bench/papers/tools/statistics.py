"""Means, deviations and the papers' paired test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats


def significantly_better(a: Sequence[float], b: Sequence[float]) -> bool:
    """Whether errors `a` are smaller than `b` by a one-sided paired t-test at 95 %.

    mean(d) / (sd(d) / sqrt(N)) of d = b - a above the quantile for N - 1 degrees of freedom (1.68
    for the 50 splits of the spectral-measure paper, which prints 1.676).
    """
    d = np.asarray(b, float) - np.asarray(a, float)
    if len(d) < 2:
        return False
    spread = float(d.std(ddof=1))
    if spread <= 1e-12 * max(1.0, float(np.abs(d).max())):
        return bool(d.mean() > 1e-12)
    return bool(d.mean() / (spread / np.sqrt(len(d))) > stats.t.ppf(0.95, len(d) - 1))


@dataclass(frozen=True)
class Record:
    """On how many sets one method is significantly better, about equal, worse than another."""

    wins: int
    ties: int
    losses: int

    def __str__(self) -> str:
        return f"{self.wins}/{self.ties}/{self.losses}"


def record(a: Sequence[Sequence[float]], b: Sequence[Sequence[float]]) -> Record:
    """Compare two methods set by set."""
    wins = sum(significantly_better(x, y) for x, y in zip(a, b, strict=True))
    losses = sum(significantly_better(y, x) for x, y in zip(a, b, strict=True))
    return Record(wins, len(a) - wins - losses, losses)


def mean_and_deviation(values: Sequence[float]) -> str:
    array = np.asarray(values, float)
    deviation = array.std(ddof=1) if len(array) > 1 else 0.0
    return f"{array.mean():.2f} ± {deviation:.2f}"
