"""Classes whose objects may be in a file: estimators, and what they are made of."""

from __future__ import annotations

from typing import Any

from sklearn.kernel_ridge import KernelRidge
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler
from sklearn.svm import SVC, SVR, NuSVC, NuSVR, OneClassSVM

from .._data.outputs import LogisticProbabilities
from .._data.target import Target
from ..io import Recipe
from ..lssvm import LSSVMClassifier, LSSVMRegressor
from ..lssvm._fits.landmark_deviation import Posterior
from ..mkl import (
    ARDGaussianFamily,
    GaussianFamily,
    InfiniteMKLClassifier,
    InfiniteMKLRegressor,
    MKLClassifier,
    MKLRegressor,
    PolynomialFamily,
)
from ..results import Committee, Contest, LandmarkMap
from ..selector import KernelSelector

OURS = (
    *(LSSVMClassifier, LSSVMRegressor, KernelSelector, LandmarkMap),
    *(MKLClassifier, MKLRegressor, InfiniteMKLClassifier, InfiniteMKLRegressor),
)
MACHINES = (SVC, NuSVC, SVR, NuSVR, OneClassSVM)
SCALERS = (StandardScaler, MinMaxScaler, MaxAbsScaler, RobustScaler)
THEIRS = (*MACHINES, KernelRidge, *SCALERS)

MODELS: dict[str, Any] = {kind.__name__: kind for kind in (*OURS, *THEIRS, Pipeline)}

# Frozen dataclasses that check themselves, or that the checks of a model look into.
RECORDS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        Target,
        LogisticProbabilities,
        Committee,
        Contest,
        Recipe,
        Posterior,
        GaussianFamily,
        PolynomialFamily,
        ARDGaussianFamily,
    )
}


def known_models() -> str:
    """Name the classes whose objects can be saved, for a message."""
    return ", ".join(MODELS)
