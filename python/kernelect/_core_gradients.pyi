# What the core offers with derivatives: a part of _core, there is no module of this name.
from collections.abc import Sequence
from typing import Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from ._core import Sample, _Floats, _Program, _Progress

class _KernelGradient(TypedDict):
    numbers: _Floats  # (nodes of the program, 2): a dJ/da and b dJ/db
    columns: list[_Floats]  # of every weighted leaf: dJ/dw of its columns

class _RidgeObjective(_KernelGradient):
    value: float
    by_rho: float
    jitter: float

class _MomentObjective(_KernelGradient):
    value: float

def moment_objective(
    sample: Sample,
    targets: _Floats,
    means: _Floats,
    program: _Program,
    criterion: tuple[str, int, bool, bool, bool, bool],
    *,
    leaves: Sequence[tuple[int, _Floats]],
    threads: int,
    progress: _Progress,
) -> _MomentObjective: ...
def ridge_objective(
    sample: Sample,
    program: _Program,
    *,
    goal: Literal["loo", "log_probability", "cv", "evidence"],
    targets: _Floats,
    rho: float,
    bias: bool,
    weights: _Floats,
    folds: Sequence[NDArray[np.int64]],
    variance: float,
    leaves: Sequence[tuple[int, _Floats]],
    threads: int,
    progress: _Progress,
) -> _RidgeObjective: ...
