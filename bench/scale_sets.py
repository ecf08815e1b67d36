"""What is elected on a real set by each method, and how well it predicts rows that nobody saw."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from papers.tools.data import Split, manifest, split
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import RidgeCV

import kernelect as ke
from kernelect._data.target import Target, check_target
from kernelect._evidence.landmark_work import LandmarkWork, landmark_count
from kernelect._evidence.regularisation import check_regularisation
from kernelect._evidence.work import CallOptions, LandmarkOptions, Work

Floats = NDArray[np.float64]
LEAST = 10_000
# Rows of the common learner, on which leave-one-out of whole matrices still runs.
WHOLE = 12_000
LAMBDAS = 2.0 ** np.arange(-10, 11)
GRID = ke.gaussian_grid()


@dataclass(frozen=True)
class Data:
    """A set in two parts, and the first rows of the larger for what is of whole matrices."""

    parts: Split
    target: Target

    @property
    def rows(self) -> int:
        return len(self.parts.y)

    @property
    def landmarks(self) -> int:
        return landmark_count(self.rows)

    def loss(self, outputs: Floats) -> float:
        """Share of wrong classes, or mean squared error of targets scaled to variance one."""
        if self.target.task == "regression":
            return float(np.mean((outputs[:, 0] - self.parts.y_test) ** 2))
        codes = outputs.argmax(axis=1) if outputs.shape[1] > 1 else (outputs[:, 0] > 0).astype(int)
        return float(np.mean(self.target.classes[codes] != self.parts.y_test))


@dataclass(frozen=True)
class Model:
    """What a method found: predictions of its own model, and a kernel with its ridge if any."""

    outputs: Callable[[Floats], Floats]
    what: str
    kernel: ke.Gaussian | None = None
    lam: float = math.nan


def names(folder: Path) -> list[str]:
    return [name for name, entry in manifest(folder).items() if entry.rows >= LEAST]


def load(folder: Path, name: str, most: int) -> Data:
    parts = split(folder, manifest(folder)[name], 0, most=most)
    return Data(parts, check_target(parts.y, parts.task, len(parts.y)))


def held_out(model: Model, data: Data) -> dict[str, Any]:
    """Losses of a method's own model and of the common learner on the test part."""
    equal = math.nan
    if model.kernel is not None:
        equal = data.loss(_whole(data, model.kernel, model.lam))
    own = data.loss(model.outputs(data.parts.X_test))
    return {"loss": own, "equal": equal, "what": model.what, "rows": data.rows}


def _whole(data: Data, kernel: ke.Gaussian, lam: float) -> Floats:
    """Outputs of LSSVM or ridge regression with a bias on the first rows."""
    parts, task = data.parts, data.target.task
    kind = ke.LSSVMRegressor if task == "regression" else ke.LSSVMClassifier
    fitted = kind(kernel=kernel, lam=lam).fit(parts.X[:WHOLE], parts.y[:WHOLE])
    if task == "regression":
        return np.asarray(fitted.predict(parts.X_test)).reshape(len(parts.X_test), -1)
    return np.asarray(fitted.decision_function(parts.X_test)).reshape(len(parts.X_test), -1)


def _landmark_model(data: Data, kernel: ke.Gaussian, lam: float, count: int) -> Model:
    """The model that was judged, fitted on all rows of the larger part."""
    options = CallOptions(
        check_regularisation(lam, "sum", True), landmarks=LandmarkOptions(count, 0)
    )
    work = LandmarkWork(Work.of([kernel], data.parts.X, data.target, threads=2), options)
    landmarks = work.choose()
    ridge = work.ridge(landmarks, work.sums(landmarks))
    weights, bias = ridge.coefficients(np.array([lam]))

    def outputs(X: Floats) -> Floats:
        steps = range(0, len(X), 4096)
        return np.concatenate(
            [kernel(X[at : at + 4096], landmarks.rows) @ weights[0] + bias[0] for at in steps]
        )

    return Model(outputs, f"{kernel}, lam {lam:.3g}, {landmarks.size} landmarks", kernel, lam)


def by_kernelect(data: Data, kernels: Any = None) -> Model:
    parts = data.parts
    grid = GRID if kernels is None else kernels
    chosen = ke.select(
        parts.X, parts.y, grid, lam="auto", task=parts.task, landmarks=data.landmarks
    )
    assert isinstance(chosen.kernel, ke.Gaussian)
    assert chosen.lam is not None
    return _landmark_model(data, chosen.kernel, chosen.lam, data.landmarks)


def by_scale(data: Data) -> Model:
    """The width of gamma="scale", with the lambda that suits it."""
    gamma = 1.0 / (data.parts.X.shape[1] * data.parts.X.var())
    return by_kernelect(data, [ke.Gaussian(1.0 / (2.0 * gamma))])


def by_nystroem(data: Data) -> Model:
    """Every kernel and lambda of the same grids, by leave-one-out of ridge regression."""
    parts, columns = data.parts, data.target.columns()
    best: tuple[float, Any] = (-math.inf, None)
    for kernel in GRID:
        gamma = 1.0 / (2.0 * kernel.tau)
        some = kernel(parts.X[:512])
        scale = max(float(np.diag(some).mean() - some.mean()), 1e-12)
        features = Nystroem(gamma=gamma, n_components=data.landmarks, random_state=0)
        made = features.fit_transform(parts.X)
        ridge = RidgeCV(alphas=scale * LAMBDAS).fit(made, columns)
        if ridge.best_score_ > best[0]:
            best = ridge.best_score_, (kernel, features, ridge)
    kernel, features, ridge = best[1]

    def outputs(X: Floats) -> Floats:
        return np.asarray(ridge.predict(features.transform(X))).reshape(len(X), -1)

    lam = float(ridge.alpha_)
    return Model(outputs, f"{kernel}, lam {lam:.3g}", kernel, lam)


def by_exact(data: Data) -> Model:
    """Leave-one-out of whole matrices, on the rows of the common learner."""
    X, y = data.parts.X[:WHOLE], data.parts.y[:WHOLE]
    chosen = ke.select(X, y, GRID, lam="auto", task=data.parts.task, landmarks=None)
    assert isinstance(chosen.kernel, ke.Gaussian)
    assert chosen.lam is not None
    kernel, lam = chosen.kernel, chosen.lam
    return Model(lambda _: _whole(data, kernel, lam), f"{kernel}, lam {lam:.3g}", kernel, lam)


def by_boosting(data: Data) -> Model:
    if data.target.task == "regression":
        fitted = HistGradientBoostingRegressor(random_state=0).fit(data.parts.X, data.parts.y)
        return Model(lambda X: fitted.predict(X)[:, None], "boosted trees")
    trees = HistGradientBoostingClassifier(random_state=0).fit(data.parts.X, data.target.codes)

    def outputs(X: Floats) -> Floats:
        codes = trees.predict(X)
        if data.target.n_classes == 2:
            return np.where(codes == 1, 1.0, -1.0)[:, None]
        return np.asarray(codes[:, None] == np.arange(data.target.n_classes), dtype=np.float64)

    return Model(outputs, "boosted trees")


METHODS: dict[str, Callable[[Data], Model]] = {
    "kernelect": by_kernelect,
    "scale": by_scale,
    "boosting": by_boosting,
    "nystroem": by_nystroem,
    "exact": by_exact,
}
