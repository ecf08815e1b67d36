"""Kernels refined on halves of the rows, with outputs for rows that their widths have not seen."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..._evidence.work import CallOptions
from ..._support.arrays import FloatArray
from ..._support.deadline import TimeUp
from ...kernels import Kernel
from ...refinement._descent import Path, Step, middle
from ...refinement._judge import halves, on_part, outputs
from ...refinement._refined import Refining
from ...selection._problem import Problem


@dataclass(frozen=True)
class Refined:
    """A kernel that each half of the rows has refined for itself.

    Attributes
    ----------
    start : Kernel
        Where both set out from.
    ends : list of Step
        Where they came to; lambdas are those for all rows.
    outputs : ndarray of shape (n, columns)
        Held-out outputs by models of all rows, with the kernel of the half that a row is not in: no
        row is judged by widths that have seen it, and the models are as large as those they are
        compared with.
    evaluations : int
        How many values and gradients were computed.
    """

    start: Kernel
    ends: list[Step]
    outputs: FloatArray
    evaluations: int

    @property
    def model(self) -> tuple[Kernel, float]:
        """The kernel in the middle, and its lambda."""
        step = middle(self.ends, ridge=True)
        return step.kernel, step.lam


def refine_on_halves(work: Refining, start: Kernel, lam: float) -> Refined | None:
    """Refine a kernel on one half of the rows, and on the other; None where that leads nowhere."""
    problem, options = work.problem, work.options
    one, two = halves(problem.target, options.splits)
    found: FloatArray = np.full(problem.target.columns().shape, np.nan)
    ends, evaluations = [], 0
    for own, other in ((one, two), (two, one)):
        path = _descend(_on_part(work, own), start, lam, problem.target.size)
        if path is None:
            return None
        ends.append(path.end)
        evaluations += path.evaluations
        found[other] = outputs(problem, (path.end.kernel, path.end.lam), options)[other]
    return Refined(start, ends, found, evaluations)


def refine_on_all(work: Refining, refined: Refined, lam: float) -> tuple[Kernel, float, int]:
    """Go on with all rows from the middle of where halves came to, as far as time allows.

    Returns the kernel, its lambda, and the number of values and gradients.
    """
    size = work.problem.target.size
    try:
        path = _descend(work, refined.start, lam, size, refined.ends)
    except TimeUp:
        path = None
    if path is None:
        return (*refined.model, 0)
    return path.end.kernel, path.end.lam, path.evaluations


def _on_part(work: Refining, places: NDArray[np.int64]) -> Refining:
    part: Problem = work.problem.part(places)
    options: CallOptions = on_part(work.problem, work.options, places)
    return replace(work, problem=part, options=options)


def _descend(
    work: Refining, start: Kernel, lam: float, size: int, known: list[Step] | None = None
) -> Path | None:
    """Refine on the rows of some work, with lambdas given and returned for this many rows."""
    made = work.options.regularisation
    # The same ridge m lambda for fewer rows; a lambda that was given is not to be touched.
    factor = size / work.problem.target.size if made.mean and not made.single else 1.0
    begun = [step.times(factor) for step in known or ()]
    path = work.anywhere(start, factor * lam, begun or None)
    if path is None:
        return None
    return replace(path, steps=[step.times(1.0 / factor) for step in path.steps])
