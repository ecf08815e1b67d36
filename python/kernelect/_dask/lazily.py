"""Predictions of the rows of a dask collection: lazy, each block where it is."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from importlib import import_module
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from .._data.rows import check_shape, column_names
from .blocks import blocks_of
from .collections import is_dask

Method = TypeVar("Method", bound=Callable[..., Any])


def in_blocks(method: Method) -> Method:
    """Decorate a method of a fitted estimator that treats each row by itself.

    Of a dask collection it gives a dask array, for which nothing is computed yet.
    """

    @wraps(method)
    def blockwise(self: Any, X: Any, *args: Any, **params: Any) -> Any:
        if not is_dask(X):
            return method(self, X, *args, **params)
        check_is_fitted(self)
        if any(value is not False for value in (*args, *params.values())):
            given = ", ".join(params) or "more than X"
            raise ValueError(
                f"{method.__name__} with {given} needs rows in this process, and X is a dask "
                "collection; leave it out, or give one block at a time"
            )
        few = self.X_fit_[:1] if column_names(X) is None else X._meta_nonempty
        return predictions(getattr(self, method.__name__), X, method(self, few))

    decorated: Any = blockwise
    return decorated  # type: ignore[no-any-return]


def predictions(function: Callable[[Any], Any], X: Any, one: NDArray[Any]) -> Any:
    """Apply a function to the rows of each block; `one` is what it gives for a row or two."""
    array: Any = import_module("dask.array")
    from dask.delayed import delayed

    of_block = partial(_of_block, function, one[:0])
    if column_names(X) is None:
        if len(X.chunks) != 2:
            check_shape(X.shape, "X")
        X = X if len(X.chunks[1]) == 1 else X.rechunk({1: -1})
        if one.ndim == 1:
            return X.map_blocks(of_block, drop_axis=1, dtype=one.dtype)
        return X.map_blocks(of_block, chunks=(X.chunks[0], (one.shape[1],)), dtype=one.dtype)
    shape = (np.nan, *one.shape[1:])
    call = delayed(of_block, traverse=False)
    parts = [array.from_delayed(call(block), shape, one.dtype) for block in blocks_of(X)]
    return array.concatenate(parts, allow_unknown_chunksizes=True)


def _of_block(function: Callable[[Any], Any], nothing: NDArray[Any], block: Any) -> NDArray[Any]:
    return np.asarray(function(block)) if block.shape[0] else nothing
