"""What there is memory for: exact evidence of whole kernel matrices, or not.

The one place where that is decided: where exact losses cannot be had, the default election says so
by `elected_by_sums`, and `evaluate`, `select` by a criterion of that kind and the learners refuse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .._data.rows import is_sparse
from .._data.target import Target
from .._evidence.work import CallOptions, LandmarkOptions
from .._support.memory import LITTLE, SHARE, compared, free_memory
from .._support.remedy import advised
from .._support.warning import warn_caller
from ..criteria import Criterion, Needs
from ..results import Selection
from ..results._memory import Call
from ._problem import Problem

_LITTLE = LITTLE
# Lambdas that a search asks for at once.
_AT_ONCE = 3


def demand(
    criteria: Sequence[Criterion],
    target: Target,
    rows: Any,
    *,
    kernels: int = 1,
    lams: int = 1,
    threads: int = 1,
    landmarks: LandmarkOptions | None = None,
) -> float:
    """Bytes that the evidence for some criteria takes."""
    columns = sum(getattr(rows, "shape", ())[1:])  # none where rows are objects or matrices given
    entries = int(rows.nnz) if is_sparse(rows) else None
    classes = target.n_classes or len(target.values)
    count = None if landmarks is None else landmarks.count
    call = Call(target.size, columns, entries, kernels, classes, lams, threads, count)
    return call.needs(Needs.of(criteria))


def of_matrices(criteria: Sequence[Criterion]) -> list[Criterion]:
    """Return those criteria that sums over tiles are not enough for."""
    return [criterion for criterion in criteria if not criterion.needs().sums_alone]


def is_free(need: float) -> bool:
    """Whether this much memory may be taken."""
    return need <= _LITTLE or need <= SHARE * free_memory()


def too_large(what: str, n: int, need: float, remedy: str) -> MemoryError:
    """Return the error that there is too little memory for this many rows."""
    return advised(MemoryError, f"{what} of {n} rows {compared(need, free_memory())}", remedy)


def refuse_unless_free(what: str, n: int, need: float, remedy: str = "give fewer rows") -> None:
    """Raise where there is too little memory for this many rows."""
    if not is_free(need):
        raise too_large(what, n, need, remedy)


def affordable(
    problem: Problem,
    criteria: Sequence[Criterion],
    options: CallOptions,
    lams: int | None = None,
    kernels: int | None = None,
) -> Problem | None:
    """Return the problem with as many threads as there is memory for; None if not even one.

    By default all lambdas and kernels are asked for at once.
    """
    costly = of_matrices(criteria)
    lams = len(options.regularisation.values) if lams is None else lams
    kernels = (problem.candidates.count or 1) if kernels is None else kernels
    threads = problem.threads
    while (
        costly
        and threads
        and not is_free(
            demand(
                costly,
                problem.target,
                problem.candidates.rows,
                kernels=kernels,
                lams=lams,
                threads=threads,
                landmarks=options.landmarks,
            )
        )
    ):
        threads //= 2
    return replace(problem, threads=threads) if threads else None


def afforded(problem: Problem, criteria: Sequence[Criterion], options: CallOptions) -> Problem:
    """Return the problem with as many threads as there is memory for, or refuse it."""
    fitting = affordable(problem, criteria, options)
    if fitting is not None:
        return fitting
    lams = len(options.regularisation.values)
    costly, landmarks = of_matrices(criteria), options.landmarks
    whole = [criterion for criterion in costly if criterion.needs().whole_matrices]
    remedy, model = "give fewer rows, or criteria of sums such as 'sm' and 'kta'", ""
    if not whole and problem.candidates.rows is not None:
        remedy = "give fewer rows, criteria of sums such as 'sm' and 'kta', or landmarks"
    if landmarks is not None:
        costly = whole or costly
        if not whole:
            remedy, model = "give fewer landmarks", f" with {landmarks.count} landmarks"
    need = demand(costly, problem.target, problem.candidates.rows, lams=lams, landmarks=landmarks)
    keys = ", ".join(criterion.key for criterion in costly)
    raise too_large(f"{keys}{model}", problem.target.size, need, remedy)


def verifiable(problem: Problem, verifying: Criterion, options: CallOptions) -> Problem | None:
    """Return the problem as the default election can verify it, a few lambdas at a time.

    Landmark models have all of them at once, but of one kernel after the other.
    """
    lams = len(options.regularisation.values)
    if options.landmarks is not None:
        return affordable(problem, [verifying], options, lams, 1)
    return affordable(problem, [verifying], options, min(lams, _AT_ONCE))


def elected_by_sums(
    problem: Problem, chosen: Selection, verifying: Criterion, landmarks: LandmarkOptions | None
) -> Selection:
    """Say that an election rests on criteria of sums, since exact losses cannot be had."""
    need = demand([verifying], problem.target, problem.candidates.rows, landmarks=landmarks)
    model = "" if landmarks is None else f" with {landmarks.count} landmarks"
    fewer = "" if problem.candidates.rows is None else " or landmarks"
    warn_caller(
        f"decided by {chosen.criterion} alone: {verifying.key}{model} of {problem.target.size} "
        f"rows {compared(need, free_memory())}; give fewer rows{fewer} to have a shortlist verified"
    )
    return chosen
