"""Approximate cross-validation by a series, to compare with the exact one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from .._support.arguments import check_choice, check_whole
from ._column import Column
from ._evidence import Evidence
from ._held_out import LOSSES, RidgeCriterion, checked_folds, mean_loss
from ._needs import Folds, Needs, Series


@dataclass(frozen=True, repr=False)
class BIF(RidgeCriterion):
    r"""Approximate k-fold cross-validation by a Bouligand influence function; smaller is better.

    A Taylor series of order t around the fit on all data. For the square loss `CV` is exact at the
    same cost, so this is for comparison. Near K = I the series keeps the sign of the training
    label; kernels whose off-diagonal entries are, in the mean and in the mean of their squares,
    below 1/n of the diagonal ones get the worst value.
    lambda is taken in the mean convention (``lam / n`` where the call uses "sum"). With
    ``landmarks=`` the series is that of the landmark model, rows that are landmarks are not scored,
    and how near a kernel is to the identity is judged by 1,024 rows.

    Parameters
    ----------
    order : int, default=3
        Terms of the series.
    folds : int, splitter or list of (train, test) pairs, optional
        As for `CV`.
    loss : {"squared", "zero_one"}, default="squared"
        As for `LOO`.
    """

    name: ClassVar[str] = "bif"
    direction: ClassVar[int] = -1
    order: int = 3
    folds: Any = None
    loss: str = "squared"

    def __post_init__(self) -> None:
        check_whole(self.order, "bif: order", least=1, most=100)
        check_choice(self.loss, "bif: loss", LOSSES)
        object.__setattr__(self, "folds", checked_folds(self.folds, "bif"))

    @property
    def standard_errors(self) -> bool:
        return True

    @property
    def _request(self) -> Series:
        return Series(int(self.order), Folds(self.folds), self.loss == "zero_one")

    def applies_to(self, task: str, n_classes: int) -> bool:
        return task == "classification" or self.loss == "squared"

    def needs(self) -> Needs:
        return Needs(series=(self._request,))

    def column(self, evidence: Evidence) -> Column:
        series = evidence.ridge.series(self._request)
        column = mean_loss(self, self.loss, series, evidence.scored)
        # Entries of both signs cancel in their mean, as those of every centred linear kernel do; in
        # that of their squares they do not. For kernels in [0, 1] the mean alone decides.
        ridge, most = evidence.ridge, 1.0 / evidence.target.size
        near = (ridge.off_diagonal < most) & (ridge.off_diagonal_squares < most)
        values = np.where(near[:, None], np.inf, column.values)
        text = "the kernel is too near the identity for the series"
        return replace(column, values=values, reasons=[text if k else None for k in near])
