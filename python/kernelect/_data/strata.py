"""A sample of rows that grows, in which every class occurs, in groups that tell its error."""

from __future__ import annotations

import numpy as np

from .._support.arrays import FloatArray, IntArray
from .row_order import row_keys

# Into this many groups the rows of a sample are dealt out.
GROUPS = 8
# This many rows of each class are taken at least, or all that there are.
_OF_CLASS = 32


class Strata:
    """All rows class by class, each class in the order of a seed.

    Attributes
    ----------
    sizes : ndarray of int64
        Rows of each class.
    """

    def __init__(self, codes: IntArray, seed: int) -> None:
        keys = row_keys(seed, 0, len(codes))
        self.sizes = np.bincount(codes)
        self._order = np.lexsort((keys, codes))
        self._begins = np.cumsum(self.sizes) - self.sizes

    def taken(self, count: int) -> IntArray:
        """Return how many rows of each class a sample of about this many rows has.

        A sample of more rows holds that of fewer.
        """
        shares = -(-count * self.sizes // self.sizes.sum())
        return np.asarray(np.minimum(self.sizes, np.maximum(shares, _OF_CLASS)), dtype=np.int64)

    def between(self, before: IntArray, after: IntArray) -> tuple[IntArray, IntArray]:
        """Return the rows by which a sample grows, and which of its class each is.

        Parameters
        ----------
        before, after : ndarray of int64
            How many rows of each class the samples have.
        """
        ranks = [np.arange(*both) for both in zip(before, after, strict=True)]
        rows = [self._order[begin + rank] for begin, rank in zip(self._begins, ranks, strict=True)]
        return np.concatenate(rows), np.concatenate(ranks)

    def weights(self, counts: IntArray) -> FloatArray:
        """Return for how many rows each sampled row stands, in the whole sample and in its groups.

        Parameters
        ----------
        counts : ndarray of int64, shape (groups, classes)
            How many rows of each group and class are in the sample.

        Returns
        -------
        ndarray of shape (1 + groups, groups, classes)
            First for the whole sample, then for each group by itself. Of a class all of whose rows
            are in the sample every group has all of them: there is nothing to err about.
        """
        taken = counts.sum(axis=0)
        whole = taken >= self.sizes
        out = np.zeros((1 + GROUPS, GROUPS, len(self.sizes)))
        out[0] = self.sizes / np.maximum(taken, 1)
        for group in range(GROUPS):
            out[1 + group, group] = self.sizes / np.maximum(counts[group], 1)
        out[1:, :, whole] = 1.0
        return out
