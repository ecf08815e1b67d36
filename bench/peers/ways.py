"""The ways that are compared: each makes an estimator that tunes itself, for one thread.

None is run with fewer options than its users have. Grids are those of the packages' own guides.
Nothing but NumPy and scikit-learn is imported before a way is made: each may live in an environment
of its own.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC, SVR

from . import rivals
from .grid import ALPHA, GAMMA, C

Make = Callable[[bool], Any]  # whether numbers are to be predicted -> an estimator


@dataclass(frozen=True)
class Way:
    """One way: which distribution it is from, how it is made, what and how much it is run on.

    ``most_rows`` is the largest size at which it ends within minutes.
    """

    package: str
    make: Make
    most_rows: int = 10**9
    classes: bool = True
    numbers: bool = True


def machine(numbers: bool) -> tuple[Any, dict[str, Any]]:
    if numbers:
        return KernelRidge(kernel="rbf"), {"alpha": ALPHA, "gamma": GAMMA}
    return SVC(), {"C": C, "gamma": GAMMA}


def defaults(numbers: bool) -> Any:
    return SVR() if numbers else SVC()


def grid_search(numbers: bool) -> Any:
    return GridSearchCV(*machine(numbers), cv=5)


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
    # A fold of 500 rows has 400 to draw landmarks from; more than there are would be cut anyway.
    model = make_pipeline(Nystroem(n_components=500, random_state=0), last)
    return GridSearchCV(model, {"nystroem__gamma": GAMMA}, cv=5)


def optuna_search(numbers: bool) -> Any:
    import optuna
    from optuna.distributions import FloatDistribution
    from optuna_integration import OptunaSearchCV

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    model, grid = machine(numbers)
    ranges = {
        name: FloatDistribution(values.min(), values.max(), log=True)
        for name, values in grid.items()
    }
    return OptunaSearchCV(model, ranges, cv=5, n_trials=50, random_state=0)


def thunder(numbers: bool) -> Any:
    import thundersvm

    kind = thundersvm.SVR if numbers else thundersvm.SVC
    return GridSearchCV(kind(n_jobs=1), {"C": C, "gamma": GAMMA}, cv=5)


def intelex(numbers: bool) -> Any:
    from sklearnex import svm

    kind = svm.SVR if numbers else svm.SVC
    return GridSearchCV(kind(), {"C": C, "gamma": GAMMA}, cv=5)


def neo(numbers: bool) -> Any:
    from neo_ls_svm import NeoLSSVM
    from sklearn.multiclass import OneVsRestClassifier

    if numbers:
        return NeoLSSVM(estimator_type="regressor")
    # It takes several classes without a word, and learns to tell one of them from the rest.
    return OneVsRestClassifier(NeoLSSVM(estimator_type="classifier"))


def selector(numbers: bool) -> Any:
    import kernelect as ke

    return ke.KernelSelector(SVR() if numbers else SVC(), C="auto", n_threads=1)


def least_squares(numbers: bool, kernel: str = "auto") -> Any:
    import kernelect as ke

    kind = ke.LSSVMRegressor if numbers else ke.LSSVMClassifier
    return kind(kernel, lam="auto", n_jobs=1)


WAYS = {
    "SVC or SVR, defaults": Way("scikit-learn", defaults),
    "GridSearchCV": Way("scikit-learn", grid_search, 2000),
    "HalvingGridSearchCV": Way("scikit-learn", halving, 4000),
    "Gaussian process, ML-II": Way("scikit-learn", process, 1000),
    "Nystroem + RidgeCV": Way("scikit-learn", nystroem),
    "HistGradientBoosting": Way("scikit-learn", boosting),
    "NumPy, leave-one-out": Way("numpy", rivals.LeaveOneOut, 2000),
    "optuna, 50 trials": Way("optuna-integration", optuna_search, 2000),
    "scikit-learn-intelex, grid": Way("scikit-learn-intelex", intelex, 2000),
    "thundersvm, grid": Way("thundersvm-cpu", thunder, 1000),
    "liquidSVM": Way("liquidSVM", rivals.LiquidSVM),
    "himalaya, kernel ridge": Way("himalaya", rivals.himalaya_ridge, 4000, classes=False),
    "himalaya, many kernels": Way("himalaya", rivals.HimalayaKernels, 2000, classes=False),
    "MKLpy": Way("MKLpy", rivals.EasyKernels, 2000, numbers=False),
    "neo-ls-svm": Way("neo-ls-svm", neo, 4000),
    "kernelect, KernelSelector(SVC())": Way("kernelect", selector),
    "kernelect, LSSVM": Way("kernelect", least_squares),
    "kernelect, committee": Way("kernelect", partial(least_squares, kernel="committee")),
    "kernelect, LSSVM best": Way("kernelect", partial(least_squares, kernel="best")),
}
