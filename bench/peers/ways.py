"""The ways that are compared: each makes an estimator that tunes itself, for one thread.

A way that needs a package which is not there is said to be missing; none is run with fewer options
than its users have. Grids are those of the packages' own guides.
"""

from __future__ import annotations

import importlib
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC, SVR

import kernelect as ke

Make = Callable[[bool], Any]  # whether numbers are to be predicted -> an estimator

C = 2.0 ** np.arange(-5, 16, 2)
GAMMA = 2.0 ** np.arange(-15, 4, 2)
ALPHA = 2.0 ** np.arange(-15, 10, 2)


@dataclass(frozen=True)
class Way:
    """One way: which distribution it is from, how it is made, up to how many rows it is run."""

    package: str
    make: Make
    most_rows: int = 10**9

    def version(self) -> str | None:
        """The version that is installed, None where there is none."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return None


def machine(numbers: bool) -> tuple[Any, dict[str, Any]]:
    if numbers:
        return KernelRidge(kernel="rbf"), {"alpha": ALPHA, "gamma": GAMMA}
    return SVC(), {"C": C, "gamma": GAMMA}


def halving(numbers: bool) -> Any:
    importlib.import_module("sklearn.experimental.enable_halving_search_cv")
    from sklearn.model_selection import HalvingGridSearchCV

    model, grid = machine(numbers)
    return HalvingGridSearchCV(model, grid, cv=5, random_state=0)


def process(numbers: bool) -> Any:
    if numbers:
        kernel = ConstantKernel() * RBF() + WhiteKernel()
        return GaussianProcessRegressor(kernel, normalize_y=True, random_state=0)
    return GaussianProcessClassifier(ConstantKernel() * RBF(), random_state=0)


def boosting(numbers: bool) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    return (HistGradientBoostingRegressor if numbers else HistGradientBoostingClassifier)()


def nystroem(numbers: bool) -> Any:
    from sklearn.kernel_approximation import Nystroem
    from sklearn.linear_model import RidgeClassifierCV, RidgeCV
    from sklearn.pipeline import make_pipeline

    last = (RidgeCV if numbers else RidgeClassifierCV)(alphas=ALPHA)
    model = make_pipeline(Nystroem(n_components=500, random_state=0), last)
    return GridSearchCV(model, {"nystroem__gamma": GAMMA}, cv=5)


def optuna_search(numbers: bool) -> Any:
    import optuna
    from optuna.distributions import FloatDistribution

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    from optuna.integration import OptunaSearchCV

    model, grid = machine(numbers)
    ranges = {
        name: FloatDistribution(values.min(), values.max(), log=True)
        for name, values in grid.items()
    }
    return OptunaSearchCV(model, ranges, cv=5, n_trials=50, random_state=0)


def thunder(numbers: bool) -> Any:
    import thundersvm

    if numbers:
        return GridSearchCV(thundersvm.SVR(n_jobs=1), {"C": C, "gamma": GAMMA}, cv=5)
    return GridSearchCV(thundersvm.SVC(n_jobs=1), {"C": C, "gamma": GAMMA}, cv=5)


def intelex(numbers: bool) -> Any:
    from sklearnex import svm

    if numbers:
        return GridSearchCV(svm.SVR(), {"C": C, "gamma": GAMMA}, cv=5)
    return GridSearchCV(svm.SVC(), {"C": C, "gamma": GAMMA}, cv=5)


class LiquidSVM:
    """liquidSVM's own search of its 10 x 10 grid; its import asks for a former name."""

    def __init__(self, numbers: bool) -> None:
        self._numbers = numbers

    def fit(self, X: Any, y: Any) -> LiquidSVM:
        sysconfig.get_config_vars()["SO"] = ".so"
        import liquidSVM

        learn = liquidSVM.lsSVM if self._numbers else liquidSVM.mcSVM
        self._model = learn(X, y, threads=1)
        return self

    def predict(self, X: Any) -> Any:
        return np.ravel(self._model.predict(X))


def neo(numbers: bool) -> Any:
    from neo_ls_svm import NeoLSSVM

    return NeoLSSVM(estimator_type="regressor" if numbers else "classifier")


def himalaya_ridge(numbers: bool) -> Any:
    if not numbers:
        raise NotImplementedError("himalaya predicts numbers")
    from himalaya.kernel_ridge import KernelRidgeCV

    return GridSearchCV(KernelRidgeCV(alphas=ALPHA, kernel="rbf"), {"kernel_params": [
        {"gamma": gamma} for gamma in GAMMA]}, cv=5)  # fmt: skip


def mklpy(numbers: bool) -> Any:
    if numbers:
        raise NotImplementedError("MKLpy classifies")
    from MKLpy.algorithms import EasyMKL
    from sklearn.metrics.pairwise import rbf_kernel

    class Combined:
        def fit(self, X: Any, y: Any) -> Combined:
            self._rows = X
            self._model = EasyMKL(lam=0.1).fit([rbf_kernel(X, gamma=g) for g in GAMMA], y)
            return self

        def predict(self, X: Any) -> Any:
            return self._model.predict([rbf_kernel(X, self._rows, gamma=g) for g in GAMMA])

    return Combined()


def selector(numbers: bool) -> Any:
    return ke.KernelSelector(SVR() if numbers else SVC(), C="auto", n_threads=1)


def least_squares(numbers: bool) -> Any:
    return (ke.LSSVMRegressor if numbers else ke.LSSVMClassifier)(lam="auto", n_jobs=1)


def committee(numbers: bool) -> Any:
    kind = ke.LSSVMRegressor if numbers else ke.LSSVMClassifier
    return kind(kernel="committee", lam="auto", n_jobs=1)


WAYS = {
    "SVC or SVR, defaults": Way("scikit-learn", lambda numbers: SVR() if numbers else SVC()),
    "GridSearchCV": Way("scikit-learn", lambda n: GridSearchCV(*machine(n), cv=5), 4000),
    "HalvingGridSearchCV": Way("scikit-learn", halving, 4000),
    "Gaussian process, ML-II": Way("scikit-learn", process, 1000),
    "Nystroem + RidgeCV": Way("scikit-learn", nystroem),
    "HistGradientBoosting": Way("scikit-learn", boosting),
    "optuna, 50 trials": Way("optuna-integration", optuna_search, 4000),
    "scikit-learn-intelex, grid": Way("scikit-learn-intelex", intelex, 4000),
    "thundersvm, grid": Way("thundersvm-cpu", thunder, 4000),
    "liquidSVM": Way("liquidSVM", LiquidSVM),
    "himalaya": Way("himalaya", himalaya_ridge, 4000),
    "MKLpy": Way("MKLpy", mklpy, 4000),
    "neo-ls-svm": Way("neo-ls-svm", neo),
    "kernelect, KernelSelector(SVC())": Way("kernelect", selector),
    "kernelect, LSSVM": Way("kernelect", least_squares),
    "kernelect, committee": Way("kernelect", committee),
}
