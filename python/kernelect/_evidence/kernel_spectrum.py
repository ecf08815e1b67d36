"""Eigenvalues of a kernel matrix, and the share of the labels that lies along each eigenvector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._data.rows import Tables, check_rows, make_sample
from .._data.target import check_target
from .._dispatch import core
from .._support.arguments import check_whole
from .._support.arrays import FloatArray
from .._support.memory import can_be_stored, most_rows
from .._support.threads import resolve_threads
from ..kernels import Kernel, Precomputed
from ..kernels._candidates import check_matrix

ALL_UP_TO = 1000  # rows: all eigenvalues; of more rows the leading ones
LEADING = 100
_EQUAL = 1e-9  # relative: closer eigenvalues count as one
# For pictures; a point is a pixel wide.
_TOLERANCE, _VECTOR_TOLERANCE = 1e-8, 1e-6


@dataclass(frozen=True)
class KernelSpectrum:
    """Eigenvalues of one kernel matrix, largest first.

    Attributes
    ----------
    values : ndarray of shape (t,)
        All eigenvalues, or the leading ones; those below rounding error of the largest are left
        out.
    trace : float
        Sum of all eigenvalues.
    energies : ndarray of shape (t,) or None
        Share of the centred labels' squared length along each eigenvector, <y, v>^2 / <y, y>, the
        mean over one-vs-rest columns or targets; None without labels.
    """

    values: FloatArray
    trace: float
    energies: FloatArray | None = None

    @property
    def shares(self) -> FloatArray:
        """Eigenvalues as shares of the trace."""
        return self.values / self.trace

    def distinct(self) -> tuple[FloatArray, FloatArray]:
        """Return distinct eigenvalues as shares of the trace, and the labels' energy at each.

        Of a repeated eigenvalue only the sum is defined: its eigenvectors can be turned at will.

        Returns
        -------
        shares, energies : ndarray
            Largest eigenvalue first.
        """
        assert self.energies is not None
        apart = np.flatnonzero(-np.diff(self.values) > _EQUAL * self.values[:-1]) + 1
        starts = np.concatenate([[0], apart])
        return self.shares[starts], np.add.reduceat(self.energies, starts)


def kernel_spectrum(
    kernel: Any,
    X: Any = None,
    y: Any = None,
    *,
    count: int | None = None,
    task: str = "auto",
    n_threads: int | None = None,
) -> KernelSpectrum:
    """Find the eigenvalues, and with labels the label energies, in the core.

    Parameters
    ----------
    kernel : Kernel or array-like of shape (n, n)
        A kernel, whose matrix on all rows is decomposed, or a kernel matrix.
    X : array-like of shape (n, n_features), optional
        Rows; may be left out for a matrix.
    y : array-like, optional
        Labels or numbers.
    count : int, optional
        How many of the largest eigenvalues; by default all of up to 1000 rows, 100 of more rows.
    task : {"auto", "classification", "regression"}, default="auto"
        What y is.
    n_threads : int, optional
        Threads.

    Returns
    -------
    KernelSpectrum
        The eigenvalues that stand out of rounding errors.
    """
    bound, n = _checked(kernel, X)
    labels = None if y is None else _label_columns(y, task, n)
    wanted = _count(count, n)
    stored = can_be_stored(n)
    threads = resolve_threads(n_threads)
    vectors = None
    if wanted < n and labels is None and isinstance(bound, Kernel) and bound.in_core:
        values, trace = _streamed(bound, check_rows(X, "X"), wanted, stored, threads)
    else:
        if not stored:
            raise ValueError(
                f"this needs the {n} x {n} kernel matrix, {8e-9 * n * n:.0f} GB; pass a sample of "
                f"at most {most_rows()} rows"
            )
        matrix = bound(X) if isinstance(bound, Kernel) else bound
        values, trace, vectors = _decomposed(matrix, wanted, labels is not None, threads)
    if not (trace > 0 and values[0] > 0):
        raise ValueError(f"the matrix of {_shown(kernel)} has no positive trace, but {trace:g}")
    # Below rounding error of the largest there is only noise.
    kept = int((values > n * np.finfo(float).eps * values[0]).sum())
    if labels is None or vectors is None:
        return KernelSpectrum(values[:kept], trace)
    energies = core.label_energies(np.ascontiguousarray(vectors[:, :kept]), labels)
    return KernelSpectrum(values[:kept], trace, np.asarray(energies.mean(axis=1)))


def _checked(kernel: Any, X: Any) -> tuple[Kernel | FloatArray, int]:
    """Check what was given, and count the rows."""
    if isinstance(kernel, Precomputed):  # a wrong value, whatever its type
        raise ValueError(  # noqa: TRY004
            f"{kernel!r} stands for a matrix that results do not keep; pass the matrix itself"
        )
    if isinstance(kernel, Kernel):
        return kernel._bound_to(X), check_rows(X, "X").shape[0]
    shape = np.shape(kernel)
    if len(shape) != 2:
        raise TypeError(f"a kernel or a kernel matrix is needed, not {_shown(kernel)}")
    n = shape[0] if X is None else check_rows(X, "X").shape[0]
    return check_matrix(kernel, n, "the kernel matrix"), n


def _streamed(
    kernel: Kernel, rows: Any, count: int, stored: bool, threads: int
) -> tuple[FloatArray, float]:
    """Leading eigenvalues without a matrix where it would be too large."""
    tables = Tables()
    program = kernel._program(tables)
    found = core.kernel_spectra(
        make_sample(tables.of(rows)),
        [program],
        count=count,
        store=stored,
        tolerance=_TOLERANCE,
        threads=threads,
        progress=None,
    )
    return found["values"][0, :count], float(found["trace"][0])


def _decomposed(
    matrix: FloatArray, count: int, vectors: bool, threads: int
) -> tuple[FloatArray, float, FloatArray | None]:
    """Eigenvalues, the trace, and eigenvectors as columns if wanted."""
    if count >= len(matrix):
        values, columns = core.full_spectrum(matrix, vectors=vectors)
        return values, float(matrix.trace()), columns
    found = core.leading_spectrum(
        matrix,
        count=count,
        vectors=vectors,
        tolerance=_TOLERANCE,
        vector_tolerance=_VECTOR_TOLERANCE,
        warm=None,
        threads=threads,
        progress=None,
    )
    return found["values"][:count], float(found["trace"]), found["vectors"]


def _label_columns(y: Any, task: str, n: int) -> FloatArray:
    """Centred columns of unit length.

    Centred labels are the weighted ones of the spectral measure up to their length: 1/n+ and -1/n-.
    """
    columns = check_target(y, task, n).columns()
    centred = columns - columns.mean(axis=0)
    return np.ascontiguousarray(centred / np.sqrt((centred**2).sum(axis=0)))


def _count(count: int | None, n: int) -> int:
    if count is None:
        return n if n <= ALL_UP_TO else LEADING
    if check_whole(count, "count") not in range(1, n + 1):
        raise ValueError(f"count must be from 1 to the number of rows, {n}, not {count}")
    return int(count)


def _shown(kernel: Any) -> str:
    return repr(kernel) if isinstance(kernel, Kernel) else f"a {type(kernel).__name__}"
