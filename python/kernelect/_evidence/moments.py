"""Evidence from sums over the kernel matrices, in one streaming pass."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._dispatch import core
from ..criteria import CoreCriterion, MomentScores
from .work import Work

# Bytes for the sums of all candidates held at a time; more candidates are taken in groups.
MEMORY = 64e6


def moment_evidence(
    work: Work, forms: Sequence[CoreCriterion]
) -> dict[CoreCriterion, MomentScores]:
    """Compute closed forms on sums over the matrices, streamed."""
    # The origin of a regression's numbers is arbitrary, so all criteria see them centred.
    regression = work.target.task == "regression"
    targets = work.target.centred() if regression else np.zeros((0, work.target.size))
    values, reasons = core.score_moments(
        work.by_class,
        targets,
        np.zeros(len(targets)),
        work.programs,
        list(forms),
        memory=MEMORY,
        threads=work.threads,
        progress=work.tick,
    )
    return {
        form: MomentScores(values[:, c].copy(), [row[c] or None for row in reasons])
        for c, form in enumerate(forms)
    }
