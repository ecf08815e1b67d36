"""Blocks of a dask collection as tables of numbers, checked where they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._data.rows import check_rows, check_shape, column_names, is_sparse
from .._support.arguments import shown
from .._support.arrays import FloatArray, IntArray, aligned


@dataclass(frozen=True)
class Look:
    """What is known of blocks: their lengths, columns, and the range of each column."""

    lengths: IntArray
    width: int
    low: FloatArray
    high: FloatArray


def blocks_of(X: Any) -> list[Any]:
    """Return the blocks of an array or a data frame, each with all columns, as delayed objects."""
    if column_names(X) is not None:
        return list(X.to_delayed())
    chunks = getattr(X, "chunks", None)
    if chunks is None:
        raise TypeError(f"X must be a dask array or data frame, not {shown(X)}")
    if len(chunks) != 2:
        check_shape(tuple(int(np.nan_to_num(size, nan=1.0)) for size in X.shape), "X")
    _refuse_blocks(X._meta)
    if len(chunks[1]) > 1:
        if np.isnan(np.array(chunks[1], dtype=np.float64)).any():
            raise ValueError(
                "X has chunks of unknown sizes along its columns; call X.compute_chunk_sizes() "
                "first"
            )
        X = X.rechunk({1: -1})
    return list(X.to_delayed().ravel())


def _refuse_blocks(block: Any) -> None:
    """Refuse blocks that are neither dense arrays nor data frames."""
    if column_names(block) is None and (is_sparse(block) or not isinstance(block, np.ndarray)):
        raise TypeError(
            f"X has blocks of type {type(block).__name__}, and rows on a cluster must be dense "
            "arrays or data frames; convert them with X.map_blocks"
        )


def table_of(block: Any) -> FloatArray:
    """Check one block, which may be empty."""
    _refuse_blocks(block)
    if block.shape[0] == 0:
        return np.zeros((0, block.shape[1]))
    return np.asarray(check_rows(block, "X"))


def look_at(block: Any) -> Any:
    """Look at a block where it is; later, as a `Look` or the error that refuses it."""
    from dask.delayed import delayed

    return delayed(_look)(block)


def _look(block: Any) -> Look | Exception:
    try:
        table = table_of(block)
    except (TypeError, ValueError) as error:  # no reason to try again
        return error
    low = table.min(axis=0, initial=np.inf)
    high = table.max(axis=0, initial=-np.inf)
    return Look(np.array([len(table)]), table.shape[1], low, high)


def look_together(looks: Sequence[Look | Exception]) -> Look:
    """Put what is known of all blocks together, or raise what refuses one of them."""
    found = []
    for look in looks:
        if isinstance(look, Exception):
            raise look
        found.append(look)
    widths = sorted({look.width for look in found})
    if len(widths) > 1:
        raise ValueError(
            f"X has blocks of {widths[0]} and of {widths[-1]} columns; all need the same features"
        )
    return Look(
        np.concatenate([look.lengths for look in found]),
        widths[0],
        np.min([look.low for look in found], axis=0),
        np.max([look.high for look in found], axis=0),
    )


def taken(block: Any, numbers: slice | IntArray) -> Any:
    """Return some rows of a block where they are, as a table of numbers."""
    from dask.delayed import delayed

    return delayed(_taken)(block, numbers)


def _taken(block: Any, numbers: slice | IntArray) -> FloatArray:
    return table_of(block)[numbers]


def joined(pieces: Sequence[FloatArray]) -> FloatArray:
    """Put pieces of rows together."""
    return aligned(pieces[0] if len(pieces) == 1 else np.concatenate(pieces))
