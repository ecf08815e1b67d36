"""Rivals without scikit-learn's manners, or with none: each with fit and predict here."""

from __future__ import annotations

import sysconfig
from typing import Any

import numpy as np
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV

from ..baseline import squared_distances  # type: ignore[import-not-found]
from .grid import ALPHA, GAMMA


class LeaveOneOut:
    """What one writes without a library: every gamma an eigendecomposition, every alpha from it.

    Classes are columns of 0 and 1; the squared leave-one-out error decides.
    """

    def __init__(self, numbers: bool) -> None:
        self._numbers = numbers

    def fit(self, X: Any, y: Any) -> LeaveOneOut:
        self._rows, self._labels = X, np.unique(y)
        targets = y[:, None] if self._numbers else (y[:, None] == self._labels).astype(float)
        self._mean = targets.mean(axis=0)
        targets = targets - self._mean
        D2, least = squared_distances(X), np.inf
        for gamma in GAMMA:
            values, vectors = np.linalg.eigh(np.exp(-gamma * D2))
            turned, squares = vectors.T @ targets, vectors**2
            for alpha in ALPHA:
                weights = 1.0 / (np.maximum(values, 0.0) + alpha)
                solved = vectors @ (weights[:, None] * turned)
                error = np.mean((solved / (squares @ weights)[:, None]) ** 2)
                if error < least:
                    least, self._gamma, self._solved = error, gamma, solved
        return self

    def predict(self, X: Any) -> Any:
        outputs = rbf_kernel(X, self._rows, gamma=self._gamma) @ self._solved + self._mean
        return outputs[:, 0] if self._numbers else self._labels[outputs.argmax(axis=1)]


class LiquidSVM:
    """liquidSVM's own search of its 10 x 10 grid; its import asks for a former name."""

    def __init__(self, numbers: bool) -> None:
        sysconfig.get_config_vars()["SO"] = ".so"
        import liquidSVM

        self._learn = liquidSVM.lsSVM if numbers else liquidSVM.mcSVM

    def fit(self, X: Any, y: Any) -> LiquidSVM:
        self._labels = y
        self._model = self._learn(X, y, threads=1)
        return self

    def predict(self, X: Any) -> Any:
        # Its own predict hands zeros over as labels to compare with, which two classes refuse;
        # any that were seen will do, as only the outputs are read.
        outputs, _ = self._model.test(X, np.resize(self._labels, len(X)))
        return np.ravel(outputs[:, self._model.predictCols])


def himalaya_ridge(numbers: bool) -> Any:
    """himalaya's own search of alpha, for every gamma."""
    from himalaya.kernel_ridge import KernelRidgeCV

    grid = {"kernel_params": [{"gamma": gamma} for gamma in GAMMA]}
    return GridSearchCV(KernelRidgeCV(alphas=ALPHA, kernel="rbf"), grid, cv=5)


class HimalayaKernels:
    """himalaya's weights of one kernel for each gamma, by its random search."""

    def __init__(self, numbers: bool) -> None:
        from himalaya.kernel_ridge import MultipleKernelRidgeCV

        options = {"alphas": ALPHA, "n_iter": 100, "progress_bar": False}
        self._model = MultipleKernelRidgeCV(
            kernels="precomputed", solver_params=options, cv=5, random_state=0
        )

    def fit(self, X: Any, y: Any) -> HimalayaKernels:
        self._rows = X
        self._model.fit(np.stack([rbf_kernel(X, gamma=g) for g in GAMMA]), y)
        return self

    def predict(self, X: Any) -> Any:
        kernels = [rbf_kernel(X, self._rows, gamma=g) for g in GAMMA]
        return np.ravel(self._model.predict(np.stack(kernels)))


class EasyKernels:
    """MKLpy's EasyMKL of one kernel for each gamma."""

    def __init__(self, numbers: bool) -> None:
        from MKLpy.algorithms import EasyMKL

        self._model = EasyMKL(lam=0.1)

    def fit(self, X: Any, y: Any) -> EasyKernels:
        self._rows = X
        self._model.fit([rbf_kernel(X, gamma=g) for g in GAMMA], y)
        return self

    def predict(self, X: Any) -> Any:
        return self._model.predict([rbf_kernel(X, self._rows, gamma=g) for g in GAMMA])
