"""What cannot be had of rows that are dask's, refused before they are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .._dask.collections import is_dask, refuse_idle_client
from .._dask.rows import DaskRows
from ..criteria import Criterion
from ..kernels import Kernel
from ..kernels._candidates import needs_all_rows
from ._problem import Problem

# Criteria of sums look at all pairs of rows, which come here for that.
_PAIRED = 50_000


def check_on_cluster(
    X: Any,
    *others: Any,
    client: Any,
    kernels: Any,
    criteria: Any,
    landmarks: Any,
    sample: Any = None,
) -> None:
    """Refuse what needs whole kernel matrices, where `X` is a collection, or a client for nothing.

    `criteria` are a list of them, or None for all that fit.
    """
    refuse_idle_client(client, X, *others)
    if not is_dask(X):
        return
    if criteria is None:
        raise ValueError(
            "criteria='all' asks for whole kernel matrices, and X is a dask collection; name the "
            "criteria, for example ['loo', 'gcv']"
        )
    _check_kernels(kernels)
    for criterion in criteria:
        needs = criterion.needs()
        if needs.whole_matrices:
            raise ValueError(
                f"{criterion.key} is a function of whole kernel matrices, and X is a dask "
                "collection; ask for a criterion of ridge systems such as loo, or for it on a "
                "sample of the rows"
            )
        if needs.ridge and landmarks is None:
            raise ValueError(
                "landmarks=None asks for whole kernel matrices, and X is a dask collection; give a "
                "number of landmarks, or 'auto'"
            )
    known = getattr(X, "shape", (None,))[0]
    if isinstance(known, int) and sample is None:
        _refuse_pairs(known, criteria)


def check_pairs(problem: Problem, criteria: Sequence[Criterion], sample: Any = None) -> None:
    """Refuse all pairs of more rows than are to come here, once these are counted."""
    if isinstance(problem.candidates.rows, DaskRows) and sample is None:
        _refuse_pairs(problem.target.size, criteria)


def _refuse_pairs(rows: int, criteria: Sequence[Criterion]) -> None:
    summing = [criterion.key for criterion in criteria if criterion.needs().moments]
    if rows > _PAIRED and summing:
        raise ValueError(
            f"{', '.join(summing)}: all pairs of {rows} rows of a dask collection are too many, "
            f"the most are {_PAIRED}; ask for loo, or pass sample='auto'"
        )


def _check_kernels(kernels: Any) -> None:
    if isinstance(kernels, str) and needs_all_rows(kernels):
        raise ValueError(
            f"kernels={kernels!r} takes widths from the variance of all rows, and X is a dask "
            "collection; give a list of kernels, or 'auto'"
        )
    listed = kernels if isinstance(kernels, (list, tuple)) else [kernels]
    named = kernels is None or isinstance(kernels, str)
    if isinstance(kernels, Iterator) or not (
        named or all(isinstance(kernel, Kernel) or callable(kernel) for kernel in listed)
    ):
        raise ValueError(
            "kernels of a dask collection must be a list of kernels or callables; kernel matrices "
            "and generators go with rows that are in this process"
        )
