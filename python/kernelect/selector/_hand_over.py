"""How an elected kernel is put into somebody else's estimator."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.gaussian_process.kernels import Kernel as GaussianProcessKernel
from sklearn.pipeline import Pipeline

from .._support.arrays import FloatArray
from .._support.warning import warn_caller
from ..kernels import Kernel, Precomputed
from ..kernels._gaussian_process import in_unit_of, place_in, put_into
from ..kernels._order import order_of
from ..lssvm._least_squares import LeastSquares
from ..results import RidgeModel, Selection

# A variance that is there for the numbers alone: scikit-learn's own is 1e-10.
_NO_NOISE = 1e-8


@dataclass(frozen=True)
class HandOver:
    """Parameters for an estimator, and what it is to be fed in place of rows.

    Attributes
    ----------
    params : dict
        What is set on it.
    precomputed : bool
        Whether it takes kernel matrices.
    factors : ndarray or None
        By what columns are multiplied, where it takes rows with scaled columns.
    """

    params: dict[str, Any]
    precomputed: bool
    factors: FloatArray | None = None


def hand_over(
    kernel: Kernel,
    estimator: Any,
    model: RidgeModel | None = None,
    *,
    y: Any = None,
    objects: bool = False,
) -> HandOver:
    """Find the way in: scikit-learn's own kernel, our callable, or a precomputed matrix.

    With a model its regularisation goes in too; else, with y, what a Gaussian process is to find by
    itself begins in the unit of y. Rows that are objects go in as matrices alone.
    """
    if objects:
        kernel = Precomputed(0)
    names = set(estimator.get_params(deep=False))
    scaled = kernel._on_scaled_columns
    if scaled is not None and {"kernel", "gamma"} <= names:
        # A width for every column is one width on scaled columns: scikit-learn's own fast kernel.
        way = hand_over(scaled[1], estimator, model)
        return replace(way, factors=np.array(scaled[0]))
    if "kernel" in names:
        params = (
            kernel.params_for(estimator) if model is None else model.params_for(estimator, kernel)
        )
        if model is None and isinstance(estimator.kernel, GaussianProcessKernel):
            # Constants and noise around the kernel are the caller's.
            own = {"kernel": estimator.kernel}
            if y is not None and is_regressor(estimator) and not estimator.normalize_y:
                own = in_unit_of(y, estimator.kernel, estimator.alpha)
            elected = params["kernel"]
            params |= {**own, "kernel": put_into(own["kernel"], elected) or elected}
        if params["kernel"] is not kernel or _takes_callables(estimator):
            return HandOver(params, params["kernel"] == "precomputed")
        return HandOver({**params, "kernel": "precomputed"}, True)
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


def beside(chosen: Selection, machine: Any) -> tuple[dict[int, float], dict[int, float]]:
    """Return gamma of all candidates before the winner and after it, by their places, next first.

    None unless they are an ordered grid whose members a machine has as its own Gaussian.
    """
    kernels, index = chosen.table.kernels, chosen.index
    gaussian = getattr(machine, "kernel", None) == "rbf"
    if not gaussian or order_of(kernels) is None or kernels[index] != chosen.kernel:
        return {}, {}

    def gammas(places: range) -> dict[int, float]:
        return {place: float(kernels[place].params_for(machine)["gamma"]) for place in places}

    return gammas(range(index - 1, -1, -1)), gammas(range(index + 1, len(kernels)))


def loses_rows_of_no_weight(estimator: Any, kernel: Any) -> bool:
    """Whether rows of weight zero must be left out before the fit.

    LIBSVM leaves them out itself, but scikit-learn then looks up kernel values at the places among
    all rows, so that predictions from callables and matrices are wrong (scikit-learn pull request
    27763).
    """
    return is_libsvm(estimator) and (not isinstance(kernel, str) or kernel == "precomputed")


def is_libsvm(estimator: Any) -> bool:
    """Whether an estimator is one of scikit-learn's support vector machines with kernels."""
    return estimator is not None and {"shrinking", "cache_size"} <= set(
        estimator.get_params(deep=False)
    )


def is_bare_process(estimator: Any) -> bool:
    """Whether an estimator is a Gaussian process regression with no noise and no kernel to keep.

    As it comes it goes through every point, with a signal of 1 in whatever unit y has, and so would
    one whose covariance has no single place for the elected kernel, which stands for all of it.
    """
    known = hasattr(estimator, "get_params") and not isinstance(estimator, type)
    given = estimator.get_params(deep=False) if known else {}
    if not {"kernel", "alpha", "optimizer", "normalize_y"} <= set(given):
        return False
    replaced = given["kernel"] is None or place_in(given["kernel"]) is None
    return replaced and bool(np.all(np.asarray(given["alpha"]) <= _NO_NOISE))


def _takes_callables(estimator: Any) -> bool:
    """Whether a callable kernel is called on whole arrays.

    Scikit-learn's SVMs do so; its other estimators call it for every pair of rows, which is slow
    and not what our kernels expect.
    """
    return isinstance(estimator, LeastSquares) or is_libsvm(estimator)


def refuse_without_regularisation(estimator: Any) -> None:
    """Raise where an estimator has nothing that stands for a ridge."""
    kind = type(estimator).__name__
    learns = is_classifier(estimator) or is_regressor(estimator)
    if learns and RidgeModel(1.0, 2).params_for(estimator):
        return
    wanted = (
        f"a parameter C, alpha or lam, which {kind} does not have"
        if learns
        else f"a classifier or regressor, which {kind} is not"
    )
    raise ValueError(
        f'C="auto" (or regularization="auto") needs {wanted}; leave C=None and regularization=None'
    )


def warn_replaced(kernel: Kernel, estimator: Any) -> None:
    """Say so where the covariance of a Gaussian process that was given is not what is fitted."""
    given = getattr(estimator, "kernel", None)
    if not isinstance(given, GaussianProcessKernel):
        return
    elected = kernel.params_for(estimator)["kernel"]
    place = place_in(given)
    if type(place) is not type(elected):
        warn_caller(
            f"the kernel {given if place is None else place} of {type(estimator).__name__} is "
            f"replaced by the elected {elected}, which is of another kind; give kernels=[...] of "
            "the kind that you want"
        )
