"""What a method of kernel learning is given."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..._data.target import Target
from ..._support.arrays import FloatArray
from .._bases import Bases, BaseStack
from .._machines import Machine

# Share of the tolerance that leaves a descent its digits.
_OF_TOL = 0.01


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
class WeightProblem:
    """Base kernels on a sample, a machine with its target, and what is wanted.

    Attributes
    ----------
    bases : Bases
        The kernels.
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
        What a method found besides the weights: ``lam``, ``t`` and ``cv_results`` of FKL.
    """

    bases: Bases
    machine: Machine
    target: Target
    settings: Settings
    tol: float
    max_iter: int
    notes: dict[str, Any] = field(default_factory=dict)

    @property
    def slack(self) -> float:
        """How well values must be known, relative to them, for a descent to the tolerance."""
        return _OF_TOL * self.tol

    @property
    def stack(self) -> BaseStack:
        """The kernels' matrices on all rows."""
        return self.bases.stack()

    def uniform(self) -> FloatArray:
        """Equal weights that add up to 1."""
        return np.full(self.stack.size, 1.0 / self.stack.size)
