"""Elect a kernel: score candidate kernels straight from their matrices and pick the best.

All that is needed every day is here (``select``, ``evaluate``, kernels, learners); the rooms have
the rest.

``selection``    ``evaluate`` and ``select``
``kernels``      what can be elected: families, sums, products, matrices; ``grids``, ``heuristics``
``criteria``     what a kernel is judged by
``results``      what comes back; ``diagnostics`` (agreement, rivals, memory), ``serialization``
``plots``        pictures of results, with matplotlib
``selector``     KernelSelector, which fits any scikit-learn estimator that has a kernel
``lssvm``        LSSVM and kernel ridge regression that elect their kernel and lambda
``mkl``          combinations of kernels, learned
``bounds``       the papers' generalisation and variance bounds
``io``           data files, as the command line reads them
``cli``          the command line, ``kernelect``

``grids``, ``heuristics``, ``diagnostics`` and ``serialization`` are names of the package as well.
"""

from . import (
    _former_names,
    bounds,
    criteria,
    kernels,
    mkl,
    plots,
    results,
    selection,
)
from ._dispatch import build_info, core, without_lapack
from ._support.warning import warn_caller
from .kernels import Kernel, grids, heuristics, normalized, on_columns
from .kernels._families import *  # a family is listed once, there
from .kernels.grids import gaussian_grid, polynomial_grid
from .lssvm import LSSVMClassifier, LSSVMRegressor
from .mkl import InfiniteMKLClassifier, InfiniteMKLRegressor, MKLClassifier, MKLRegressor
from .results import diagnostics, serialization
from .results.diagnostics import agreement, memory_estimate, rivals
from .results.serialization import load, save
from .selection import evaluate, select
from .selector import KernelSelector

_former_names.keep()
if without_lapack is not None:
    warn_caller(f"SciPy's LAPACK is not usable, Eigen is used instead: {without_lapack}")
__version__ = core.version

__all__ = [
    "InfiniteMKLClassifier",
    "InfiniteMKLRegressor",
    "Kernel",
    "KernelSelector",
    "LSSVMClassifier",
    "LSSVMRegressor",
    "MKLClassifier",
    "MKLRegressor",
    "__version__",
    "agreement",
    "bounds",
    "build_info",
    "criteria",
    "diagnostics",
    "evaluate",
    "gaussian_grid",
    "grids",
    "heuristics",
    "kernels",
    "load",
    "memory_estimate",
    "mkl",
    "normalized",
    "on_columns",
    "plots",
    "polynomial_grid",
    "results",
    "rivals",
    "save",
    "select",
    "selection",
    "serialization",
]
__all__ += kernels._families.__all__
