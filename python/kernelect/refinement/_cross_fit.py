"""Refinements on halves of the rows, each judged by the other half."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .._evidence.work import CallOptions
from .._support.arrays import FloatArray
from .._support.deadline import TimeUp
from ..selection._problem import Problem
from ._descent import Path, Step, Way
from ._judge import MANY, Model, Verdict, halves, on_part, sampled, squares, verdict

HALF = 0.3  # share of a progress line


class Descend(Protocol):
    """A way down on some rows, from the start or from where others came to."""

    def __call__(
        self,
        way: Way,
        problem: Problem,
        options: CallOptions,
        share: tuple[float, float],
        *,
        known: list[Step] | None,
    ) -> Path | None: ...


@dataclass(frozen=True)
class CrossFit:
    """What halves of the rows say of each other's refinements, where these led, and by which way.

    Of all ways together, how many values and gradients were computed.
    """

    verdict: Verdict
    ends: list[Step]
    way: Way
    evaluations: int


def cross_fit(
    problem: Problem, options: CallOptions, ways: list[Way], start: Model, descend: Descend
) -> CrossFit | None:
    """Refine on one half, judge on the other, and the reverse; None where there is no value.

    A second way, by a weaker penalty, goes on from where the first has led. It has to be better on
    unseen rows by as much as a refinement has to be.
    """
    one, two = halves(problem.target, options.splits)
    weights: list[FloatArray] = []
    found: list[list[FloatArray]] = [[] for _ in (start, *ways)]
    paths: list[list[Path]] = [[] for _ in ways]
    for k, (own, other) in enumerate(((one, two), (two, one))):
        part, part_options = problem.part(own), on_part(problem, options, own)
        judging, judging_options = sampled(
            problem.part(other), on_part(problem, options, other), MANY
        )
        found[0].append(squares(judging, start, judging_options))
        before: list[Step] | None = None
        for place, way in enumerate(ways):
            first, last = ((k + (place + done) / len(ways)) * HALF for done in (0, 1))
            path = descend(way, part, part_options, (first, last), known=before)
            if path is None:
                return None
            if path.late:
                raise TimeUp
            before = [path.end]
            paths[place].append(path)
            model = path.end.kernel, None if start[1] is None else path.end.lam
            found[place + 1].append(squares(judging, model, judging_options))
        weights += [] if judging.target.weights is None else [judging.target.weights]

    def compared(better: int, worse: int) -> Verdict | None:
        parts = list(zip(found[better], found[worse], strict=True))
        return verdict(parts, np.concatenate(weights) if weights else None)

    chosen = 0
    if len(ways) > 1:
        weaker = compared(2, 1)
        chosen = int(weaker is not None and weaker.enough)
    judged = compared(1 + chosen, 0)
    if judged is None:
        return None
    evaluations = sum(path.evaluations for each in paths for path in each)
    return CrossFit(judged, [path.end for path in paths[chosen]], ways[chosen], evaluations)
