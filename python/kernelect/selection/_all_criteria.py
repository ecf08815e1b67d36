"""All criteria at once: which those are for a target."""

from __future__ import annotations

from .._data.target import Target
from .._support.remedy import worded
from .._support.warning import warn_caller
from ..criteria import Criterion, get, names

_SMALL = 1000  # rows up to which those of n^3 are a matter of seconds


def all_that_fit(target: Target) -> list[Criterion]:
    """Every criterion that fits; of many rows only those whose time grows as n^2, and say so."""
    fitting = [get(name) for name in names(target.task, target.n_classes)]
    if target.size <= _SMALL:
        return fitting
    expensive = ", ".join(criterion.name for criterion in fitting if criterion.cubic)
    left_out = (
        f"leaves out {expensive}, whose time grows as the cube of the rows; name those you want"
    )
    many = f"of more than {_SMALL} rows"
    warn_caller(
        worded(
            UserWarning, f"{many} criteria='all' {left_out}", f"{many} --criteria all {left_out}"
        )
    )
    return [criterion for criterion in fitting if not criterion.cubic]
