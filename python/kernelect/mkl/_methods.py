"""The methods by name."""

from __future__ import annotations

from collections.abc import Callable

from .._support.arguments import did_you_mean, shown
from ._alignment import learn_align, learn_align_linear, learn_alignf
from ._convex import Learned
from ._fkl import learn_fkl, learn_simple
from ._gmkl import learn_sum
from ._lp import learn_lp
from ._nlmkl import learn_nlmkl
from ._spectral import learn_sm
from ._stability import learn_ks
from ._weight_problem import WeightProblem


def learn_average(problem: WeightProblem) -> Learned:
    """Equal weights, the baseline that every other method must beat."""
    weights = problem.uniform()
    K = problem.stack.combine(weights)
    solution = problem.machine.solve_to(K, problem.tol)
    z = solution.z
    value = solution.h - 0.5 * float((z * (z @ K)).sum())
    return Learned(weights, [value], solution.slack, 1, True, solution)


METHODS: dict[str, Callable[[WeightProblem], Learned]] = {
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
        raise ValueError(f"unknown method {shown(name)}; {did_you_mean(name, list(METHODS))}")
    return name
