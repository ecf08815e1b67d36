"""What criteria of ridge systems share: held-out losses, scores and folds."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from sklearn.metrics import get_scorer

from .._data.target import Target
from .._support.arguments import check_choice, is_whole, shown
from ._base import Criterion
from ._column import Column
from ._constant import baselines, beside_constant, constant_losses
from ._needs import Needs
from ._points import joined, means, standard_errors, weights_of
from ._predictions import HeldOut
from ._scorers import constant_score, held_out_score

LOSSES = ("squared", "zero_one")


@dataclass(frozen=True, repr=False)
class RidgeCriterion(Criterion):
    """A criterion on the ridge system (K + rho I), factored once per candidate and lambda."""

    regression: ClassVar[bool] = True
    regularised: ClassVar[bool] = True
    weighs_rows: ClassVar[bool] = True

    def _printed(self, name: str) -> str:
        value = getattr(self, name)
        if name != "folds" or not isinstance(value, (list, tuple)):
            return super()._printed(name)
        # Row numbers would fill pages; a checksum tells splits of the same number apart.
        parts = [np.asarray(part) for split in value for part in split]
        checksum = zlib.crc32(b"".join(b"%d:" % part.size + part.tobytes() for part in parts))
        return f"<{len(value)} splits {checksum:08x}>"


def _check_scoring(scoring: Any) -> None:
    if scoring is not None:
        try:
            get_scorer(scoring)
        except (ValueError, TypeError):
            raise ValueError(
                f"unknown scoring {scoring!r}; sklearn.metrics.get_scorer_names() lists them"
            ) from None


def checked_folds(folds: Any, owner: str) -> Any:
    """Check the form of a criterion's own folds; splits that come one by one are gathered."""
    if not isinstance(folds, (str, bytes, bool, type)):
        if is_whole(folds):
            return int(folds)
        if folds is None or hasattr(folds, "split"):
            return folds
        if isinstance(folds, Iterable):
            splits = folds if isinstance(folds, (list, tuple)) else list(folds)
            if all(map(_is_split, splits)):
                return splits
    raise TypeError(
        f"{owner}: folds must be a number, a scikit-learn splitter (PredefinedSplit for fold "
        f"numbers) or (train, test) pairs of indices, not {shown(folds)}"
    )


def _is_split(split: Any) -> bool:
    try:
        train, test = (np.asarray(part) for part in split)
    except (TypeError, ValueError):
        return False
    return train.ndim == test.ndim == 1


@dataclass(frozen=True, repr=False)
class HeldOutCriterion(RidgeCriterion):
    """A loss, or a scikit-learn score, of exact held-out predictions."""

    losses: ClassVar[tuple[str, ...]] = LOSSES
    loss: str = "squared"
    scoring: str | None = None

    def __post_init__(self) -> None:
        check_choice(self.loss, f"{self.name}: loss", self.losses)
        _check_scoring(self.scoring)

    @property
    def direction(self) -> int:
        """-1 for a loss, +1 for a scikit-learn score."""
        return -1 if self.scoring is None else 1

    @property
    def label(self) -> str:
        if self.scoring is None:
            return self.key
        return f"{self.scoring} ({replace(self, scoring=None).key})"

    @property
    def standard_errors(self) -> bool:
        return self.scoring is None

    def with_scoring(self, scoring: str) -> Criterion:
        return replace(self, scoring=scoring) if self.scoring is None else self

    def applies_to(self, task: str, n_classes: int) -> bool:
        return task == "classification" or self.loss != "zero_one"

    def _predictions(self, **asked: Any) -> Needs:
        """Return what is asked for with what is needed of held-out predictions."""
        return Needs(**{"zero_one": True, "outputs": self.scoring is not None, **asked})

    def _held_out(self, target: Target, parts: list[HeldOut]) -> Column:
        """Mean over held-out points; several repetitions count by their points."""
        if self.scoring is None:
            return mean_loss(self, self.loss, parts, target)
        scores = [held_out_score(self.scoring, target, part.outputs) for part in parts]
        ties = means(joined(parts, "squared"), weights_of(parts, target))
        column = self.scored(np.mean(scores, axis=0), ties=ties)
        baseline = np.mean([constant_score(self.scoring, target, part) for part in parts])
        return replace(
            column,
            baselines=np.full(column.values.shape, baseline),
            **beside_constant(parts, target, by_outputs=True),
        )


def mean_loss(criterion: Criterion, loss: str, parts: list[HeldOut], target: Target) -> Column:
    """Mean loss over held-out points with its standard error; the squared loss breaks ties."""
    points, weights = joined(parts, loss), weights_of(parts, target)
    mean = means(points, weights)
    ties = None if loss == "squared" else means(joined(parts, "squared"), weights)
    errors = standard_errors(points, weights, mean)
    constant = np.tile(constant_losses(target, loss), len(parts))
    squared = constant if loss == "squared" else None
    return replace(
        criterion.scored(mean, ties=ties, errors=errors),
        baselines=baselines(points, constant, weights),
        **beside_constant(parts, target, squared=squared),
    )
