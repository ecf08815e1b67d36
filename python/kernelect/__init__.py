"""Elect a kernel: score candidate kernels straight from their matrices and pick the best.

``select``, ``evaluate``    the two functions, in ``selection``
``kernels``                 Gaussian, Laplacian, Matern, Polynomial, Linear, sums, products, matrices
``grids``                   families of candidates
``criteria``                what a kernel is judged by
``results``                 what comes back
``mkl``                     combinations of kernels, learned
``heuristics``              bandwidths without a search, for comparison
"""

from . import criteria, grids, heuristics, kernels, mkl, results, selection
from ._dispatch import build_info, core
from .grids import gaussian_grid, polynomial_grid
from .kernels import (
    ARDGaussian,
    Gaussian,
    Kernel,
    Laplacian,
    Linear,
    Matern,
    Polynomial,
    normalized,
)
from .lssvm import LSSVMClassifier, LSSVMRegressor
from .mkl import InfiniteMKLClassifier, InfiniteMKLRegressor, MKLClassifier, MKLRegressor
from .selection import evaluate, select

__version__ = core.version

__all__ = [
    "ARDGaussian",
    "Gaussian",
    "InfiniteMKLClassifier",
    "InfiniteMKLRegressor",
    "Kernel",
    "LSSVMClassifier",
    "LSSVMRegressor",
    "Laplacian",
    "Linear",
    "MKLClassifier",
    "MKLRegressor",
    "Matern",
    "Polynomial",
    "__version__",
    "build_info",
    "criteria",
    "evaluate",
    "gaussian_grid",
    "grids",
    "heuristics",
    "kernels",
    "mkl",
    "normalized",
    "polynomial_grid",
    "results",
    "select",
    "selection",
]
