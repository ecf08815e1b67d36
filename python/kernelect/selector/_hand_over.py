"""How an elected kernel is put into somebody else's estimator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sklearn.base import is_classifier, is_regressor
from sklearn.pipeline import Pipeline

from ..kernels import Kernel
from ..lssvm._least_squares import LeastSquares


@dataclass(frozen=True)
class HandOver:
    """Parameters for an estimator, and whether it is to be fed kernel matrices instead of rows."""

    params: dict[str, Any]
    precomputed: bool


def hand_over(kernel: Kernel, estimator: Any) -> HandOver:
    """Find the way in: scikit-learn's own kernel, our callable, or a precomputed matrix."""
    names = set(estimator.get_params(deep=False))
    if "kernel" in names:
        params = kernel.params_for(estimator)
        if params["kernel"] is not kernel or _takes_callables(estimator, names):
            return HandOver(params, params["kernel"] == "precomputed")
        return HandOver({"kernel": "precomputed"}, True)
    if "affinity" in names:  # spectral clustering and embedding, affinity propagation
        # Some of these know no other affinity of scikit-learn's own than one of a width alone.
        params = {"kernel": "precomputed", **kernel._params_for(names & {"gamma"})}
        affinity = params.pop("kernel")
        return HandOver({"affinity": affinity, **params}, affinity == "precomputed")
    remedy = (
        "; put KernelSelector at the end of the pipeline instead: "
        "make_pipeline(..., KernelSelector(...))"
        if isinstance(estimator, Pipeline)
        else ""
    )
    raise ValueError(
        f"{type(estimator).__name__} has neither a 'kernel' nor an 'affinity' parameter to put an "
        f"elected kernel into{remedy}"
    )


def loses_rows_of_no_weight(estimator: Any, kernel: Any) -> bool:
    """Whether rows of weight zero must be left out before the fit.

    LIBSVM leaves them out itself, but scikit-learn then looks up kernel values at the places among
    all rows, so that predictions from callables and matrices are wrong (scikit-learn pull request
    27763).
    """
    libsvm = {"shrinking", "cache_size"} <= set(estimator.get_params(deep=False))
    return libsvm and (not isinstance(kernel, str) or kernel == "precomputed")


def _takes_callables(estimator: Any, names: set[str]) -> bool:
    """Whether a callable kernel is called on whole arrays.

    Scikit-learn's SVMs do so; its other estimators call it for every pair of rows, which is slow
    and not what our kernels expect.
    """
    return isinstance(estimator, LeastSquares) or {"shrinking", "cache_size"} <= names


def regularised(estimator: Any, ridge: float) -> dict[str, float]:
    """Parameters that stand for a ridge K + ridge I in an estimator's own terms.

    A support vector machine minimises C sum(loss) + |f|^2/2, a ridge system sum(loss) + ridge
    |f|^2: equal weights at C = 1/(2 ridge).
    """
    names = set(estimator.get_params(deep=False))
    # The alpha of a transformer such as KernelPCA is another thing.
    learns = is_classifier(estimator) or is_regressor(estimator)
    for name, value in (("lam", ridge), ("C", 0.5 / ridge), ("alpha", ridge)):
        if name in names and learns:
            return {name: value}
    kind = type(estimator).__name__
    wanted = (
        f"a parameter C, alpha or lam, which {kind} does not have"
        if learns
        else f"a classifier or regressor, which {kind} is not"
    )
    raise ValueError(
        f'C="auto" (or regularization="auto") needs {wanted}; leave C=None and regularization=None'
    )


def with_lambda(estimator: Any, lam: float, rows: int) -> dict[str, float]:
    """Parameters that stand for a lambda, of which the ridge is this many `rows` times as much."""
    if "lam" in estimator.get_params(deep=False):
        return {"lam": lam}  # our own learners, in the same convention
    return regularised(estimator, lam * rows)
