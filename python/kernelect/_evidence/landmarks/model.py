"""Landmark models: a kernel seen through m rows, fitted on all rows from sums that add up.

Three steps, each a function of what it is given alone, so that the second may run anywhere::

    chosen = choose(kernel, pool, numbers, count)  # of `choice`: a small object that travels
    sums = chosen.sums(rows, targets, first_row=first, ...)  # of each chunk of rows
    sums.merge(others)  # in any order, to the same bits
    model = chosen.ridge(sums, ...)  # every ridge at once
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._data.rows import Program, Rows, Tables, core_tables
from ..._dispatch import core
from ..._support.arrays import FloatArray, IntArray, aligned
from ..._support.progress import Tick
from ..._support.threads import limit_blas
from ...kernels import Kernel, Precomputed
from ..own_values import own_values

# Chunks must begin at multiples of this many rows.
LEAF_ROWS: int = core.LandmarkSums.leaf_rows
_NONE = np.zeros(0)
_NO_FOLDS = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Landmarks:
    """The landmarks of one kernel.

    Attributes
    ----------
    kernel : Kernel
        The kernel.
    rows : ndarray or sparse matrix of shape (m, n_features)
        The landmarks; for a kernel that is a stored matrix its entries among them.
    numbers : ndarray of int64
        Which rows of the data they are, in the order in which they were taken: the first of them
        are the landmarks of a smaller model.
    origin : ndarray of shape (m,)
        Mean coordinates g = L^-1 k(x, Z) of the pool, around which sums are taken.
    left : ndarray of shape (m,)
        What the landmarks up to each leave of the pool's mean k(x, x).
    complete : bool
        Whether these are all that the kernel has, to the tolerance asked for.
    pivoted : bool
        Whether they were chosen by pivoting; otherwise they are rows as they come.
    """

    kernel: Kernel
    rows: Rows
    numbers: IntArray
    origin: FloatArray
    left: FloatArray
    complete: bool = False
    pivoted: bool = True

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name[0] != "_"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            vars(self)[name] = aligned(value) if isinstance(value, np.ndarray) else value

    @property
    def size(self) -> int:
        """Number of landmarks."""
        return len(self.numbers)

    @cached_property
    def _compiled(self) -> tuple[Tables, Program]:
        tables = Tables()
        return tables, self.kernel._program(tables)

    @property
    def copied(self) -> int:
        """Numbers that are made of each row for the core; 0 where it reads the row itself."""
        if not self.kernel.in_core:
            return self.size
        return int(self.rows.shape[1]) if self._compiled[0].copy_rows else 0

    @cached_property
    def _basis(self) -> core.Landmarks:
        if isinstance(self.kernel, Precomputed):
            return core.Landmarks(self.rows, self.origin)
        if not self.kernel.in_core:
            return core.Landmarks(self.kernel._matrix(self.rows, None), self.origin)
        tables, program = self._compiled
        return core.Landmarks(program, core_tables(tables.of(self.rows)), self.origin)

    def _values(self, rows: Any) -> core._LandmarkRows:
        """Return what the core reads of rows; of a stored matrix (k(x, z), k(x, x)) is given."""
        if isinstance(self.kernel, Precomputed):
            return rows  # type: ignore[no-any-return]
        if not self.kernel.in_core:
            return np.ascontiguousarray(self.kernel._matrix(rows, self.rows)), own_values(
                self.kernel, rows
            )
        return core_tables(self._compiled[0].of(rows))

    def sums(
        self,
        rows: Any,
        targets: FloatArray,
        *,
        target_origin: FloatArray,
        weights: FloatArray | None = None,
        folds: NDArray[np.int64] = _NO_FOLDS,
        fold_count: int = 0,
        first_row: int = 0,
        threads: int = 1,
        tick: Tick | None = None,
    ) -> core.LandmarkSums:
        """Sum over a chunk of rows; ``merge`` adds those of others, in any order.

        Parameters
        ----------
        rows : ndarray or sparse matrix of shape (count, n_features)
            The chunk.
        targets : ndarray of shape (count, n_columns)
            What is fitted.
        target_origin : ndarray of shape (n_columns,)
            A number near the mean of each column, the same for all chunks.
        weights : ndarray of shape (count,), optional
            Weights of the losses, positive.
        folds : ndarray of int64, shape (count,)
            The fold of each row; `fold_count` for a row in none.
        fold_count : int, default=0
            How many folds there are; 0 where none are held out.
        first_row : int, default=0
            Number of the chunk's first row among all rows, a multiple of `LEAF_ROWS`. Only the last
            chunk may end within a leaf.
        threads : int, default=1
            Threads; the sums do not depend on it.
        tick : callable, optional
            Called with the fraction done.

        Returns
        -------
        core.LandmarkSums
            Which pickles, and knows its number of `rows`.
        """
        with limit_blas(1):
            return self._basis.sums(
                self._values(rows),
                targets,
                target_origin=target_origin,
                weights=_NONE if weights is None else weights,
                folds=folds,
                fold_count=fold_count,
                first_row=first_row,
                threads=threads,
                progress=tick,
            )

    def coordinates(self, rows: Any, *, threads: int = 1, tick: Tick | None = None) -> FloatArray:
        """Return g = L^-1 k(x, Z) of rows, (rows, m)."""
        with limit_blas(1):
            return self._basis.coordinates(self._values(rows), threads=threads, progress=tick)

    def ridge(
        self,
        sums: core.LandmarkSums,
        *,
        target_origin: FloatArray,
        bias: bool,
        without_fold: int = -1,
        order: int | None = None,
        threads: int = 1,
        tick: Tick | None = None,
    ) -> LandmarkRidge:
        """Decompose the sums over all rows, or over all but a fold, for every ridge.

        `order` takes the first landmarks alone.
        """
        with limit_blas(1):
            found = core.LandmarkRidge(
                self._basis,
                sums,
                target_origin=target_origin,
                bias=bias,
                without_fold=without_fold,
                order=self.size if order is None else order,
                threads=threads,
                progress=tick,
            )
        return LandmarkRidge(self, found, threads)


class LeftOut(NamedTuple):
    """What models tell of rows that were left out, (ridges, rows, columns).

    Read as Gaussian processes, of prior covariance k, they give a left-out target of weight w the
    variance ``ridge / (w * share) + unseen``: the last is what landmarks do not see of a new row.
    """

    residuals: FloatArray
    shares: FloatArray
    unseen: FloatArray

    def variances(self, ridges: FloatArray, weights: FloatArray) -> FloatArray:
        """Return the variances of targets, (ridges, rows)."""
        return ridges[:, None] / (weights * self.shares) + np.maximum(self.unseen, 0.0)


@dataclass(frozen=True, eq=False)
class LandmarkRidge:
    """The models of all ridges on one training set."""

    landmarks: Landmarks
    model: core.LandmarkRidge
    threads: int

    def residuals(
        self, rows: Any, targets: FloatArray, ridges: FloatArray, *, tick: Tick | None = None
    ) -> FloatArray:
        """Return y - f of rows, (ridges, rows, columns)."""
        with limit_blas(1):
            return self.model.residuals(
                self.landmarks._values(rows),
                targets,
                ridges=list(ridges),
                threads=self.threads,
                progress=tick,
            )

    def left_out(
        self,
        rows: Any,
        targets: FloatArray,
        ridges: FloatArray,
        *,
        landmark: IntArray = _NO_FOLDS,
        weights: FloatArray | None = None,
        tick: Tick | None = None,
    ) -> LeftOut:
        """Return what models tell of training rows, of certain weights, that they did not see.

        `landmark` says which landmark each row is, -1 for none; landmarks leave the basis too.
        """
        with limit_blas(1):
            found = self.model.left_out(
                self.landmarks._values(rows),
                targets,
                weights=_NONE if weights is None else weights,
                landmark=landmark,
                ridges=list(ridges),
                threads=self.threads,
                progress=tick,
            )
        return LeftOut(found["residuals"], found["shares"], found["unseen"])

    def expanded(
        self,
        rows: Any,
        targets: FloatArray,
        ridges: FloatArray,
        sums: core.LandmarkSums,
        *,
        fold: int,
        held_out: int,
        order: int,
        tick: Tick | None = None,
    ) -> FloatArray:
        """Return y - f of rows of a fold, by a series around these models, which saw the fold.

        Of the fold, which has `held_out` rows, `sums` of all rows by folds are needed.
        """
        with limit_blas(1):
            return self.model.expanded(
                self.landmarks._values(rows),
                targets,
                sums,
                fold=fold,
                held_out=held_out,
                order=order,
                ridges=list(ridges),
                threads=self.threads,
                progress=tick,
            )

    def coefficients(self, ridges: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return a, (ridges, m, columns), and b, (ridges, columns), of f(x) = k(x, Z) a + b."""
        with limit_blas(1):
            return self.model.fit(list(ridges))
