"""Kernels: immutable objects that are callable on arrays and can be added and multiplied."""

from ._base import Kernel, Normalized, Product, Scaled, Sum, normalized
from ._columns import ARDGaussian, OnColumns, on_columns
from ._families import Gaussian, Laplacian, Linear, Matern, Polynomial
from ._foreign import Function, Precomputed

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
    "normalized",
    "on_columns",
]
