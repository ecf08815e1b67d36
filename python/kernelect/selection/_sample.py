"""Whether sums over pairs of rows are taken of all, or estimated by some rows against all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .._evidence.sampled.evidence import check_sampled
from .._evidence.work import CallOptions, SampleOptions
from .._support.arguments import check_whole, is_whole, shown
from .._support.remedy import Remedy, advised
from ..criteria import Criterion, Needs
from ._landmarks import seed_of
from ._problem import Problem


def with_sample(
    sample: Any,
    problem: Problem,
    criteria: Sequence[Criterion],
    options: CallOptions,
    random_state: Any,
) -> CallOptions:
    """Return the options with the sample of rows that was asked for."""
    if sample is None:
        return options
    by_name = isinstance(sample, str) and sample == "auto"
    if not by_name and not is_whole(sample):
        raise TypeError(
            f"sample must be a whole number of rows, 'auto' or None, not {shown(sample)}"
        )
    n = problem.target.size
    if not by_name and check_whole(sample, "sample", least=1) > n:
        remedy = Remedy(
            "give fewer, or None for all pairs of rows",
            "give fewer, or leave --sample out for all pairs of rows",
        )
        raise advised(ValueError, f"sample={sample} is more than the {n} rows", remedy)
    check_sampled(Needs.of(criteria).moments)
    count = None if by_name else int(sample)
    return replace(options, sample=SampleOptions(count, seed_of(random_state)))
