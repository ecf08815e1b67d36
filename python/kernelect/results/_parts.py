"""Columns as one dictionary per quantity, and back: the form that files and old pickles have."""

from __future__ import annotations

from collections.abc import Mapping

from .._support.arrays import FloatArray
from ..criteria import Column


class Parts:
    """One dictionary per quantity, as views of the columns."""

    columns: dict[str, Column]

    @property
    def scores(self) -> dict[str, FloatArray]:
        """Values under each criterion's key."""
        return {key: column.values for key, column in self.columns.items()}

    @property
    def direction(self) -> dict[str, int]:
        """Which way is better under each criterion's key."""
        return {key: column.direction for key, column in self.columns.items()}

    @property
    def reasons(self) -> dict[str, list[str | None]]:
        """Reasons for undefined values under each criterion's key."""
        return {key: column.reasons for key, column in self.columns.items()}

    @property
    def errors(self) -> dict[str, FloatArray]:
        """Standard errors under the keys of criteria that have them."""
        return {key: c.errors for key, c in self.columns.items() if c.errors is not None}

    @property
    def jitter(self) -> dict[str, FloatArray]:
        """Jitter under the keys of criteria that needed some."""
        return {
            key: column.jitter
            for key, column in self.columns.items()
            if column.jitter is not None and (column.jitter > 0).any()
        }

    @property
    def lams(self) -> FloatArray | None:
        """Lambdas behind the second axis of scores, None where there is none."""
        return next((column.lams for column in self.columns.values() if column.has_path), None)


def columns_of(
    scores: Mapping[str, FloatArray],
    direction: Mapping[str, int],
    reasons: Mapping[str, list[str | None]],
    *,
    lams: FloatArray | None,
    labels: Mapping[str, str] = {},
    **quantities: Mapping[str, FloatArray],
) -> dict[str, Column]:
    """Make one column per key; `lams` belong to those with an axis of lambdas."""
    columns = {}
    for key, values in scores.items():
        own = {name: part[key] for name, part in quantities.items() if key in part}
        if values.ndim == 2 and lams is not None:
            own["lams"] = lams
        columns[key] = Column(
            key, direction[key], values, list(reasons[key]), **own, label=labels.get(key, "")
        )
    return columns
