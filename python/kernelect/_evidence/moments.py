"""Evidence about kernel matrices, gathered once for all criteria that share it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._data.rows import Program, Rows, make_sample
from .._data.target import Target
from .._dispatch import core
from .._support.progress import Tick
from ..criteria import MomentCriterion
from ..kernels import Kernel

FloatArray = NDArray[np.float64]

# Sums of all candidates held at a time; more candidates are taken in groups.
_MEMORY = 64e6


@dataclass(frozen=True)
class Column:
    """One criterion's view of all candidates; arrays are (candidates,) or (candidates, lambdas)."""

    values: FloatArray
    reasons: list[str | None]
    ties: FloatArray | None = None  # smaller is better, where values are equal
    errors: FloatArray | None = None  # standard errors
    lams: FloatArray | None = None  # absolute lambdas, where there are several
    jitter: FloatArray | None = None  # added to the kernel's diagonal beside lambda


@dataclass(frozen=True)
class Work:
    """What every kind of evidence needs: the kernels with their rows or matrix, and the target."""

    kernels: list[Kernel]
    programs: list[Program]
    tables: list[Rows]
    target: Target
    threads: int
    tick: Tick | None
    matrix: FloatArray | None = field(default=None)

    def _sample(self, codes: NDArray[np.int64]) -> Any:
        sample = make_sample(self.tables, codes)
        if self.matrix is not None:
            sample.add_matrix(self.matrix)
        return sample

    @cached_property
    def by_class(self) -> Any:
        """The rows in the core, sorted by class."""
        return self._sample(self.target.codes)

    @cached_property
    def as_given(self) -> Any:
        """The rows in the core, in the caller's order."""
        return self._sample(np.zeros(self.target.size, dtype=np.int64))


def moments(work: Work, criteria: Sequence[MomentCriterion]) -> list[Column]:
    """Score by sums over the kernel matrices, streamed."""
    targets, means = (
        work.target.centred()
        if work.target.task == "regression"
        else (np.zeros((0, work.target.size)), np.zeros(0))
    )
    values, reasons = core.score_moments(
        work.by_class,
        targets,
        means,
        work.programs,
        [criterion.to_core() for criterion in criteria],
        memory=_MEMORY,
        threads=work.threads,
        progress=work.tick,
    )
    return [
        Column(values[:, c].copy(), [row[c] or None for row in reasons])
        for c in range(len(criteria))
    ]
