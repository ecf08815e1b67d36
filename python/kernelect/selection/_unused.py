"""Arguments that play no part in what was asked for, which is said and not passed over."""

from __future__ import annotations

from collections.abc import Sequence

from .._evidence.work import CallOptions
from .._support.arguments import is_whole
from .._support.remedy import worded
from .._support.warning import warn_caller
from ..criteria import Criterion, Folds, Needs

_OPTIONS = {
    "lam": "--lam",
    "lam_convention": "--lam-convention",
    "bias": "--no-bias",
    "folds": "--folds",
    "groups": "--groups",
    "landmarks": "--landmarks",
    "sample": "--sample",
}


def warn_about_unused(criteria: Sequence[Criterion], options: CallOptions) -> None:
    """Warn about arguments that none of the criteria is a function of."""
    if not any(criterion.regularised for criterion in criteria):
        _warn(options.regularisation.changed, criteria, "criteria that fit a model, such as 'loo'")
        if options.landmarks is not None:
            _warn(["landmarks"], criteria, "criteria that fit a model, such as 'loo'")
    needs = Needs.of(criteria)
    if options.sample is not None and not needs.moments:
        _warn(["sample"], criteria, "criteria of sums over pairs of rows, such as 'sm'")
    requests = [*needs.folds, *(series.folds for series in needs.series)]
    unused = [
        name
        for name in ("folds", "groups")
        if getattr(options.splits, name) is not None
        and (not requests or (name == "folds" and all(r.splits is not None for r in requests)))
    ]
    _warn(unused, criteria, "criteria that hold out folds, such as 'cv', and for 'auto' of select")
    if requests and options.splits.groups is not None and not _heeds_groups(options, requests):
        warn_caller("groups plays no part where folds are pairs of indices; pass one of the two")


def _heeds_groups(options: CallOptions, requests: Sequence[Folds]) -> bool:
    """Whether any folds are still to be made; a splitter that heeds no groups says so itself."""
    made_of = [options.splits.folds if r.splits is None else r.splits for r in requests]
    return any(one is None or is_whole(one) or hasattr(one, "split") for one in made_of)


def _warn(names: list[str], criteria: Sequence[Criterion], those: str) -> None:
    if not names:
        return
    keys = ", ".join(criterion.key for criterion in criteria)
    several = len(names) > 1
    text = f"{'play' if several else 'plays'} no part in {keys}; "
    text += f"{'they are' if several else 'it is'} for {those}"
    in_python = f"{' and '.join(names)} {text}"
    on_command_line = f"{' and '.join(_OPTIONS[name] for name in names)} {text}"
    warn_caller(worded(UserWarning, in_python, on_command_line))
