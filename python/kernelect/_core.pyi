from collections.abc import Callable, Sequence
from typing import Literal, NotRequired, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

from ._core_gradients import _KernelGradient as _KernelGradient
from ._core_gradients import _MomentObjective as _MomentObjective
from ._core_gradients import _RidgeObjective as _RidgeObjective
from ._core_gradients import moment_objective as moment_objective
from ._core_gradients import ridge_objective as ridge_objective
from ._core_landmarks import LandmarkRidge as LandmarkRidge
from ._core_landmarks import Landmarks as Landmarks
from ._core_landmarks import LandmarkSums as LandmarkSums
from ._core_landmarks import _LandmarkRows as _LandmarkRows
from ._core_landmarks import _RowTables as _RowTables
from ._core_landmarks import _SparseTable as _SparseTable
from ._core_landmarks import choose_landmarks as choose_landmarks
from ._core_landmarks import choose_stored_landmarks as choose_stored_landmarks
from ._core_landmarks import held_out_losses as held_out_losses
from ._core_sampled import _SampledSums as _SampledSums
from ._core_sampled import sampled_sums as sampled_sums

_Floats: TypeAlias = NDArray[np.float64]
# A kernel in postfix order: (operation, a, b, count, source).
_Program: TypeAlias = Sequence[tuple[str, float, float, int, int]]
_Progress: TypeAlias = Callable[[float], object] | None

level: str
version: str
simd: str

# A kernel matrix for which there is no answer, such as one that is not finite.
class Undefined(ValueError): ...

# pybind11 gives its classes a metaclass of its own.
class _Metaclass(type): ...

class Sample(metaclass=_Metaclass):
    def __init__(self, groups: Sequence[int], classes: int) -> None: ...
    def add_dense(self, x: _Floats, like: Sample | None = None) -> None: ...
    def add_sparse(
        self,
        values: _Floats,
        columns: NDArray[np.int32],
        starts: NDArray[np.int64],
        features: int,
    ) -> None: ...
    def add_matrix(self, k: _Floats) -> None: ...
    @property
    def size(self) -> int: ...

def use_scipy_lapack() -> None: ...
def use_eigen() -> None: ...
def take_blas_work_spaces(*, threads: int) -> None: ...
def has_lapack() -> bool: ...
def gram(
    program: _Program,
    left: Sample,
    right: Sample | None,
    *,
    threads: int,
    progress: _Progress,
) -> _Floats: ...
def cross_products(
    programs: Sequence[_Program],
    sample: Sample,
    others: Sample,
    vectors: Sequence[_Floats],
    *,
    threads: int,
) -> _Floats: ...
def diagonal(program: _Program, sample: Sample) -> _Floats: ...
def score_moments(
    sample: Sample,
    targets: _Floats,
    means: _Floats,
    programs: Sequence[_Program],
    criteria: Sequence[tuple[str, int, bool, bool, bool, bool]],
    *,
    memory: float,
    threads: int,
    progress: _Progress,
) -> tuple[_Floats, list[list[str]]]: ...

class RidgeRequest(metaclass=_Metaclass):
    def __init__(
        self,
        *,
        targets: _Floats,
        lambdas: Sequence[float],
        mean: bool = ...,
        bias: bool = ...,
        weights: _Floats = ...,
        fit: bool = ...,
        gcv: bool = ...,
        evidence: bool = ...,
        loo: bool = ...,
        variances: bool = ...,
        fold_sets: Sequence[Sequence[NDArray[np.int64]]] = ...,
        cv: bool = ...,
        bif_order: int = ...,
        zero_one: bool = ...,
        outputs: bool = ...,
        shortcuts: bool = ...,
        eigen: bool = ...,
    ) -> None: ...

# What follows is a dictionary at run time. Arrays begin with (candidates, lambdas), n is the number
# of rows; what was not asked for is absent, and NaN stands where a candidate has no answer.

class _HeldOut(TypedDict):
    squared: NotRequired[_Floats]  # (.., columns): mean squared loss; folds may take it out
    point_squared: _Floats  # (.., n): of every point, mean over columns; NaN if never held out
    zero_one: NotRequired[_Floats]  # (..): mean classification loss
    point_zero_one: NotRequired[_Floats]  # (.., n)
    outputs: NotRequired[_Floats]  # (.., n, columns): the held-out outputs themselves
    variances: NotRequired[_Floats]  # (.., n), of leave-one-out: 1 / P_ii

class _RidgeResults(TypedDict):
    error: list[list[str]]  # [candidate][lambda]: why there is no answer; "" if there is one
    path: list[list[str]]  # the most expensive way that was needed: "identity" .. "dense"
    jitter: _Floats  # (..): the largest number that had to be added to the diagonal
    alpha: NotRequired[_Floats]  # (.., n, columns), with bias if fit was asked for
    bias: NotRequired[_Floats]  # (.., columns)
    fit_jitter: NotRequired[_Floats]  # (..): that of alpha; y - f = (rho / w + it) alpha
    trace: NotRequired[_Floats]  # (..): tr P, with leverages and gcv
    leverages: NotRequired[_Floats]  # (.., n)
    gcv: NotRequired[_Floats]  # (.., columns)
    log_determinant: NotRequired[_Floats]  # (..): log |A|, with a bias + log 1'A^-1 1
    energies: NotRequired[_Floats]  # (.., columns): y'Py
    loo: NotRequired[_HeldOut]
    cv: list[_HeldOut]  # one per fold set, or empty
    bif: list[_HeldOut]  # one per fold set, or empty

