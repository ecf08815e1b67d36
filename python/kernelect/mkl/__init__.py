"""Multiple-kernel learning: combine kernels instead of picking one.

``MKLClassifier``, ``MKLRegressor``                    weights of given kernels, by many methods
``InfiniteMKLClassifier``, ``InfiniteMKLRegressor``    kernels of a family, and their weights
``GaussianFamily``, ``PolynomialFamily``, ``ARDGaussianFamily``    such families
``default_kernels``                                    the base kernels of the FKL paper
``ConvergenceWarning``                                 scikit-learn's, where a budget ends first
``project_simplex``                                    the nearest point of the simplex
"""

from sklearn.exceptions import ConvergenceWarning

from ._classifier import MKLClassifier
from ._infinite.estimators import InfiniteMKLClassifier, InfiniteMKLRegressor
from ._infinite.families import ARDGaussianFamily, Family, GaussianFamily, PolynomialFamily
from ._prepare import default_kernels
from ._regressor import MKLRegressor
from ._solvers.simplex import project_simplex

__all__ = [
    "ARDGaussianFamily",
    "ConvergenceWarning",
    "Family",
    "GaussianFamily",
    "InfiniteMKLClassifier",
    "InfiniteMKLRegressor",
    "MKLClassifier",
    "MKLRegressor",
    "PolynomialFamily",
    "default_kernels",
    "project_simplex",
]
