"""All names of the package, imported when the first of them is asked for."""

from . import (
    _former_names,
    bounds,
    criteria,
    kernels,
    mkl,
    plots,
    refinement,
    results,
    selection,
    storage,
)
from ._dispatch import build_info, without_lapack
from ._support.warning import warn_caller
from ._version import __version__
from .kernels import Kernel, KernelStackView, grids, heuristics, normalized, on_columns
from .kernels._families import *  # a family is listed once, there
from .kernels.grids import gaussian_grid, polynomial_grid
from .lssvm import LSSVMClassifier, LSSVMRegressor
from .mkl import InfiniteMKLClassifier, InfiniteMKLRegressor, MKLClassifier, MKLRegressor
from .refinement import refine
from .results import diagnostics, serialization
from .results.diagnostics import agreement, memory_estimate, rivals
from .selection import evaluate, select
from .selector import KernelSelector
from .storage import load, save

_former_names.load()
if without_lapack is not None:
    warn_caller(f"SciPy's LAPACK is not usable, Eigen is used instead: {without_lapack}")

__all__ = [
    "InfiniteMKLClassifier",
    "InfiniteMKLRegressor",
    "Kernel",
    "KernelSelector",
    "KernelStackView",
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
    "refine",
    "refinement",
    "results",
    "rivals",
    "save",
    "select",
    "selection",
    "serialization",
    "storage",
]
__all__ += kernels._families.__all__
