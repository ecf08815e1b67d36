"""The kernel families that the core knows."""

from .ard_gaussian import ARDGaussian
from .gaussian import Gaussian, Laplacian, Linear, Matern, Polynomial

__all__ = ["ARDGaussian", "Gaussian", "Laplacian", "Linear", "Matern", "Polynomial"]
