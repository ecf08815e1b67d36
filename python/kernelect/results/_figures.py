"""Figures of a winner that are read off its column of the table."""

from __future__ import annotations

import numpy as np

from ..criteria._registry import holds_out_folds
from ._score_table import ScoreTable


class Figures:
    """What the table says of the winner beside its score."""

    table: ScoreTable
    score: float
    index: int
    decisive: str

    @property
    def by_folds(self) -> bool:
        """Whether the criterion that decided holds out folds of rows."""
        return holds_out_folds(self.decisive)

    def _figure(self, name: str) -> float | None:
        """Return a quantity of the winner's, None where it has none."""
        column = self.table.columns[self.decisive].take([self.index]).at_best_lambda()
        quantity = getattr(column, name)
        return None if quantity is None or np.isnan(quantity[0]) else float(quantity[0])

    @property
    def landmarks(self) -> int | None:
        """How many landmarks the model has."""
        count = self._figure("landmarks")
        return None if count is None else int(count)

    @property
    def rank_error(self) -> float | None:
        """What the landmarks do not see of the winner."""
        return self._figure("rank_errors")

    @property
    def m_sensitivity(self) -> float | None:
        """By what share half of the landmarks predict worse."""
        return self._figure("sensitivities")

    @property
    def baseline(self) -> float | None:
        """What the criterion gives the mean or the larger class."""
        return self._figure("baselines")

    @property
    def gain(self) -> float | None:
        """By how much the score is better than the baseline."""
        baseline = self.baseline
        direction = self.table.columns[self.decisive].direction
        return None if baseline is None else direction * (self.score - baseline)

    @property
    def evidence(self) -> float | None:
        """By how many standard errors the held-out squared loss is below that of the mean."""
        return self._figure("evidence")

    @property
    def held_out_score(self) -> float | None:
        """Accuracy or R^2 of the held-out predictions."""
        return self._figure("held_out_scores")
