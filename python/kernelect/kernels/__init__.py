"""Kernels: immutable objects that are callable on arrays and can be added and multiplied."""

from . import _families, grids, heuristics, operator_spectra
from ._algebra import Normalized, Product, Scaled, Sum, normalized
from ._base import Kernel
from ._columns import OnColumns, on_columns
from ._families import *  # a family is listed once, there
from ._foreign import Function, Precomputed
from ._stack_view import KernelStackView
from ._weighted import WeightedSum

__all__ = [
    "Function",
    "Kernel",
    "KernelStackView",
    "Normalized",
    "OnColumns",
    "Precomputed",
    "Product",
    "Scaled",
    "Sum",
    "WeightedSum",
    "grids",
    "heuristics",
    "normalized",
    "on_columns",
    "operator_spectra",
]
__all__ += _families.__all__
