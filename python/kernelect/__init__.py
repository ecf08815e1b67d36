"""Elect a kernel: score candidate kernels straight from their matrices and pick the best.

``select``, ``evaluate``    the two functions, in ``selection``
``kernels``                 Gaussian, Matern, Polynomial and more; their sums, products; matrices
``grids``                   families of candidates
``criteria``                what a kernel is judged by
``results``                 what comes back
``selector``                KernelSelector, which fits any scikit-learn estimator that has a kernel
``mkl``                     combinations of kernels, learned
``lssvm``                   LSSVM and kernel ridge regression that pick their kernel and lambda
``bounds``                  the papers' generalisation and variance bounds
``diagnostics``             agreement of criteria, rivals of the winner, memory beforehand
``serialization``           kernels and results as JSON
``plots``                   pictures of results, with matplotlib
``heuristics``              bandwidths without a search, for comparison
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
from ._dispatch import build_info, core
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
