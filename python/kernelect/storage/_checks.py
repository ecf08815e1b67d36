"""Whether the parts of a model that was read from a file fit together.

LIBSVM and the compiled core take shapes for granted or refuse them with words about matrices that
the reader of a file has never seen; here a TypeError is raised, which the reader of the file words.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sklearn
from sklearn.base import is_classifier
from sklearn.kernel_ridge import KernelRidge

from .._data.outputs import LogisticProbabilities
from .._data.rows import is_sparse
from .._data.target import Target
from .._support.arguments import is_number, is_whole
from ..kernels import Kernel
from ..lssvm._fits.landmark_deviation import Posterior
from ..lssvm._least_squares import LeastSquares
from ..lssvm._solvers import SOLVERS
from ..mkl._prediction import KernelMachine
from ..results import Committee, LandmarkMap, Selection
from ..selector import KernelSelector
from ._classes import MACHINES, SCALERS, THEIRS


def check(model: Any) -> None:
    """Raise unless what a fit has left, if there was one, is whole."""
    fitted = vars(model).keys() - vars(type(model)(**model.get_params(deep=False))).keys()
    if not fitted - {"_metadata_request"}:
        return
    if "n_features_in_" in fitted:
        _want(is_whole(model.n_features_in_) and model.n_features_in_ > 0)
    if "feature_names_in_" in fitted:
        _want(_has_shape(model.feature_names_in_, model.n_features_in_, kinds="OU"))
    if isinstance(model, THEIRS):
        _check_names(type(model), fitted)
    for kinds, look in (
        (LeastSquares, _check_least_squares),
        (LandmarkMap, _check_landmark_map),
        (KernelMachine, _check_kernel_machine),
        (KernelSelector, _check_selector),
        (MACHINES, _check_libsvm),
        (KernelRidge, _check_kernel_ridge),
        (SCALERS, _check_scaler),
    ):
        if isinstance(model, kinds):
            look(model)


def _check_least_squares(model: Any) -> None:
    target = model._target
    committee = isinstance(model.kernel_, list)
    kernels = model.kernel_ if committee else [model.kernel_]
    members = (len(kernels),) if committee else ()
    _want(isinstance(target, Target) and all(isinstance(k, Kernel) for k in kernels))
    rows, columns = model.dual_coef_.shape[-2:]
    _want(model.solver_ in SOLVERS[1:])
    n = rows if model.landmarks_ is None else target.size
    _check_target(target, n)
    _want(target.columns().shape == (n, columns))
    _want(_has_shape(model.dual_coef_, *members, rows, columns))
    if model.landmarks_ is not None:
        _check_landmarks(model, rows)
    _want(_has_shape(model.intercept_, columns))
    _want(_has_shape(model._loo_outputs, n, columns))
    _want(_has_shape(model.loo_residuals_, n) or _has_shape(model.loo_residuals_, n, columns))
    lams = np.atleast_1d(model.lam_)
    shapes = (members,) if committee else ((1,), (columns,))
    _want(lams.dtype.kind == "f" and lams.shape in shapes and bool((lams > 0).all()))
    if committee:
        _want(isinstance(model.committee_, Committee) and model.committee_.kernels == kernels)
    _want(is_number(model.jitter_))
    _check_rows(model.X_fit_, rows, model.n_features_in_)
    if is_classifier(model):
        _want(isinstance(model._indicators, bool))
        _check_classes(model.classes_, columns if model._indicators else max(columns, 2))
    else:
        _want(isinstance(model._one_target, bool) and (columns == 1 or not model._one_target))
        known = model._posterior
        _want(known is None or (isinstance(known, Posterior) and model.landmarks_ is not None))
        _want(known is None or (len(known.centre), len(known.units)) == (rows, columns))


def _check_landmarks(model: Any, count: int) -> None:
    numbers = model.landmarks_
    _want(_has_shape(numbers, count, kinds="i") and bool((numbers >= 0).all()))


def _check_landmark_map(model: Any) -> None:
    _check_landmarks(model, model.X_fit_.shape[0])
    _want(isinstance(model.kernel_, Kernel))
    _check_rows(model.X_fit_, len(model.landmarks_), model.n_features_in_)


def _check_target(target: Target, n: int) -> None:
    _want(target.task in ("classification", "regression"))
    _want(_has_shape(target.codes, n, kinds="i") and target.values.ndim == 2)
    _want(_has_shape(target.values, len(target.values), n))
    _want(target.classes.ndim == 1)
    _want(target.weights is None or _has_shape(target.weights, n))
    if target.task == "classification":
        _want(target.codes.min() >= 0 and target.codes.max() < len(target.classes))


def _check_kernel_machine(model: Any) -> None:
    columns, count = model.dual_coef_.shape
    _want(isinstance(model.kernel_, Kernel) and all(isinstance(k, Kernel) for k in model.kernels_))
    _want(_has_shape(model.dual_coef_, columns, count) and _has_shape(model.intercept_, columns))
    _want(_has_shape(model.support_, count, kinds="i") and bool((model.support_ >= 0).all()))
    _want(len(model.weights_) == len(model.kernels_) > 0)
    if model.X_fit_ is None:
        n, given = model._n_fit, len(model.candidate_weights_)
        _want(is_whole(n) and (count == 0 or bool((model.support_ < n).all())))
        _want(len(model._places) == len(model.kernels_))
        _want(all(is_whole(place) and 0 <= place < given for place in model._places))
    else:
        _check_rows(model.X_fit_, count, model.n_features_in_)
    if is_classifier(model):
        _check_classes(model.classes_, max(columns, 2))
        curve = model._probabilities
        if curve is not None:
            _want(isinstance(curve, LogisticProbabilities) and is_number(curve.slope))


def _check_selector(model: Any) -> None:
    _want(isinstance(model.result_, Selection) and isinstance(model.best_kernel_, Kernel))
    _want(all(isinstance(flag, bool) for flag in (model._precomputed, model._on_matrices)))
    _want(is_whole(model.best_index_) and 0 <= model.best_index_ < len(model.result_.table.kernels))
    if not model.refit:
        return
    _want(hasattr(model.best_estimator_, "n_features_in_") or callable(_kernel(model)))
    _want(isinstance(model.best_params_, dict))
    n = model.n_features_in_
    if model._on_matrices:
        columns = model._columns
        _want(
            columns == slice(None)
            if isinstance(columns, slice)
            else _has_shape(columns, n, kinds="b")
        )
    else:
        _check_rows(model.X_fit_, model.X_fit_.shape[0], n, kinds="f")


def _kernel(model: Any) -> Any:
    return model.best_estimator_.get_params(deep=False).get("kernel")


def _check_libsvm(model: Any) -> None:
    """Check all that LIBSVM reads without asking how much there is of it."""
    rows, features = model.shape_fit_
    _want(is_whole(rows) and is_whole(features) and isinstance(model._sparse, bool))
    classifies = hasattr(model, "classes_")
    groups = len(model.classes_) if classifies else 2
    machines, columns = groups * (groups - 1) // 2, groups - 1
    support, counts = model.support_, model._n_support
    _want(_has_shape(support, len(support), kinds="i") and support.dtype == np.int32)
    _want(not len(support) or bool(support.min() >= 0 and support.max() < rows))
    _want(_has_shape(counts, groups, kinds="i") and counts.dtype == np.int32)
    _want(bool((counts >= 0).all()) and (not classifies or int(counts.sum()) == len(support)))
    for name in ("dual_coef_", "_dual_coef_"):
        _check_rows(getattr(model, name), columns, len(support), kinds="f")
        _want(is_sparse(getattr(model, name)) == model._sparse)
    for name in ("intercept_", "_intercept_"):
        _want(_has_shape(getattr(model, name), machines))
    for name in ("_probA", "_probB"):
        _want(len(getattr(model, name)) in (0, machines) and getattr(model, name).dtype == float)
    _want(is_number(model._gamma) and model.fit_status_ in (0, 1))
    vectors = model.support_vectors_
    if isinstance(model.kernel, str) and model.kernel != "precomputed":
        _check_rows(vectors, len(support), features, kinds="f")
    else:
        _want(0 in vectors.shape or vectors.shape[0] == len(support))
    _want(is_sparse(vectors) == model._sparse)
    if callable(model.kernel):
        _check_rows(model._BaseLibSVM__Xfit, rows, features, kinds="f")


def _check_kernel_ridge(model: Any) -> None:
    n = model.dual_coef_.shape[0]
    _want(model.dual_coef_.ndim in (1, 2) and model.dual_coef_.dtype.kind == "f")
    _check_rows(model.X_fit_, n, model.n_features_in_)


def _check_scaler(model: Any) -> None:
    for name, value in vars(model).items():
        if name.endswith("_") and isinstance(value, np.ndarray) and value.ndim == 1:
            _want(len(value) == model.n_features_in_ and value.dtype.kind in "fiuOU")


def _check_rows(rows: Any, n: int, features: int, kinds: str = "fiu") -> None:
    _want(is_sparse(rows) or isinstance(rows, np.ndarray))
    _want(rows.shape == (n, features) and rows.dtype.kind in kinds)


def _check_classes(classes: Any, count: int) -> None:
    _want(_has_shape(classes, count, kinds="biufOUSM"))


@cache
def _parts_of(kind: Any) -> frozenset[str]:
    """Names of what a fit leaves in this version of scikit-learn."""
    model = kind().fit([[0.0], [1.0]], [0, 1])
    return frozenset(vars(model).keys() - vars(kind()).keys())


def _check_names(kind: Any, fitted: Any) -> None:
    optional = {"n_features_in_", "feature_names_in_"}  # a callable kernel may see no features
    lacking = sorted(_parts_of(kind) - set(fitted) - optional)
    if lacking:
        raise ValueError(
            f"the file's {kind.__name__} lacks {', '.join(lacking)} of scikit-learn "
            f"{sklearn.__version__}; load it with the version that it was saved with, or fit it "
            "anew"
        )


def _has_shape(array: Any, *shape: int, kinds: str = "f") -> bool:
    return isinstance(array, np.ndarray) and array.shape == shape and array.dtype.kind in kinds


def _want(condition: bool) -> None:
    if not condition:
        raise TypeError  # the reader of the file says which it is
