"""What a method of kernel learning is given."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._data.target import Target
from ._bases import Bases, Stack
from ._machines import Machine

FloatArray = NDArray[np.float64]


def check_number(value: Any, name: str, *, zero: bool) -> float:
    """Check a finite number that is positive, or zero where that is allowed."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise TypeError(f"{name} must be a number, not {value!r}")
    if not np.isfinite(value) or value < 0 or (value == 0 and not zero):
        wanted = "zero or a positive number" if zero else "a positive number"
        raise ValueError(f"{name} must be {wanted}, not {value!r}")
    return float(value)


def check_count(value: Any, name: str) -> int:
    """Check a number of things."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise ValueError(f"{name} must be a whole number of at least 1, not {value!r}")
    return int(value)


@dataclass(frozen=True)
class Settings:
    """Parameters of the methods; see `MKLClassifier` for their meaning."""

    lam: Any = 1.0
    t: Any = 4
    cv: Any = 3
    projection: str = "euclidean"
    p: float | None = None
    form: str = "sum"
    penalty: str = "l1"
    penalty_weight: float = 1.0
    r: int = 2
    normalization: str = "trace"
    eta: float = 1.0
    folds: Any = 5


@dataclass
class Problem:
    """Base kernels on a sample, a machine with its target, and what is wanted.

    Attributes
    ----------
    bases, stack : Bases, Stack
        The kernels, and their matrices on all rows.
    machine : Machine
        The learner with the target.
    target : Target
        What is to be predicted, for folds.
    settings : Settings
        Parameters of the method.
    tol : float
        Tolerance relative to ``max(1, |objective|)``.
    max_iter : int
        Most machines, or steps, in one descent.
    notes : dict
        What a method wants to tell besides the weights, such as the lam it chose.
    """

    bases: Bases
    stack: Stack
    machine: Machine
    target: Target
    settings: Settings
    tol: float
    max_iter: int
    notes: dict[str, Any] = field(default_factory=dict)

    def uniform(self) -> FloatArray:
        """Equal weights that add up to 1."""
        return np.full(self.stack.size, 1.0 / self.stack.size)