class _KernelRidgeResults(_RidgeResults):
    scale: _Floats  # (candidates,): what each kernel matrix was multiplied by

class _LeadingSpectrum(TypedDict):
    values: _Floats  # the count + 1 largest eigenvalues, descending
    vectors: _Floats | None  # (n, count), columns in the same order
    residuals: _Floats  # |K v - lambda v| of each value, as far as the method knows it
    trace: float
    sum_error: float  # estimated error of the sum of the values
    smallest: float  # an upper bound of the smallest eigenvalue
    products: int  # vectors multiplied
    converged: bool
    method: Literal["lanczos", "diagonal", "full"]

class _KernelSpectra(TypedDict):  # NaN for a kernel matrix that is not finite
    values: _Floats  # (candidates, count + 1), descending
    trace: _Floats  # (candidates,)
    smallest: _Floats  # (candidates,): upper bounds of the smallest eigenvalue
    converged: list[bool]

def ridge(
    grams: Sequence[_Floats],
    request: RidgeRequest,
    *,
    threads: int,
    progress: _Progress,
) -> _RidgeResults: ...
def ridge_kernels(
    sample: Sample,
    programs: Sequence[_Program],
    request: RidgeRequest,
    *,
    scaling: str,
    threads: int,
    progress: _Progress,
) -> _KernelRidgeResults: ...
def bayesian_regularisation(loo_squared: _Floats, n: int, eta: _Floats) -> float: ...
def off_diagonal_shares(
    sample: Sample,
    programs: Sequence[_Program],
    *,
    squares: bool,
    threads: int,
) -> _Floats: ...
def leading_spectrum(
    k: _Floats,
    *,
    count: int,
    vectors: bool,
    tolerance: float,
    vector_tolerance: float,
    warm: _Floats | None,
    threads: int,
    progress: _Progress,
) -> _LeadingSpectrum: ...
def full_spectrum(
    k: _Floats, *, vectors: bool, progress: _Progress = None
) -> tuple[_Floats, _Floats | None]: ...
def label_energies(vectors: _Floats, y: _Floats) -> _Floats: ...
def hinge_forms(
    k: _Floats,
    starts: _Floats,
    *,
    threshold: float,
    tolerance: float,
    max_steps: int,
    threads: int,
    progress: _Progress,
) -> tuple[_Floats, _Floats, NDArray[np.int64], NDArray[np.bool_]]: ...
def hinge_sum(values: _Floats, energies: _Floats, *, threshold: float) -> float: ...
def kernel_spectra(
    sample: Sample,
    programs: Sequence[_Program],
    *,
    count: int,
    store: bool,
    tolerance: float,
    threads: int,
    progress: _Progress,
) -> _KernelSpectra: ...
def sample_gram(
    sample: Sample, program: _Program, *, threads: int, progress: _Progress
) -> _Floats: ...
def label_vectors(sample: Sample, targets: _Floats, *, plain: bool) -> _Floats: ...
def kernel_products(
    sample: Sample, program: _Program, vectors: _Floats, *, threads: int, progress: _Progress
) -> _Floats: ...  # (vectors, rows)
def kernel_quadrature(
    sample: Sample,
    program: _Program,
    starts: _Floats,
    *,
    steps: int,
    store: bool = ...,
    threads: int,
    progress: _Progress,
) -> list[tuple[_Floats, _Floats]]: ...
def kernel_hinge_forms(
    sample: Sample,
    program: _Program,
    starts: _Floats,
    *,
    threshold: float,
    tolerance: float,
    max_steps: int,
    threads: int,
    progress: _Progress,
) -> tuple[_Floats, _Floats, NDArray[np.int64], NDArray[np.bool_]]: ...

class KernelStack(metaclass=_Metaclass):
    def __init__(
        self,
        sample: Sample,
        programs: Sequence[_Program],
        *,
        memory: float,
        threads: int,
        progress: _Progress,
    ) -> None: ...
    @property
    def size(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def stored(self) -> bool: ...
    def combine(self, weights: _Floats, *, threads: int, progress: _Progress) -> _Floats: ...
    def products(self, vectors: _Floats, *, threads: int, progress: _Progress) -> _Floats: ...
    def inner(self, g: _Floats, *, threads: int, progress: _Progress) -> _Floats: ...
    def centred_products(self, *, threads: int, progress: _Progress) -> _Floats: ...

def kernel_operations() -> dict[str, bool]: ...
def moment_criteria() -> dict[str, int]: ...

class MomentSums(metaclass=_Metaclass):
    def __init__(self, /, *args: object, **kwargs: object) -> None: ...  # made by moment_sums
    @property
    def complete(self) -> bool: ...
    def merge(self, other: MomentSums) -> None: ...
    def __getstate__(self) -> tuple[object, ...]: ...
    def __setstate__(self, state: tuple[object, ...], /) -> None: ...

def moment_leaves(sample: Sample) -> int: ...
def moment_sums(
    sample: Sample,
    targets: _Floats,
    means: _Floats,
    programs: Sequence[_Program],
    criteria: Sequence[tuple[str, int, bool, bool, bool, bool]],
    *,
    first_leaf: int,
    last_leaf: int,
    threads: int,
    progress: _Progress,
) -> MomentSums: ...
def score_moments_from(
    sums: MomentSums,
    sample: Sample,
    targets: _Floats,
    means: _Floats,
    programs: Sequence[_Program],
    criteria: Sequence[tuple[str, int, bool, bool, bool, bool]],
    *,
    threads: int,
    progress: _Progress,
) -> tuple[_Floats, list[list[str]]]: ...
