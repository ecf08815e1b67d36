"""What is elected on a real set by each method, and how well it predicts rows that nobody saw."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from inside import Target, check_target
from numpy.typing import NDArray
from papers.tools.data import Split, manifest, split
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import RidgeCV

import kernelect as ke

Floats = NDArray[np.float64]
# The common learner is that of all rows up to the first number of them, else of the second.
ALL, COMMON = 10_000, 5_000
LAMBDAS = 2.0 ** np.arange(-10, 11)
GRID = ke.gaussian_grid()
# The number of landmarks and when to double it were looked at on the first half alone.
CHOOSING = ("a9a", "cadata", "letter", "phishing", "shuttle")
JUDGING = ("kin40k", "mnist.t", "pendigits", "protein", "skin_nonskin", "w8a")
SETS = tuple(sorted((*CHOOSING, *JUDGING)))
# Seven tenths of these are so few that the library takes whole matrices by itself.
WHOLE = ("mnist.t", "pendigits", "phishing")


@dataclass(frozen=True)
class Data:
    """A set in two parts; landmarks are a number of them, or as many as the library takes."""

    parts: Split
    target: Target
    landmarks: int | str = "auto"

    @property
    def rows(self) -> int:
        return len(self.parts.y)

    @property
    def numbers(self) -> bool:
        return self.target.task == "regression"

    def loss(self, outputs: Floats) -> float:
        """Share of wrong classes, or mean squared error of targets scaled to variance one."""
        if self.numbers:
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
    sensitivity: float | None = None


def load(folder: Path, name: str, most: int, landmarks: int | str = "auto") -> Data:
    parts = split(folder, manifest(folder)[name], 0, most=most)
    return Data(parts, check_target(parts.y, parts.task, len(parts.y)), landmarks)


def held_out(model: Model, data: Data, *, common: bool = True) -> dict[str, Any]:
    """Losses of a method's own model, and of the common learner if wanted, on the test part."""
    equal = None
    if common and model.kernel is not None:
        few = data.rows if data.rows <= ALL else COMMON
        X, y = data.parts.X[:few], data.parts.y[:few]
        fitted = _learner(data, model.kernel, model.lam, solver="exact").fit(X, y)
        equal = data.loss(_outputs(fitted, data.parts.X_test))
    own = data.loss(model.outputs(data.parts.X_test))
    return {
        "loss": own,
        "equal": equal,
        "what": model.what,
        "rows": data.rows,
        "m_sensitivity": model.sensitivity,
    }


def _learner(data: Data, kernel: Any, lam: Any, **how: Any) -> Any:
    kind = ke.LSSVMRegressor if data.numbers else ke.LSSVMClassifier
    return kind(kernel=kernel, lam=lam, **how)


def _outputs(fitted: Any, X: Floats) -> Floats:
    ask = fitted.predict if isinstance(fitted, ke.LSSVMRegressor) else fitted.decision_function
    return np.asarray(ask(X)).reshape(len(X), -1)


def by_kernelect(data: Data, kernels: Any = None) -> Model:
    """Elect a kernel and a lambda, and fit the model that was judged on all rows."""
    parts = data.parts
    chosen = ke.select(
        parts.X,
        parts.y,
        GRID if kernels is None else kernels,
        lam="auto",
        task=parts.task,
        landmarks=data.landmarks,
    )
    assert isinstance(chosen.kernel, ke.Gaussian)
    assert chosen.lam is not None
    how: dict[str, Any] = {"solver": "exact"}
    if chosen.landmarks is not None:
        how = {"solver": "landmarks", "landmarks": chosen.landmarks}
    fitted = _learner(data, chosen.kernel, chosen.lam, **how).fit(parts.X, parts.y)
    model = "whole matrices" if chosen.landmarks is None else f"{chosen.landmarks} landmarks"
    return Model(
        lambda X: _outputs(fitted, X),
        f"{chosen.kernel}, lam {chosen.lam:.3g}, {model}",
        chosen.kernel,
        chosen.lam,
        chosen.m_sensitivity,
    )


def by_scale(data: Data) -> Model:
    """The width of gamma="scale", with the lambda that suits it."""
    gamma = 1.0 / (data.parts.X.shape[1] * data.parts.X.var())
    return by_kernelect(data, [ke.Gaussian(1.0 / (2.0 * gamma))])


def by_nystroem(data: Data) -> Model:
    """Every kernel and lambda of the same grids, by leave-one-out of ridge regression."""
    parts, columns = data.parts, data.target.columns()
    assert not isinstance(data.landmarks, str)
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
    """Leave-one-out of whole matrices."""
    X, y = data.parts.X, data.parts.y
    chosen = ke.select(X, y, GRID, lam="auto", task=data.parts.task, landmarks=None)
    assert isinstance(chosen.kernel, ke.Gaussian)
    assert chosen.lam is not None
    fitted = _learner(data, chosen.kernel, chosen.lam, solver="exact").fit(X, y)
    what = f"{chosen.kernel}, lam {chosen.lam:.3g}"
    return Model(lambda new: _outputs(fitted, new), what, chosen.kernel, chosen.lam)


def by_boosting(data: Data) -> Model:
    """Boosted trees as they come, an outside yardstick."""
    if data.numbers:
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
    "gamma=scale": by_scale,
    "boosted trees": by_boosting,
    "Nystroem + RidgeCV": by_nystroem,
    "exact leave-one-out": by_exact,
}
LIQUID = "liquidSVM"
