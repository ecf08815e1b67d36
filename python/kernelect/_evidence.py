"""Evidence about kernel matrices, gathered once for all criteria that share it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._dispatch import core
from ._progress import Tick
from ._rows import Program
from ._target import Target
from .criteria import MomentCriterion

# Sums of all candidates held at a time; more candidates are taken in groups.
_MEMORY = 64e6


@dataclass(frozen=True)
class Scores:
    """Values and reasons, candidates by criteria."""

    values: NDArray[np.float64]
    reasons: list[list[str]]


@dataclass(frozen=True)
class Work:
    """What every kind of evidence needs: the rows in the core, the kernels, the target."""

    sample: Any
    programs: list[Program]
    target: Target
    threads: int
    tick: Tick | None


def moments(work: Work, criteria: list[MomentCriterion]) -> Scores:
    """Score by sums over the kernel matrices, streamed."""
    targets, means = (
        work.target.centred()
        if work.target.task == "regression"
        else (np.zeros((0, work.target.size)), np.zeros(0))
    )
    values, reasons = core.score_moments(
        work.sample,
        targets,
        means,
        work.programs,
        [criterion.to_core() for criterion in criteria],
        memory=_MEMORY,
        threads=work.threads,
        progress=work.tick,
    )
    return Scores(values, reasons)
