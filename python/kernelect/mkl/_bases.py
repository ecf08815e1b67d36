"""Base kernels on a sample: stored matrices, their sums and products."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

import numpy as np

from .._data.rows import Program, Rows, Tables, make_sample, stored_program
from .._dispatch import core
from .._support.arrays import FloatArray, IntArray
from ..kernels import Kernel, WeightedSum
from ._clock import tick

# Methods take squares of entries and of sums of them; between this and its inverse these are safe.
LARGEST = 1e140
# Bytes for stored kernel matrices; larger problems compute their tiles anew in every pass.
MEMORY = 2e9


class BaseStack:
    """The matrices of the base kernels on some rows, for passes over all of them."""

    def __init__(
        self, sample: core.Sample, programs: list[Program], memory: float, threads: int
    ) -> None:
        self.sample, self.programs, self.threads = sample, programs, threads
        self._memory = memory
        self._stack = core.KernelStack(
            sample, programs, memory=memory, threads=threads, progress=tick()
        )
        self.diagonals = np.array([core.diagonal(program, sample) for program in programs])
        # Which of the matrices made are meant, and what each is multiplied by.
        self._places = np.arange(len(programs))
        self._factors = np.ones(len(programs))
        self._centred_traces: FloatArray | None = None

    @property
    def size(self) -> int:
        """Number of kernels."""
        return len(self.programs)

    @property
    def n(self) -> int:
        """Number of rows."""
        return self._stack.rows

    @property
    def stored(self) -> bool:
        """Whether the matrices are held, rather than computed anew in every pass."""
        return self._stack.stored

    def of(self, places: IntArray, factors: FloatArray | None = None) -> BaseStack:
        """Take some of the kernels, times factors where given, without making their matrices anew.

        Stored matrices are shared, and those of the kernels left out go on taking part in passes,
        which costs less than to make the others a second time. `programs` are without the factors.
        """
        factors = np.ones(self.size) if factors is None else factors
        programs = [self.programs[k] for k in places]
        if self.stored:
            part = copy(self)
            part._places = self._places[places]
            part.programs, part.diagonals = programs, self.diagonals[places]
        else:
            part = BaseStack(self.sample, programs, self._memory, self.threads)
        part.diagonals = factors[places, None] * self.diagonals[places]
        part._factors = (factors * self._factors)[places]
        if self._centred_traces is not None:
            part._centred_traces = (factors * self._centred_traces)[places]
        return part

    def combine(self, weights: FloatArray) -> FloatArray:
        """Sum of the matrices with the given weights."""
        spread = np.zeros(self._stack.size)
        spread[self._places] = weights * self._factors
        return self._stack.combine(spread, threads=self.threads, progress=tick())

    def products(self, vectors: FloatArray) -> FloatArray:
        """Each matrix times each row of `vectors`: kernels x vectors x n."""
        vectors = np.ascontiguousarray(vectors)
        made = self._stack.products(vectors, threads=self.threads, progress=tick())
        return self._meant(made, self._factors[:, None, None])

    def inner(self, matrix: FloatArray) -> FloatArray:
        """Inner products of a symmetric matrix with each matrix."""
        matrix = np.ascontiguousarray(matrix)
        made = self._stack.inner(matrix, threads=self.threads, progress=tick())
        return self._meant(made, self._factors)

    def centred_products(self) -> FloatArray:
        """Inner products of all pairs of centred matrices."""
        made = self._stack.centred_products(threads=self.threads, progress=tick())
        return self._meant(made[:, self._places], np.outer(self._factors, self._factors))

    def _meant(self, made: FloatArray, factors: FloatArray) -> FloatArray:
        """Take the parts of a pass that belong to the kernels meant, and scale them."""
        if self._stack.size == self.size and (self._factors == 1.0).all():
            return made
        return np.asarray(factors * made[self._places])

    def traces(self) -> FloatArray:
        """Trace of each matrix."""
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(self.diagonals.sum(axis=1))

    def centred_traces(self) -> FloatArray:
        """Trace of each centred matrix, tr K - 1'K1 / n; not finite where an entry is not."""
        if self._centred_traces is None:
            with np.errstate(over="ignore", invalid="ignore"):
                sums = self.products(np.ones((1, self.n)))[:, 0, :].sum(axis=1)
                self._centred_traces = np.asarray(self.traces() - sums / self.n)
        return self._centred_traces


