"""A kernel on the training rows and on a few of them, through its products alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..._data.rows import Tables, make_sample
from ..._dispatch import core
from ..._evidence.landmarks.model import Landmarks
from ..._evidence.own_values import own_values
from ..._support.arrays import FloatArray
from ..._support.progress import Tick
from ...kernels._chunks import kernels_times, row_chunks


class StreamedKernel:
    """Products with K = k(X, X) and k(X, Z); vectors are the rows of what is given.

    No matrix of n columns is stored: the core makes its tiles anew for each product.
    """

    def __init__(self, landmarks: Landmarks, X: Any, threads: int) -> None:
        self.landmarks, self.threads, self._rows = landmarks, threads, X
        self._kernel = landmarks.kernel
        if self._kernel.in_core:
            tables = Tables()
            self._program = self._kernel._program(tables)
            self._all = make_sample(tables.of(X))
            self._few = make_sample(tables.of(landmarks.rows), like=self._all)

    def times(self, vectors: FloatArray, tick: Tick | None) -> FloatArray:
        """Return K v for every vector v."""
        if self._kernel.in_core:
            given = np.ascontiguousarray(vectors)
            how: dict[str, Any] = {"threads": self.threads, "progress": tick}
            return core.kernel_products(self._all, self._program, given, **how)
        parts = []
        for part in row_chunks(self._rows.shape[0], self._rows.shape[0]):
            parts.append(vectors @ self._kernel(self._rows, self._rows[part]))
            if tick is not None:
                tick(part.stop / self._rows.shape[0])
        return np.concatenate(parts, axis=1)

    @property
    def size(self) -> int:
        """Number of rows."""
        return int(self._rows.shape[0])

    def outputs(self, landmarks: Landmarks, vectors: FloatArray) -> FloatArray:
        """Return K v for vectors that are 0 but at some landmarks."""
        own = np.ascontiguousarray(vectors[:, landmarks.numbers].T)
        return kernels_times([self._kernel], self._rows, landmarks.rows, [own]).T

    def to_landmarks(self, vectors: FloatArray) -> FloatArray:
        """Return k(Z, X) v for every v, of all rows."""
        if self._kernel.in_core:
            return self._between(self._all, self._few, vectors)
        rows = self._rows
        return np.asarray(
            sum(vectors[:, p] @ self._kernel(rows[p], self.landmarks.rows) for p in self._parts())
        )

    def from_landmarks(self, vectors: FloatArray) -> FloatArray:
        """Return k(X, Z) v for every v, of the landmarks."""
        if self._kernel.in_core:
            return self._between(self._few, self._all, vectors)
        parts = [vectors @ self._kernel(self.landmarks.rows, self._rows[p]) for p in self._parts()]
        return np.concatenate(parts, axis=1)

    def _between(self, own: core.Sample, others: core.Sample, vectors: FloatArray) -> FloatArray:
        given = [np.ascontiguousarray(vectors)]
        found = core.cross_products([self._program], own, others, given, threads=self.threads)
        return np.ascontiguousarray(found.T)

    def _parts(self) -> Iterator[slice]:
        return row_chunks(self._rows.shape[0], self.landmarks.size)

    def own(self, part: slice) -> FloatArray:
        """Return k(x, x) of some rows."""
        return own_values(self._kernel, self._rows[part])

    def coordinates(self) -> Iterator[tuple[slice, FloatArray]]:
        """Yield the coordinates of all rows, some rows at a time."""
        for part in self._parts():
            yield part, self.landmarks.coordinates(self._rows[part], threads=self.threads)
