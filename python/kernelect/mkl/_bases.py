"""Base kernels on a sample: stored matrices, their sums and products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._data.rows import Program, Rows, Tables, make_sample
from .._dispatch import core
from ..kernels import Kernel, WeightedSum

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

# Bytes for stored kernel matrices; larger problems compute their tiles anew in every pass.
MEMORY = 2e9


class Stack:
    """The matrices of the base kernels on some rows, for passes over all of them."""

    def __init__(
        self, sample: core.Sample, programs: list[Program], memory: float, threads: int
    ) -> None:
        self.sample, self.programs, self.threads = sample, programs, threads
        self._stack = core.KernelStack(
            sample, programs, memory=memory, threads=threads, progress=None
        )
        self.diagonals = np.array([core.diagonal(program, sample) for program in programs])
        self.size: int = self._stack.size
        self.n: int = self._stack.rows

    @property
    def stored(self) -> bool:
        """Whether the matrices are held, rather than computed anew in every pass."""
        return self._stack.stored

    def combine(self, weights: FloatArray) -> FloatArray:
        """Sum of the matrices with the given weights."""
        return self._stack.combine(np.ascontiguousarray(weights), threads=self.threads)

    def products(self, vectors: FloatArray) -> FloatArray:
        """Each matrix times each row of `vectors`: kernels x vectors x n."""
        return self._stack.products(np.ascontiguousarray(vectors), threads=self.threads)

    def inner(self, matrix: FloatArray) -> FloatArray:
        """Inner products of a symmetric matrix with each matrix."""
        return self._stack.inner(np.ascontiguousarray(matrix), threads=self.threads)

    def centred_products(self) -> FloatArray:
        """Inner products of all pairs of centred matrices."""
        return self._stack.centred_products(threads=self.threads)

    def traces(self) -> FloatArray:
        """Trace of each matrix."""
        return np.asarray(self.diagonals.sum(axis=1))

    def centred_traces(self) -> FloatArray:
        """Trace of each centred matrix, tr K - 1'K1 / n."""
        sums = self.products(np.ones((1, self.n)))[:, 0, :].sum(axis=1)
        return np.asarray(self.traces() - sums / self.n)


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
        memory: float = MEMORY,
    ) -> None:
        self.kernels, self.rows, self.matrices = list(kernels), rows, matrices
        self._threads, self._memory = threads, memory

    @property
    def n(self) -> int:
        """Number of rows."""
        if self.rows is not None:
            return int(self.rows.shape[0])
        return len(next(iter(self.matrices.values())))

    def stack(self, index: IntArray | None = None) -> Stack:
        """Matrices of all kernels on all rows, or on those of the index."""
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
            programs[k] = [("precomputed", 0.0, 0.0, 0, source)]
        return Stack(sample, programs, self._memory, self._threads)

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

    def of(self, used: IntArray, kernels: Sequence[Kernel] | None = None) -> Bases:
        """Take some of the kernels, or others in their places that have the same matrices."""
        chosen = self.kernels if kernels is None else list(kernels)
        places = {int(k): place for place, k in enumerate(used)}
        matrices = {places[k]: m for k, m in self.matrices.items() if k in places}
        return Bases([chosen[k] for k in used], self.rows, matrices, self._threads, self._memory)
