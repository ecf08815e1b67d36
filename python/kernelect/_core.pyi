from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

level: str
version: str
simd: str

# pybind11 gives its classes a metaclass of its own.
class _Metaclass(type): ...

class Sample(metaclass=_Metaclass):
    def __init__(self, groups: Sequence[int], classes: int) -> None: ...
    def add_dense(self, x: NDArray[np.float64], like: Sample | None = None) -> None: ...
    def add_sparse(
        self,
        values: NDArray[np.float64],
        columns: NDArray[np.int32],
        starts: NDArray[np.int64],
        features: int,
    ) -> None: ...
    def add_matrix(self, k: NDArray[np.float64]) -> None: ...
    @property
    def size(self) -> int: ...

def use_scipy_lapack() -> None: ...
def use_eigen() -> None: ...
def has_lapack() -> bool: ...
def gram(
    program: Sequence[tuple[str, float, float, int, int]],
    left: Sample,
    right: Sample | None,
    *,
    threads: int,
    progress: Callable[[float], object] | None,
) -> NDArray[np.float64]: ...
def diagonal(
    program: Sequence[tuple[str, float, float, int, int]], sample: Sample
) -> NDArray[np.float64]: ...
def score_moments(
    sample: Sample,
    targets: NDArray[np.float64],
    means: NDArray[np.float64],
    programs: Sequence[Sequence[tuple[str, float, float, int, int]]],
    criteria: Sequence[tuple[str, int, bool, bool, bool, bool]],
    *,
    memory: float,
    threads: int,
    progress: Callable[[float], object] | None,
) -> tuple[NDArray[np.float64], list[list[str]]]: ...

class RidgeRequest(metaclass=_Metaclass):
    def __init__(
        self,
        *,
        targets: NDArray[np.float64],
        lambdas: Sequence[float],
        mean: bool,
        bias: bool,
        weights: NDArray[np.float64],
        fit: bool,
        gcv: bool,
        loo: bool,
        fold_sets: Sequence[Sequence[NDArray[np.int64]]],
        cv: bool,
        bif_order: int,
        zero_one: bool,
        outputs: bool,
        shortcuts: bool,
        eigen: bool,
    ) -> None: ...

def ridge(
    grams: Sequence[NDArray[np.float64]],
    request: RidgeRequest,
    *,
    n_threads: int,
    progress: Callable[[float], object] | None,
) -> dict[str, Any]: ...
def ridge_kernels(
    sample: Sample,
    programs: Sequence[Sequence[tuple[str, float, float, int, int]]],
    request: RidgeRequest,
    *,
    scaling: str,
    threads: int,
    progress: Callable[[float], object] | None,
) -> dict[str, Any]: ...
def bayesian_regularisation(
    loo_squared: NDArray[np.float64], n: int, eta: NDArray[np.float64]
) -> float: ...
def off_diagonal_shares(
    sample: Sample,
    programs: Sequence[Sequence[tuple[str, float, float, int, int]]],
    *,
    threads: int,
) -> NDArray[np.float64]: ...
def leading_spectrum(
    k: NDArray[np.float64],
    *,
    count: int,
    vectors: bool,
    tolerance: float,
    vector_tolerance: float,
    warm: NDArray[np.float64] | None,
    n_threads: int,
    progress: Callable[[float], object] | None,
) -> dict[str, Any]: ...
def full_spectrum(
    k: NDArray[np.float64], *, vectors: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]: ...
def label_energies(vectors: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]: ...
def lanczos_quadrature(
    k: NDArray[np.float64],
    starts: NDArray[np.float64],
    *,
    steps: int,
    n_threads: int,
    progress: Callable[[float], object] | None,
) -> list[tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], bool]]: ...
def hinge_forms(
    k: NDArray[np.float64],
    starts: NDArray[np.float64],
    *,
    threshold: float,
    tolerance: float,
    max_steps: int,
    n_threads: int,
    progress: Callable[[float], object] | None,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_]]: ...
def hinge_sum(
    values: NDArray[np.float64], energies: NDArray[np.float64], *, threshold: float
) -> NDArray[np.float64]: ...
def kernel_spectra(
    sample: Sample,
    programs: Sequence[Sequence[tuple[str, float, float, int, int]]],
    *,
    count: int,
    store: bool,
    tolerance: float,
    threads: int,
    progress: Callable[[float], object] | None,
) -> dict[str, Any]: ...
def sample_gram(
    sample: Sample, program: Sequence[tuple[str, float, float, int, int]], *, threads: int
) -> NDArray[np.float64]: ...
def label_vectors(
    sample: Sample, targets: NDArray[np.float64], *, plain: bool
) -> NDArray[np.float64]: ...
def kernel_quadrature(
    sample: Sample,
    program: Sequence[tuple[str, float, float, int, int]],
    starts: NDArray[np.float64],
    *,
    steps: int,
    threads: int,
    progress: Callable[[float], object] | None,
) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]: ...
def kernel_hinge_forms(
    sample: Sample,
    program: Sequence[tuple[str, float, float, int, int]],
    starts: NDArray[np.float64],
    *,
    threshold: float,
    tolerance: float,
    max_steps: int,
    threads: int,
    progress: Callable[[float], object] | None,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_]]: ...

class KernelStack(metaclass=_Metaclass):
    def __init__(
        self,
        sample: Sample,
        programs: Sequence[Sequence[tuple[str, float, float, int, int]]],
        *,
        memory: float,
        threads: int,
        progress: Callable[[float], object] | None,
    ) -> None: ...
    @property
    def size(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def stored(self) -> bool: ...
    def combine(self, weights: NDArray[np.float64], *, threads: int) -> NDArray[np.float64]: ...
    def products(self, vectors: NDArray[np.float64], *, threads: int) -> NDArray[np.float64]: ...
    def inner(self, g: NDArray[np.float64], *, threads: int) -> NDArray[np.float64]: ...
    def centred_products(self, *, threads: int) -> NDArray[np.float64]: ...

def kernel_operations() -> dict[str, bool]: ...
def moment_criteria() -> dict[str, int]: ...

class MomentSums(metaclass=_Metaclass):
    @property
    def complete(self) -> bool: ...
    def merge(self, other: MomentSums) -> None: ...
    def __getstate__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: tuple[Any, ...], /) -> None: ...

def moment_leaves(sample: Sample) -> int: ...
def moment_sums(
    sample: Sample,
    targets: NDArray[np.float64],
    means: NDArray[np.float64],
    programs: Sequence[Sequence[tuple[str, float, float, int, int]]],
    criteria: Sequence[tuple[str, int, bool, bool, bool, bool]],
    *,
    first_leaf: int,
    last_leaf: int,
    threads: int,
    progress: Callable[[float], object] | None,
) -> MomentSums: ...
def score_moments_from(
    sums: MomentSums,
    sample: Sample,
    targets: NDArray[np.float64],
    means: NDArray[np.float64],
    programs: Sequence[Sequence[tuple[str, float, float, int, int]]],
    criteria: Sequence[tuple[str, int, bool, bool, bool, bool]],
    *,
    threads: int,
    progress: Callable[[float], object] | None,
) -> tuple[NDArray[np.float64], list[list[str]]]: ...
