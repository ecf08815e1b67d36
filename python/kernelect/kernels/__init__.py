"""Kernels: immutable objects that are callable on arrays and can be added and multiplied."""

from ._algebra import Normalized, Product, Scaled, Sum, normalized
from ._base import Kernel
from ._families import Gaussian, Laplacian, Linear, Matern, Polynomial
from ._foreign import Function, Precomputed

__all__ = [
    "Function",
    "Gaussian",
    "Kernel",
    "Laplacian",
    "Linear",
    "Matern",
    "Normalized",
    "Polynomial",
    "Precomputed",
    "Product",
    "Scaled",
    "Sum",
    "normalized",
]
