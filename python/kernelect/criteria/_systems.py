"""The ridge systems behind evidence, and what a likelihood is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from .._support.arrays import FloatArray
from ._column import Column


@dataclass(frozen=True)
class Systems:
    """The ridge systems behind the evidence.

    Attributes
    ----------
    lams : ndarray of shape (candidates, lambdas)
        Lambdas that go with the kernels as they are.
    jitter : ndarray of shape (candidates, lambdas)
        What had to be added to the diagonal beside lambda.
    failures : list of list of str
        For each candidate and lambda why there is no solution, else an empty text.
    single : bool
        One lambda was given, so that results have no axis of lambdas.
    landmarks, rank_errors, pivoted : ndarray of shape (candidates,) or None
        Of landmark models how many landmarks they have, what those do not see, and 1 where pivoting
        chose them, 0 where they are rows as they come.
    sensitivities : ndarray of shape (candidates, lambdas) or None
        By what share half of the landmarks predict worse.
    """

    lams: FloatArray
    jitter: FloatArray
    failures: Sequence[Sequence[str]]
    single: bool
    landmarks: FloatArray | None = None
    rank_errors: FloatArray | None = None
    pivoted: FloatArray | None = None
    sensitivities: FloatArray | None = None

    def complete(self, column: Column) -> Column:
        """Put a reason where there is no answer; drop the axis of one lambda."""
        reasons = list(column.reasons)
        for k, row in enumerate(column.values):
            if reasons[k] is None and not np.isfinite(row).any():
                failed = (text for text in self.failures[k] if text)
                reasons[k] = next(failed, "the value is not finite")
        column = replace(
            column,
            reasons=reasons,
            lams=self.lams,
            jitter=self.jitter,
            landmarks=self._by_lambda(self.landmarks),
            rank_errors=self._by_lambda(self.rank_errors),
            pivoted=self._by_lambda(self.pivoted),
            sensitivities=self.sensitivities,
        )
        if not self.single:
            return column
        return replace(column.indexed((slice(None), 0)), lams=None)

    def _by_lambda(self, values: FloatArray | None) -> FloatArray | None:
        if values is None:
            return None
        return np.repeat(values[:, None], self.lams.shape[1], axis=1)


class Likelihood(NamedTuple):
    """What the marginal likelihood of targets y ~ N(b, A), A = K + rho I, is made of.

    For every candidate and lambda ``log |A|``, with a bias ``+ log 1'A^-1 1`` from its flat prior;
    for every column of the target beside them ``y'Py``; and how many degrees of freedom there are,
    n or, with a bias, n - 1.
    """

    log_determinant: FloatArray
    energies: FloatArray
    freedom: int
