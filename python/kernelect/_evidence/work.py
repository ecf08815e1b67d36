"""What every kind of evidence is made from, and the options of the call it is made for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .._data.folds import Splits
from .._data.rows import Program, Rows, Tables, make_sample, stored_program
from .._data.target import Target
from .._dispatch import core
from .._support.arrays import FloatArray
from .._support.memory import can_be_stored
from .._support.progress import Tick
from ..kernels import Kernel
from .regularisation import Regularisation


@dataclass(frozen=True)
class CallOptions:
    """What a call says about the models behind its criteria.

    Attributes
    ----------
    regularisation : Regularisation
        Lambdas, their convention, and the bias term.
    splits : Splits
        How rows are held out.
    sample_weight : ndarray or None
        Weights of the losses.
    shortcuts : bool
        Whether kernels of low rank may be factored by cheaper ways to the same numbers.
    """

    regularisation: Regularisation
    splits: Splits = field(default_factory=Splits, repr=False, compare=False)
    sample_weight: FloatArray | None = None
    shortcuts: bool = True


@dataclass(frozen=True)
class Work:
    """The kernels with their rows or their matrix, and the target."""

    kernels: list[Kernel]
    programs: list[Program]
    tables: list[Rows]
    target: Target
    threads: int = 1
    tick: Tick | None = None
    matrix: FloatArray | None = None

    @classmethod
    def of(
        cls,
        kernels: Sequence[Kernel],
        rows: Rows | None,
        target: Target,
        *,
        matrix: FloatArray | None = None,
        threads: int = 1,
        tick: Tick | None = None,
    ) -> Work:
        """Make work of kernels on rows, or of one kernel that is a checked matrix."""
        tables = Tables()
        programs = (
            [kernel._program(tables) for kernel in kernels]
            if matrix is None
            else [stored_program()]
        )
        return cls(list(kernels), programs, tables.of(rows), target, threads, tick, matrix)

    def take(self, places: Sequence[int], tick: Tick | None) -> Work:
        """Make the same work for some of the kernels."""
        return replace(
            self,
            kernels=[self.kernels[place] for place in places],
            programs=[self.programs[place] for place in places],
            tick=tick,
        )

    @property
    def stored(self) -> bool:
        """Whether a kernel matrix on these rows is small enough to be kept."""
        return can_be_stored(self.target.size)

    def _sample(self, codes: NDArray[np.int64]) -> core.Sample:
        sample = make_sample(self.tables, codes)
        if self.matrix is not None:
            sample.add_matrix(self.matrix)
        return sample

    @cached_property
    def by_class(self) -> core.Sample:
        """The rows in the core, sorted by class."""
        return self._sample(self.target.codes)

    @cached_property
    def as_given(self) -> core.Sample:
        """The rows in the core, in the caller's order."""
        return self._sample(np.zeros(self.target.size, dtype=np.int64))
