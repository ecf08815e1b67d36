"""The methods by name."""

from __future__ import annotations

import difflib
from collections.abc import Callable

from ._alignment import learn_align, learn_align_linear, learn_alignf
from ._convex import Learned
from ._fkl import learn_fkl, learn_simple
from ._gmkl import learn_sum
from ._lp import learn_lp
from ._nlmkl import learn_nlmkl
from ._problem import Problem
from ._spectral import learn_sm
from ._stability import learn_ks


def learn_average(problem: Problem) -> Learned:
    """Equal weights, the baseline that every other method must beat."""
    weights = problem.uniform()
    K = problem.stack.combine(weights)
    solution = problem.machine.solve_to(K, problem.tol)
    z = solution.z
    value = solution.h - 0.5 * float((z * (z @ K)).sum())
    return Learned(weights, [value], solution.slack, 1, True, solution)


METHODS: dict[str, Callable[[Problem], Learned]] = {
    "fkl": learn_fkl,
    "simple": learn_simple,
    "gmkl": learn_sum,
    "lp": learn_lp,
    "nlmkl": learn_nlmkl,
    "align": learn_align,
    "alignf": learn_alignf,
    "align_linear": learn_align_linear,
    "sm": learn_sm,
    "ks": learn_ks,
    "average": learn_average,
}


def check_method(name: object) -> str:
    """Check the name of a method."""
    if not isinstance(name, str) or name not in METHODS:
        near = difflib.get_close_matches(str(name), METHODS, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(METHODS)}"
        raise ValueError(f"unknown method {name!r}; {hint}")
    return name
