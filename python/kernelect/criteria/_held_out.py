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
from .._support.arrays import FloatArray
from ._base import Criterion
from ._column import Column
from ._evidence import HeldOut
from ._needs import Needs
from ._scorers import held_out_score

LOSSES = ("squared", "zero_one")


@dataclass(frozen=True, repr=False)
class RidgeCriterion(Criterion):
    """A criterion on the ridge system (K + rho I), factored once per candidate and lambda."""

    regression: ClassVar[bool] = True
    regularised: ClassVar[bool] = True

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

    loss: str = "squared"
    scoring: str | None = None

    def __post_init__(self) -> None:
        check_choice(self.loss, f"{self.name}: loss", LOSSES)
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
        return task == "classification" or self.loss == "squared"

    @property
    def _details(self) -> Needs:
        """What is needed of held-out predictions besides their residuals."""
        return Needs(zero_one=self.loss == "zero_one", outputs=self.scoring is not None)

    def _held_out(self, target: Target, parts: list[HeldOut]) -> Column:
        """Mean over held-out points; several repetitions count by their points."""
        if self.scoring is None:
            return mean_loss(self, self.loss, parts)
        scores = [held_out_score(self.scoring, target, part.outputs) for part in parts]
        return self.scored(np.mean(scores, axis=0), ties=means(_joined(parts, "squared")))


def _joined(parts: list[HeldOut], name: str) -> FloatArray:
    return np.concatenate([getattr(part, name) for part in parts], axis=-1)


def mean_loss(criterion: Criterion, loss: str, parts: list[HeldOut]) -> Column:
    """Mean loss over held-out points with its standard error; the squared loss breaks ties."""
    points = _joined(parts, loss)
    ties = None if loss == "squared" else means(_joined(parts, "squared"))
    return criterion.scored(means(points), ties=ties, errors=standard_errors(points))


def means(points: FloatArray) -> FloatArray:
    """Means over held-out points; NaN, without a warning, for a candidate that has none."""
    held_out = ~np.isnan(points)
    count = held_out.sum(axis=-1)
    total = np.sum(points, axis=-1, where=held_out)
    return np.asarray(np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0))


def standard_errors(points: FloatArray) -> FloatArray:
    """Estimate standard errors of means over held-out points."""
    count = np.maximum((~np.isnan(points)).sum(axis=-1), 2)
    with np.errstate(invalid="ignore", over="ignore"):  # of losses that are not finite
        variance = means((points - means(points)[..., None]) ** 2)
    return np.asarray(np.sqrt(variance / (count - 1.0)))
