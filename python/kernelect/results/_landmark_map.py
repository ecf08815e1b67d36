"""Landmarks of a kernel as features for linear learners."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from .._data.row_order import first_rows
from .._data.rows import check_rows, check_table
from .._evidence.landmarks.choice import choose
from .._evidence.landmarks.counts import landmark_count, pool_size
from .._evidence.landmarks.model import Landmarks
from .._support.arguments import did_you_mean
from .._support.arrays import FloatArray, IntArray
from .._support.threads import resolve_threads
from ..kernels import Function, Kernel, Precomputed
from ..kernels._chunks import row_chunks
from ..kernels._families import BY_NAME


class LandmarkMap(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    r"""Features whose inner products are a kernel, as m landmarks see it.

    Maps :math:`x \mapsto L^{-1} k(x, Z)` with landmarks Z and their kernel matrix :math:`K_{ZZ} =
    L L'`, so that a linear learner on the features is a kernel machine with landmarks: for
    ``LinearSVC``, ``LogisticRegression``, ``SGDClassifier`` and the like at sizes where machines
    on whole kernel matrices take too long. Landmarks are chosen without a look at y.

    Parameters
    ----------
    kernel : Kernel, callable or str, default="rbf"
        The kernel; the name of a family takes its width from the scale of the data.
    landmarks : int or "auto", default="auto"
        The most features; by default four times the root of the rows, from 500 to 2000. A kernel of
        lower rank has fewer.
    pivoted : bool, default=True
        Whether randomly pivoted Cholesky chooses the landmarks [1]_; otherwise they are rows as
        they come, by `random_state`. Elections try both, and `Selection.feature_map` has the one
        that predicted better.
    random_state : int, default=0
        Which rows are looked at.
    n_threads : int, optional
        Threads; all CPUs that this process may use by default. Features do not depend on it.

    Attributes
    ----------
    kernel_ : Kernel
        The kernel in use.
    landmarks_ : ndarray of int
        Which rows of the fit the landmarks are, in the order in which they were taken: the first of
        the features are those of fewer landmarks.
    X_fit_ : ndarray or sparse matrix
        The landmarks.
    n_features_in_ : int
        Number of columns of the rows.
    feature_names_in_ : ndarray of str
        Their names, where all are strings.

    References
    ----------
    .. [1] Y. Chen, E. N. Epperly, J. A. Tropp, R. J. Webber, "Randomly pivoted Cholesky: practical
       approximation of a kernel matrix with few entry evaluations", Communications on Pure and
       Applied Mathematics 78, 2025.

    Examples
    --------
    >>> import kernelect as ke
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> X, y = load_iris(return_X_y=True)
    >>> chosen = ke.select(X, y)
    >>> model = make_pipeline(chosen.feature_map(landmarks=20), LogisticRegression())
    >>> model.fit(X, y).score(X, y) > 0.95
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "kernel": [str, Kernel, callable],
        "landmarks": [Interval(Integral, 1, None, closed="left"), StrOptions({"auto"})],
        "pivoted": ["boolean"],
        "random_state": [Interval(Integral, 0, None, closed="left")],
        "n_threads": [None, Integral],
    }
    pivoted: bool = True  # not in pickles of version 0.1.0
    kernel_: Kernel
    landmarks_: IntArray
    X_fit_: Any

    def __init__(
        self,
        kernel: Any = "rbf",
        *,
        landmarks: Any = "auto",
        pivoted: bool = True,
        random_state: int = 0,
        n_threads: int | None = None,
    ) -> None:
        self.kernel = kernel
        self.landmarks = landmarks
        self.pivoted = pivoted
        self.random_state = random_state
        self.n_threads = n_threads

    def fit(self, X: ArrayLike, y: Any = None) -> LandmarkMap:
        """Choose the landmarks.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            Rows.
        y : object, optional
            Not looked at.

        Returns
        -------
        LandmarkMap
            The fitted transformer.
        """
        self._validate_params()
        rows = self._rows(X, reset=True)
        n = rows.shape[0]
        kernel = self._kernel(rows)
        count = landmark_count(n) if isinstance(self.landmarks, str) else int(self.landmarks)
        if count > n:
            raise ValueError(f"landmarks={count} is more than the {n} rows; give fewer, or 'auto'")
        pool = pool_size(n, count, in_core=kernel.in_core) if self.pivoted else count
        numbers = first_rows(n, pool, int(self.random_state))
        threads = resolve_threads(self.n_threads)
        chosen = choose(
            kernel, rows[numbers], numbers, count, seed=int(self.random_state), threads=threads
        )
        self.kernel_, self.landmarks_, self.X_fit_ = chosen.kernel, chosen.numbers, chosen.rows
        return self

    def _kernel(self, rows: Any) -> Kernel:
        """Return the kernel that was asked for, on rows that are checked."""
        kernel = self.kernel
        if isinstance(kernel, str):
            if kernel not in BY_NAME:
                raise ValueError(
                    f"unknown kernel {kernel!r}; {did_you_mean(kernel, sorted(BY_NAME))}"
                )
            return BY_NAME[kernel]._of_data(rows, None)
        if isinstance(kernel, Precomputed):
            raise ValueError(  # noqa: TRY004 (a kernel, but not of rows)
                "landmarks are rows, and a precomputed kernel has only its matrix; give a kernel "
                "that is a function of rows"
            )
        names = getattr(self, "feature_names_in_", None)
        kernel = kernel if isinstance(kernel, Kernel) else Function(kernel)
        return kernel if names is None else kernel._bind(list(names))

    def transform(self, X: ArrayLike) -> NDArray[np.float64]:
        """Compute the features of rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n, n_landmarks)
            The features; of some rows at a time nothing else of that size is made.
        """
        check_is_fitted(self)
        rows = self._rows(X, reset=False)
        zeros = np.zeros(len(self.landmarks_))
        chosen = Landmarks(self.kernel_, self.X_fit_, self.landmarks_, zeros, zeros)
        threads = resolve_threads(self.n_threads)
        parts = list(row_chunks(rows.shape[0], max(chosen.copied, rows.shape[1])))
        if len(parts) == 1:
            return self._features(chosen, rows, threads)
        out = np.empty((rows.shape[0], chosen.size))
        for part in parts:
            out[part] = self._features(chosen, rows[part], threads)
        return out

    def _features(self, chosen: Landmarks, rows: Any, threads: int) -> FloatArray:
        found = chosen.coordinates(check_rows(rows, "X", like=self.X_fit_), threads=threads)
        lost = np.flatnonzero(~np.isfinite(found).all(axis=1))
        if len(lost):
            raise ValueError(
                f"X: row {lost[0]} is so large that the kernel has no finite value on it; scale it "
                "as the rows of the fit are"
            )
        return found

    def _rows(self, X: Any, *, reset: bool) -> Any:
        check_table(X)
        how = {"accept_sparse": "csr", "dtype": np.float64, "order": "C"}
        return validate_data(self, X, reset=reset, ensure_min_samples=2 if reset else 1, **how)

    @property
    def _n_features_out(self) -> int:
        return len(self.landmarks_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