class Bases:
    """Base kernels with the rows, or the matrices, that they are computed from.

    Kernels that the core does not know come as matrices on all rows, by their place in the list.
    """

    def __init__(
        self,
        kernels: Sequence[Kernel],
        rows: Rows | None,
        matrices: dict[int, FloatArray],
        threads: int,
        memory: float | None = None,
    ) -> None:
        self.kernels, self.rows, self.matrices = list(kernels), rows, matrices
        self._threads = threads
        self._memory = MEMORY if memory is None else memory
        self._whole: BaseStack | None = None

    @property
    def n(self) -> int:
        """Number of rows."""
        if self.rows is not None:
            return int(self.rows.shape[0])
        return len(next(iter(self.matrices.values())))

    def stack(self, index: IntArray | None = None) -> BaseStack:
        """Matrices of all kernels on all rows, which are made once, or on those of the index."""
        if index is not None:
            return self._make_stack(index)
        if self._whole is None:
            self._whole = self._make_stack(None)
        return self._whole

    def _make_stack(self, index: IntArray | None) -> BaseStack:
        tables = Tables()
        programs: list[Program] = [
            [] if k in self.matrices else kernel._program(tables)
            for k, kernel in enumerate(self.kernels)
        ]
        made: list[Any] = []
        if self.rows is not None:
            made = tables.of(self.rows if index is None else self.rows[index])
        count = self.n if index is None else len(index)
        sample = make_sample(made, np.zeros(count, dtype=np.int64))
        for source, (k, matrix) in enumerate(self.matrices.items(), start=len(made)):
            part = matrix if index is None else np.ascontiguousarray(matrix[np.ix_(index, index)])
            sample.add_matrix(part)
            programs[k] = stored_program(source)
        return BaseStack(sample, programs, self._memory, self._threads)

    def cross(self, weights: FloatArray, left: IntArray, right: IntArray) -> FloatArray:
        """Weighted sum of the kernels between two sets of rows."""
        total = np.zeros((len(left), len(right)))
        inside = [k for k in np.flatnonzero(weights) if k not in self.matrices]
        if inside and self.rows is not None:
            kernel = WeightedSum([self.kernels[k] for k in inside], weights[inside], signed=True)
            total += kernel(self.rows[left], self.rows[right])
        for k, matrix in self.matrices.items():
            if weights[k] != 0.0:
                total += weights[k] * matrix[np.ix_(left, right)]
        return total

    def of(self, used: Sequence[int]) -> Bases:
        """Take some of the kernels; their matrices are not made anew."""
        if list(used) == list(range(len(self.kernels))):
            return self
        places = {int(k): place for place, k in enumerate(used)}
        matrices = {places[k]: m for k, m in self.matrices.items() if k in places}
        kernels = [self.kernels[k] for k in used]
        part = Bases(kernels, self.rows, matrices, self._threads, self._memory)
        if self._whole is not None:
            part._whole = self._whole.of(np.array(used))
        return part

    def of_usable(self, largest: float) -> tuple[Bases, IntArray]:
        """Take the kernels with finite entries of at most this size, and say which they are.

        Those of less than its inverse are left out too. They must not stay in a stack that is
        shared, where they would take part in passes with weight 0: 0 times infinity is no number.
        """
        traces, centred = self.stack().traces(), self.stack().centred_traces()
        usable = np.isfinite(centred) & (traces <= largest)
        usable &= (traces == 0.0) | (traces >= 1.0 / largest)
        places = np.flatnonzero(usable)
        if not usable.all():
            self._whole = None
        return self.of([int(k) for k in places]), places

    def times(self, factors: FloatArray) -> Bases:
        """Multiply each kernel by a factor; their matrices are not made anew where that is safe."""
        kernels = [float(f) * kernel for f, kernel in zip(factors, self.kernels, strict=True)]
        matrices = {k: factors[k] * matrix for k, matrix in self.matrices.items()}
        scaled = Bases(kernels, self.rows, matrices, self._threads, self._memory)
        # A stack multiplies what its passes give, and squares of very large entries overflow there.
        safe = (factors >= 1.0 / LARGEST) & (factors <= LARGEST)
        if self._whole is not None and safe.all():
            scaled._whole = self._whole.of(np.arange(len(kernels)), factors)
        return scaled
