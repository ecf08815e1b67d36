"""Elect a kernel: score candidate kernels straight from their matrices and pick the best.

``select``, ``evaluate``    the two functions, in ``selection``
``kernels``                 Gaussian, Laplacian, Matern, Polynomial, Linear, sums, products, matrices
``grids``                   families of candidates
``criteria``                what a kernel is judged by
``results``                 what comes back
``heuristics``              bandwidths without a search, for comparison
"""

from . import criteria, grids, heuristics, kernels, results, selection
from ._dispatch import build_info, core
from .grids import gaussian_grid, polynomial_grid
from .kernels import Gaussian, Kernel, Laplacian, Linear, Matern, Polynomial, normalized
from .lssvm import LSSVMClassifier, LSSVMRegressor
from .selection import evaluate, select

__version__ = core.version

__all__ = [
    "Gaussian",
    "Kernel",
    "LSSVMClassifier",
    "LSSVMRegressor",
    "Laplacian",
    "Linear",
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
    "normalized",
    "polynomial_grid",
    "results",
    "select",
    "selection",
]
