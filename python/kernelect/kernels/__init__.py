"""Kernels: immutable objects that are callable on arrays and can be added and multiplied."""

from . import grids, heuristics
from ._algebra import Normalized, Product, Scaled, Sum, normalized
from ._base import Kernel
from ._columns import OnColumns, on_columns
from ._families import ARDGaussian, Gaussian, Laplacian, Linear, Matern, Polynomial
from ._foreign import Function, Precomputed
from ._weighted import WeightedSum

__all__ = [
    "ARDGaussian",
    "Function",
    "Gaussian",
    "Kernel",
    "Laplacian",
    "Linear",
    "Matern",
    "Normalized",
    "OnColumns",
    "Polynomial",
    "Precomputed",
    "Product",
    "Scaled",
    "Sum",
    "WeightedSum",
    "grids",
    "heuristics",
    "normalized",
    "on_columns",
]
