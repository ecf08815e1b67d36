# What the core offers for landmark models: a part of _core, there is no module of this name.
from collections.abc import Sequence
from typing import TypeAlias, TypedDict, overload

import numpy as np
from numpy.typing import NDArray

from ._core import _Floats, _HeldOut, _Metaclass, _Program, _Progress

# Rows as the core reads them a few at a time: tables, dense or (values, columns, starts, features)
# of sparse rows; or for a kernel that the core does not know (k(x, z), k(x, x)).
_SparseTable: TypeAlias = tuple[_Floats, NDArray[np.int32], NDArray[np.int64], int]
_RowTables: TypeAlias = list[_Floats | _SparseTable]
_LandmarkRows: TypeAlias = _RowTables | tuple[_Floats, _Floats]

# Landmarks, columns, folds, and parts of a tree: level, place, for the rows of each fold a packed
# triangle, and sums of the kernel's diagonal.
_SumsState: TypeAlias = tuple[int, int, int, list[tuple[int, int, list[_Floats], _Floats]]]

class _Chosen(TypedDict):
    rows: NDArray[np.int64]  # of the pool, in the order in which they were taken
    origin: _Floats  # (landmarks,): mean coordinates of the pool
    left: _Floats  # (landmarks,): mean of k(x, x) - |g|^2 after each of them
    mean_diagonal: float

def choose_landmarks(
    program: _Program,
    rows: _RowTables,
    *,
    limit: int,
    tolerance: float,
    seed: int,
    threads: int,
    progress: _Progress,
) -> _Chosen: ...
def choose_stored_landmarks(
    k: _Floats,
    *,
    limit: int,
    tolerance: float,
    seed: int,
    threads: int,
    progress: _Progress,
) -> _Chosen: ...

class LandmarkSums(metaclass=_Metaclass):
    leaf_rows: int
    @property
    def rows(self) -> int: ...
    @property
    def centred_trace(self) -> float: ...  # tr(HKH)/n
    @property
    def left(self) -> float: ...  # mean of k(x, x) - |g|^2
    def merge(self, other: LandmarkSums) -> None: ...
    def __getstate__(self) -> _SumsState: ...

class Landmarks(metaclass=_Metaclass):
    @overload
    def __init__(self, program: _Program, rows: _RowTables, origin: _Floats) -> None: ...
    @overload
    def __init__(self, gram: _Floats, origin: _Floats) -> None: ...
    @property
    def size(self) -> int: ...
    def sums(
        self,
        rows: _LandmarkRows,
        targets: _Floats,
        *,
        target_origin: _Floats,
        weights: _Floats,
        folds: NDArray[np.int64],
        fold_count: int,
        first_row: int,
        threads: int,
        progress: _Progress,
    ) -> LandmarkSums: ...
    def coordinates(
        self, rows: _LandmarkRows, *, threads: int, progress: _Progress
    ) -> _Floats: ...  # (rows, landmarks)

class _LeftOut(TypedDict):
    residuals: _Floats  # (ridges, rows, columns)
    shares: _Floats  # (ridges, rows): 1 - leverage, of landmarks without themselves
    unseen: _Floats  # (rows,): what the other landmarks do not see of k(x, x)

class LandmarkRidge(metaclass=_Metaclass):
    def __init__(
        self,
        landmarks: Landmarks,
        sums: LandmarkSums,
        *,
        target_origin: _Floats,
        bias: bool,
        without_fold: int,
        order: int,
        threads: int,
        progress: _Progress,
    ) -> None: ...
    @property
    def order(self) -> int: ...
    @property
    def eigenvalues(self) -> _Floats: ...
    def residuals(
        self,
        rows: _LandmarkRows,
        targets: _Floats,
        *,
        ridges: Sequence[float],
        threads: int,
        progress: _Progress,
    ) -> _Floats: ...  # (ridges, rows, columns)
    def left_out(
        self,
        rows: _LandmarkRows,
        targets: _Floats,
        *,
        weights: _Floats,
        landmark: NDArray[np.int64],
        ridges: Sequence[float],
        threads: int,
        progress: _Progress,
    ) -> _LeftOut: ...
    def expanded(
        self,
        rows: _LandmarkRows,
        targets: _Floats,
        sums: LandmarkSums,
        *,
        fold: int,
        held_out: int,
        order: int,
        ridges: Sequence[float],
        threads: int,
        progress: _Progress,
    ) -> _Floats: ...  # (ridges, rows, columns)
    def fit(self, ridges: Sequence[float]) -> tuple[_Floats, _Floats]: ...
    def spread(self, ridges: Sequence[float]) -> tuple[_Floats, _Floats, _Floats]: ...

def held_out_losses(residuals: _Floats, targets: _Floats, *, zero_one: bool) -> _HeldOut: ...
