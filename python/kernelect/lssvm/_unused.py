"""Arguments of learners that play no part in the fit asked for, which is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._evidence.work import CallOptions
from .._support.remedy import worded
from .._support.warning import warn_caller
from ..selection._auto import judge
from ..selection._unused import warn_about_unused


def warn_without_part(learner: Any, options: CallOptions, electing: Sequence[str]) -> None:
    """Say which arguments play no part in what is left to choose."""
    splits = options.splits
    elects = isinstance(learner.kernel, str) and learner.kernel in electing
    if isinstance(learner.lam, str) or elects:
        warn_about_unused([judge(splits)], options)
    elif splits.given:
        names = [name for name in ("folds", "groups") if getattr(splits, name) is not None]
        text = "no part where kernel and lam are given; pass 'auto' for what held-out losses are "
        text += "to choose"
        ways = [f"{_play(told)} {text}" for told in (names, [f"--{name}" for name in names])]
        warn_caller(worded(UserWarning, *ways))
    if isinstance(learner.lam, str) and learner.kernel_scaling != "none":
        warn_caller(
            f"kernel_scaling={learner.kernel_scaling!r} plays no part with lam='auto', which goes "
            "by the kernel's own scale; it is for a number"
        )


def warn_without_iteration(learner: Any, usual: Mapping[str, float]) -> None:
    """Say which arguments of an iteration are given where there is none."""
    given = [name for name, value in usual.items() if getattr(learner, name) != value]
    if given:
        warn_caller(
            f"{_play(given)} no part in an exact fit or one with landmarks; use solver='iterative'"
        )


def _play(names: Sequence[str]) -> str:
    return f"{' and '.join(names)} {'play' if len(names) > 1 else 'plays'}"
