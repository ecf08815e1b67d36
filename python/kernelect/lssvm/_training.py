"""What a learner is fitted to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._data.target import Target
from .._evidence.work import CallOptions
from .._support.deadline import Deadline
from .._support.progress import Tick


@dataclass(frozen=True)
class Iteration:
    """How far an iterative solver goes.

    Attributes
    ----------
    tol : float
        The largest relative residual.
    most : int
        The most passes over the kernel.
    """

    tol: float
    most: int


@dataclass(frozen=True)
class Training:
    """What a learner is fitted to, checked, and how.

    Attributes
    ----------
    X : ndarray or sparse matrix
        Rows, or the kernel matrix where that is given.
    target : Target
        What is to be predicted, with weights of the rows.
    options : CallOptions
        Lambda as the caller wants it.
    scaling : str
        What a fixed lambda is relative to.
    threads : int
        Threads of the core.
    tick : callable or None
        Progress.
    columns : list of str or None
        Names of the columns, where they have some.
    deadline : Deadline or None
        When the fit is to be done.
    iteration : Iteration or None
        How far an iterative solver goes, where that is the one.
    per_target : bool
        Whether every target has a lambda of its own, as those of one kernel may.
    """

    X: Any
    target: Target
    options: CallOptions
    scaling: str = "none"
    threads: int = 1
    tick: Tick | None = None
    columns: list[str] | None = None
    deadline: Deadline | None = None
    iteration: Iteration | None = None
    per_target: bool = False

    @property
    def relative(self) -> bool:
        """Whether a lambda that was given goes by each kernel's own scale."""
        return self.options.regularisation.single and self.scaling == "centered"

    def listening(self, shown: Tick | None = None) -> Tick | None:
        """Return what shows progress and ends the fit when time is up."""
        return shown if self.deadline is None else self.deadline.tick(shown)

    def at(self, lam: float) -> CallOptions:
        """Return the options with a lambda that goes with a kernel as it is."""
        regularisation = replace(
            self.options.regularisation, values=np.array([lam]), single=True, relative=False
        )
        return replace(self.options, regularisation=regularisation)
