"""How much memory the evidence of a call takes, in bytes beyond the caller's data; measured."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .._evidence.landmarks.counts import pool_size, scored_count
from .._evidence.landmarks.folds import FOLDS_AT_ONCE
from .._evidence.landmarks.model import LEAF_ROWS
from .._evidence.moments import MEMORY as _SUMS
from .._evidence.sampled.cells import rows_at_once
from .._support.memory import can_be_stored
from ..criteria import Needs

_NUMBER = 8.0  # bytes
# Of a stored entry of sparse rows, with its column, in the core's order.
_SPARSE_ENTRY = 24.0
# Matrices of n x n numbers: the kernel with what its factor needs; besides eigenvectors and their
# work area for a path of lambdas; the kernel for products; for eigenvalues; for eigenvectors.
_DENSE, _PATH, _PRODUCTS, _VALUES, _VECTORS = 1.2, 3.3, 1.13, 2.1, 4.2
# Numbers of a row in sums of two classes or of a target, for each candidate.
_OF_TWO = 6.5
# What eigenvectors take for a path of lambdas, in units of n^3 / 3.
_EIGENVECTORS = 30.0
# Vectors of an iteration on a matrix that is not stored.
_STEPS = 500
_FOLDS = 5
# Of a landmark model: matrices of its order that the decomposition holds beside its sums; and what
# BLAS takes for each thread to put parts of tall matrices in order, no more than a fifth of them.
_LANDMARK_MATRICES, _BLAS, _PACKED = 5.0, 20e6, 0.2
# Rows that a thread scores at a time, and matrices of them that it holds.
_SCORED_TOGETHER, _SCORING_MATRICES = 1024, 3.0


@dataclass(frozen=True)
class Call:
    """What the memory of a call depends on.

    Attributes
    ----------
    rows, columns : int
        Size of the data.
    entries : int or None
        Stored entries of sparse rows, None where rows are dense.
    kernels, classes, lams, threads : int
        How many there are.
    landmarks : int or None
        How many ridge systems have, None for those of whole matrices.
    """

    rows: int
    columns: int
    entries: int | None
    kernels: int
    classes: int
    lams: int
    threads: int
    landmarks: int | None = None

    @property
    def _vector(self) -> float:
        return _NUMBER * self.rows

    @property
    def _matrix(self) -> float:
        return self._vector * self.rows

    def needs(self, needs: Needs) -> float:
        """Bytes for this evidence; what is gathered first is let go before the next begins."""
        kinds = [self._sums() if needs.moments else 0.0]
        if needs.spectrum:
            kinds.append(self._spectrum(needs))
        if needs.ridge:
            systems = self._ridge if self.landmarks is None else self._landmarks
            kinds.append(systems(needs))
        if needs.matrices:
            kinds.append(self._matrix)
        # Sums and spectra see rows sorted by class, systems and traces as they were given.
        by_class = bool(needs.moments) or needs.spectrum
        whole = needs.ridge and self.landmarks is None
        as_given = whole or needs.matrices or bool(needs.above or needs.quadratures)
        return (by_class + as_given) * self._table() + max(kinds)

    def _table(self) -> float:
        """Bytes of the core's own copy of the rows."""
        if self.entries is None:
            return self._vector * self.columns
        return _SPARSE_ENTRY * self.entries + self._vector

    def _sums(self) -> float:
        """Bytes of sums over rows by class, added up and handed over; in groups where large."""
        lanes = 3.0 * self.classes + 2.0 if self.classes > 2 else _OF_TWO
        return min(_SUMS, lanes * self._vector * self.kernels)

    def _spectrum(self, needs: Needs) -> float:
        if not can_be_stored(self.rows):
            steps = min(self.rows, _STEPS) if needs.above else needs.leading
            held = _VALUES if needs.full or needs.operators else 0.0
            return max(held * self._matrix, self.classes * steps * self._vector)
        matrices = [0.0]
        if needs.leading:
            matrices.append(_PRODUCTS)
        if needs.full or needs.operators:
            matrices.append(_VALUES)
        if needs.above:
            matrices.append(_VECTORS)
        return max(matrices) * self._matrix

    def _ridge(self, needs: Needs) -> float:
        """Candidates side by side; eigenvectors where those cost less than a factor per lambda.

        The core compares 2 L + L s with 30 + 3 L s, in units of n^3/3, for L lambdas and folds
        whose squared shares of the rows add up to s.
        """
        shares = 1.0 / _FOLDS if needs.folds or needs.series else 0.0
        path = _EIGENVECTORS + 3.0 * self.lams * shares < 2.0 * self.lams + self.lams * shares
        each = (_PATH if path else _DENSE) * self._matrix
        results = self.kernels * self.lams * self.classes * self._vector
        return min(self.threads, self.kernels) * each + results

    def _landmarks(self, needs: Needs) -> float:
        """One candidate at a time: a pool with its factor, then sums over leaves and their tree."""
        assert self.landmarks is not None
        m, n = self.landmarks, self.rows
        order = m + self.classes + 1.0
        pool = pool_size(n, m)
        choosing = pool * (m + 2.0 * self.columns)
        folds = bool(needs.folds or needs.series)
        groups = 1.0 + (min(_FOLDS, FOLDS_AT_ONCE) + 1.0 if folds else 0.0)
        parts = max(math.log2(n / LEAF_ROWS), 0.0) + 2.0 + self.threads
        leaves = self.threads * min(LEAF_ROWS, n) * order * (2.0 if folds else 1.0)
        summing = parts * groups * order**2 + leaves
        scored = float(scored_count(n))
        residuals = ((2.0 + needs.outputs) * self.classes + 2.0 * needs.loo) * self.lams * scored
        # Sums are held while models score rows, unless those of folds outweigh all of it.
        scoring = self.threads * _SCORING_MATRICES * min(_SCORED_TOGETHER, scored) * m
        held = 0.0 if folds else parts * order**2
        solving = (groups + _LANDMARK_MATRICES) * order**2 + residuals + scoring + held
        kept = 2.0 + needs.variances + self.classes * needs.outputs
        results = self.kernels * self.lams * scored * kept
        work = _NUMBER * max(choosing, summing, solving)
        return work + min(_BLAS * self.threads, _PACKED * work) + _NUMBER * results

    def screening(self, sampled: bool) -> float:
        """Bytes that the criteria take by which the default election looks at all candidates.

        Of all pairs, or of those of a sample with all rows: the sums of the sampled rows that are
        in one pass, those of the parts that threads are at, and all of them.
        """
        if not sampled:
            return self._table() + self._sums()
        lanes = self.classes + 2.0
        rows = rows_at_once(self.kernels, lanes)
        return self._table() + _NUMBER * self.kernels * lanes * rows * (2.0 + self.threads)
