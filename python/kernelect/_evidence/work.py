"""What every kind of evidence is made from, and the options of the call it is made for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._dask.rows import all_here
from .._data.rows import Program, Rows, Tables, make_sample, stored_program
from .._data.splits import Splits
from .._data.target import Target
from .._dispatch import core
from .._support.arrays import FloatArray, IntArray
from .._support.memory import can_be_stored
from .._support.progress import Tick
from ..criteria import CoreCriterion
from ..kernels import Kernel
from .regularisation import Regularisation


@dataclass(frozen=True)
class LandmarkOptions:
    """That ridge systems are those of landmark models.

    Attributes
    ----------
    count : int
        The most landmarks of a kernel.
    seed : int
        Decides which rows are looked at.
    grows : bool
        Whether the default election may take twice as many where these are too few.
    pivoted : bool
        Whether they are chosen to see most of the kernel, where they precondition; otherwise to
        predict best.
    """

    count: int
    seed: int = 0
    grows: bool = False
    pivoted: bool = False


@dataclass(frozen=True)
class SampleOptions:
    """That sums over pairs of rows are estimated by some rows against all.

    Attributes
    ----------
    count : int or None
        How many rows; None for as many as it takes to tell which candidates are best.
    seed : int
        Decides which rows.
    start : CoreCriterion or None
        The one closed form to wait for where kernels are in order, as its best candidate is where
        a walk among them begins; None where the best of all are asked for.
    """

    count: int | None = None
    seed: int = 0
    start: CoreCriterion | None = None


@dataclass(frozen=True)
class CallOptions:
    """What a call says about the models behind its criteria.

    Attributes
    ----------
    regularisation : Regularisation
        Lambdas, their convention, and the bias term.
    splits : Splits
        How rows are held out.
    shortcuts : bool
        Whether kernels of low rank may be factored by cheaper ways to the same numbers.
    landmarks : LandmarkOptions or None
        Whether ridge systems are those of landmark models in place of whole matrices.
    sample : SampleOptions or None
        Whether sums over pairs are estimated in place of taken of all.
    """

    regularisation: Regularisation
    splits: Splits = field(default_factory=Splits, repr=False, compare=False)
    shortcuts: bool = True
    landmarks: LandmarkOptions | None = None
    sample: SampleOptions | None = None


class Views:
    """Rows, and the tables of them that kernels read, made when the first is asked for."""

    def __init__(self, rows: Rows | None, tables: Tables) -> None:
        self.rows, self._tables = rows, tables

    @cached_property
    def tables(self) -> list[Rows]:
        """The tables of all rows."""
        return self._tables.of(all_here(self.rows))


@dataclass(frozen=True)
class Work:
    """The kernels with their rows or their matrix, and the target.

    A kernel that the core does not know has an empty program where its matrix is not made.
    """

    kernels: list[Kernel]
    programs: list[Program]
    views: Views
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
            [kernel._program(tables) if kernel.in_core else [] for kernel in kernels]
            if matrix is None
            else [stored_program()]
        )
        views = Views(rows, tables)
        return cls(list(kernels), programs, views, target, threads, tick, matrix)

    def take(self, places: Sequence[int], tick: Tick | None) -> Work:
        """Make the same work for some of the kernels."""
        return replace(
            self,
            kernels=[self.kernels[place] for place in places],
            programs=[self.programs[place] for place in places],
            tick=tick,
        )

    @property
    def rows(self) -> Rows:
        """The rows as they were given; None where there is a matrix alone."""
        return self.views.rows

    def between(self, at: slice | IntArray, landmarks: IntArray) -> Any:
        """Return what a landmark model reads of some rows: they, or entries of the matrix."""
        if self.matrix is not None:
            if isinstance(at, slice):
                values = self.matrix[at][:, landmarks]
            else:
                values = self.matrix[np.ix_(at, landmarks)]
            return np.ascontiguousarray(values), np.diagonal(self.matrix)[at].copy()
        all_rows = isinstance(at, slice) and at == slice(0, self.target.size)
        return self.rows if all_rows else self.rows[at]

    @property
    def stored(self) -> bool:
        """Whether a kernel matrix on these rows is small enough to be kept."""
        return can_be_stored(self.target.size)

    def _sample(self, codes: NDArray[np.int64]) -> core.Sample:
        sample = make_sample(self.views.tables, codes)
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
