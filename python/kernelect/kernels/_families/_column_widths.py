"""Widths of single columns: rows seen with their columns scaled, and kernels with length scales."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..._data.rows import Rows, Tables, is_sparse
from .._base import Kernel, positive
from .._parameters import Parameter

MOST_SHOWN = 8  # of more widths than these, the first and the last are shown


@dataclass(frozen=True)
class ScaledColumns:
    """The view of rows whose columns are multiplied by given factors."""

    factors: tuple[float, ...]

    def __call__(self, rows: Rows) -> Rows:
        if rows.shape[1] != len(self.factors):
            raise ValueError(
                f"the rows have {rows.shape[1]} features, but the kernel has a width for each of "
                f"{len(self.factors)}"
            )
        factors = np.asarray(self.factors)
        if is_sparse(rows):
            return sp.csr_matrix(rows @ sp.diags(factors))
        return np.ascontiguousarray(rows * factors)


class WithLengthScale(Kernel):
    """A kernel of a Euclidean distance in units of a length, or of a length for each column."""

    length_scale: Any

    def _check_length_scale(self) -> None:
        """Make the length scale a positive number, or a tuple of them."""
        given, kind = self.length_scale, type(self).__name__
        if isinstance(given, (Sequence, np.ndarray)) and not isinstance(given, (str, bytes)):
            if len(given) == 0:
                raise ValueError(f"{kind}: length_scale is empty; give one for every column")
            value: Any = tuple(positive("length_scale", item, kind) for item in given)
        else:
            value = positive("length_scale", given, kind)
        object.__setattr__(self, "length_scale", value)

    def __repr__(self) -> str:
        shown = super().__repr__()
        if isinstance(self.length_scale, tuple) and len(self.length_scale) > MOST_SHOWN:
            return shown.replace(repr(self.length_scale), shown_numbers(self.length_scale))
        return shown

    def __str__(self) -> str:
        """Return the kernel for reading: widths of columns with six digits."""
        if not isinstance(self.length_scale, tuple):
            return super().__str__()
        return repr(self).replace(repr(self.length_scale), shown_numbers(self.length_scale))

    @property
    def _shortest(self) -> float:
        """The length that distances are measured in; longer ones shrink their columns."""
        if isinstance(self.length_scale, tuple):
            return float(min(self.length_scale))
        return float(self.length_scale)

    def _table(self, tables: Tables) -> int:
        """Index of the table that the kernel reads."""
        if not isinstance(self.length_scale, tuple):
            return tables.whole()
        shortest = self._shortest
        return tables.view(ScaledColumns(tuple(shortest / item for item in self.length_scale)))

    @property
    def _width(self) -> float | None:
        return None if isinstance(self.length_scale, tuple) else float(self.length_scale)

    def _parameters(self, start: int) -> list[Parameter]:
        if not isinstance(self.length_scale, tuple):
            return super()._parameters(start)
        columns = [
            Parameter("length_scale", item, start, column=place, power=-2.0)
            for place, item in enumerate(self.length_scale)
        ]
        others = {name: powers for name, powers in self._powers.items() if name != "length_scale"}
        return [
            *(Parameter(name, getattr(self, name), start, own) for name, own in others.items()),
            *columns,
        ]

    def _with_values(self, values: Iterator[float]) -> Kernel:
        if not isinstance(self.length_scale, tuple):
            return super()._with_values(values)
        changed: dict[str, Any] = {
            name: next(values) for name in self._powers if name != "length_scale"
        }
        changed["length_scale"] = tuple(next(values) for _ in self.length_scale)
        return replace(self, **changed)  # type: ignore[type-var]

    def _per_column(self, count: int) -> Kernel:
        if isinstance(self.length_scale, tuple):
            return self
        return replace(self, length_scale=(self.length_scale,) * count)  # type: ignore[type-var]


def shown_numbers(values: Sequence[float]) -> str:
    """Write widths for reading, of many the first and the last."""
    texts = [f"{value:.6g}" for value in values]
    if len(texts) > MOST_SHOWN:
        texts = [*texts[:4], "...", *texts[-2:]]
    return f"[{', '.join(texts)}]"


def in_range(rate: float) -> bool:
    """Whether a rate and its double are numbers."""
    return rate > 0.0 and math.isfinite(2.0 * rate)
