"""The methods by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

from ..._support.arguments import did_you_mean, is_number, shown
from ..._support.warning import warn_caller
from .._solvers.convex import Learned
from .alignment import learn_align, learn_align_linear, learn_alignf
from .fkl import learn_fkl, learn_simple
from .gmkl import learn_sum
from .lp import learn_lp
from .nlmkl import learn_nlmkl
from .spectral import learn_sm
from .stability import learn_ks
from .weight_problem import Settings, WeightProblem


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

# The parameters that a method is a function of, among those that not all have.
SETTINGS: dict[str, tuple[str, ...]] = {
    "fkl": ("lam", "t", "cv", "projection"),
    "gmkl": ("form", "penalty", "penalty_weight"),
    "lp": ("p",),
    "nlmkl": ("p",),
    "sm": ("p", "r", "normalization"),
    "ks": ("p", "eta", "folds"),
}

# Methods whose weights are the solution of one problem that is solved directly.
DIRECT = ("align", "alignf", "align_linear", "average")
MAX_ITER = 200  # the default of the estimators


def warn_about_unused(method: str, settings: Settings, max_iter: int) -> None:
    """Warn about parameters that are not at their default and play no part in a method."""
    if method in DIRECT and max_iter != MAX_ITER:
        warn_caller(f"max_iter plays no part in method {method!r}, which does not iterate")
    used = SETTINGS.get(method, ())
    if method == "fkl" and is_number(settings.lam) and is_number(settings.t):
        used = tuple(name for name in used if name != "cv")
    usual = Settings()
    without = method == "fkl" and is_number(settings.lam) and settings.lam == 0.0
    if without and settings.t != usual.t:
        warn_caller("t plays no part where lam is 0")
    names = [
        item.name
        for item in fields(Settings)
        if item.name not in used and getattr(settings, item.name) != getattr(usual, item.name)
    ]
    if names:
        where = "where lam and t are numbers" if names == ["cv"] and method == "fkl" else ""
        owners = {owner for owner, own in SETTINGS.items() if set(names) & set(own)}
        rest = where or f"in method {method!r}; see {', '.join(map(repr, sorted(owners)))}"
        warn_caller(f"{' and '.join(names)} {'play' if len(names) > 1 else 'plays'} no part {rest}")


def check_method(name: object) -> str:
    """Check the name of a method."""
    if not isinstance(name, str) or name not in METHODS:
        raise ValueError(f"unknown method {shown(name)}; {did_you_mean(name, list(METHODS))}")
    return name
