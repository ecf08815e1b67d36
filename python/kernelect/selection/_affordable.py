"""What there is memory for: exact evidence of whole kernel matrices, or not.

The one place where that is decided: where exact losses cannot be had, the default election says so
by `elected_by_sums`, and `evaluate`, `select` by a criterion of that kind and the learners refuse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Any

from .._data.rows import is_sparse
from .._data.target import Target
from .._evidence.work import CallOptions
from .._support.memory import free_memory
from .._support.warning import warn_caller
from ..criteria import Criterion, Needs
from ..results import Selection
from ..results._memory import Call
from ._problem import Problem

# Less than this is always there.
_LITTLE = 2.5e8
# The share of free memory that may be taken, and lambdas that a search asks for at once.
_SHARE, _AT_ONCE = 0.9, 3


def demand(
    criteria: Sequence[Criterion],
    target: Target,
    rows: Any,
    *,
    kernels: int = 1,
    lams: int = 1,
    threads: int = 1,
) -> float:
    """Bytes that the evidence for some criteria takes."""
    columns = sum(getattr(rows, "shape", ())[1:])  # none where rows are objects or matrices given
    entries = int(rows.nnz) if is_sparse(rows) else None
    classes = target.n_classes or len(target.values)
    call = Call(target.size, columns, entries, kernels, classes, lams, threads)
    return call.needs(reduce(or_, (criterion.needs() for criterion in criteria)))


def of_matrices(criteria: Sequence[Criterion], options: CallOptions) -> list[Criterion]:
    """Return those criteria that neither sums over tiles nor landmarks are enough for."""

    def whole(needs: Needs) -> bool:
        return needs.spectrum or needs.matrices or (needs.ridge and options.landmarks is None)

    return [criterion for criterion in criteria if whole(criterion.needs())]


def is_free(need: float) -> bool:
    """Whether this much memory may be taken."""
    return need <= _LITTLE or need <= _SHARE * free_memory()


def too_large(what: str, n: int, need: float, remedy: str) -> MemoryError:
    """Return the error that there is too little memory for so many rows."""
    free = free_memory()
    return MemoryError(
        f"{what} of {n} rows takes about {need / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB "
        f"are free; {remedy}"
    )


def affordable(
    problem: Problem, criteria: Sequence[Criterion], options: CallOptions, lams: int | None = None
) -> Problem | None:
    """Return the problem with as many threads as there is memory for; None if not even one."""
    dear = of_matrices(criteria, options)
    if not dear:
        return problem
    lams = len(options.regularisation.values) if lams is None else lams
    kernels, rows, threads = problem.candidates.count or 1, problem.candidates.rows, problem.threads
    while threads and not is_free(
        demand(dear, problem.target, rows, kernels=kernels, lams=lams, threads=threads)
    ):
        threads //= 2
    return replace(problem, threads=threads) if threads else None


def afforded(problem: Problem, criteria: Sequence[Criterion], options: CallOptions) -> Problem:
    """Return the problem with as many threads as there is memory for, or refuse it."""
    fitting = affordable(problem, criteria, options)
    if fitting is not None:
        return fitting
    lams = len(options.regularisation.values)
    dear = of_matrices(criteria, options)
    need = demand(dear, problem.target, problem.candidates.rows, lams=lams)
    keys = ", ".join(criterion.key for criterion in dear)
    remedy = "give fewer rows, criteria of sums such as 'sm' and 'kta', or landmarks in evaluate"
    raise too_large(keys, problem.target.size, need, remedy)


def verifiable(problem: Problem, verifying: Criterion, options: CallOptions) -> Problem | None:
    """Return the problem as the default election can verify it, a few lambdas at a time."""
    lams = min(len(options.regularisation.values), _AT_ONCE)
    return affordable(problem, [verifying], options, lams)


def elected_by_sums(problem: Problem, chosen: Selection, verifying: Criterion) -> Selection:
    """Say that an election rests on criteria of sums, since exact losses cannot be had."""
    need = demand([verifying], problem.target, problem.candidates.rows)
    warn_caller(
        f"decided by {chosen.criterion} alone: {verifying.key} of {problem.target.size} rows takes "
        f"about {need / 1e9:.1f} GB of memory, and {free_memory() / 1e9:.1f} GB are free; give "
        "fewer rows to have a shortlist verified"
    )
    return chosen
