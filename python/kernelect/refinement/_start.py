"""Where a refinement sets out from: a kernel that has something to refine, and a lambda."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from .._support.arguments import shown
from ..kernels import Kernel
from ..kernels._parameters import Parameters
from ..results import Refinement, Selection
from ._descent import Way


def kernel_of(start: Any) -> Kernel | None:
    """Return the kernel to set out from; None where it is still to be elected."""
    if start is None:
        return None
    kernel = start.kernel if isinstance(start, Selection) else start
    if not isinstance(kernel, Kernel):
        why = (
            "derivatives of a function are not known"
            if callable(start)
            else ("give the kernel with its width, such as Gaussian(1.0)")
        )
        raise TypeError(f"start must be a kernel or a Selection, not {shown(start)}; {why}")
    return kernel


def hindrance_of(kernel: Kernel) -> str | None:
    """Say why there is nothing in a kernel to refine, where that is so."""
    if not kernel.in_core:
        return f"the derivatives of {kernel!r} are not known; start from a kernel of this library"
    if not Parameters(kernel).items:
        return (
            f"{kernel!r} has no parameters to refine; start from one with a width, such as "
            "Gaussian(1.0)"
        )
    return None


def kept(begun: Selection, criterion: str, reason: str) -> Selection:
    """Return an election whose winner has nothing to refine: others among its candidates had."""
    nan = math.nan
    made = Refinement(begun.kernel, begun.lam, criterion, False, reason, nan, nan, nan, 0, {})
    return replace(begun, refinement=made)


def lambda_of(begun: Selection, lam: Any, way: Way) -> float | None:
    """Return the lambda to set out from; None where none is known, or the criterion has none."""
    if way.goal.ridge is None:
        return None
    if not isinstance(lam, str):
        return float(lam)
    if begun.lam is not None:
        return begun.lam
    return None if begun.model is None else begun.model.lam
