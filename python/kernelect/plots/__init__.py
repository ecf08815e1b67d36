"""Pictures: curves over a grid, kernels by lambdas, spectra, label energy, a kernel matrix.

Needs matplotlib (``pip install kernelect[plots]``). Every function draws on the Axes given, or on
new ones, and returns them.
"""

from ._curves import criterion_curves
from ._kernel_matrix import kernel_matrix
from ._lambda_map import lambda_map
from ._spectra import label_energy, spectra
from ._style import COLOURS

__all__ = [
    "COLOURS",
    "criterion_curves",
    "kernel_matrix",
    "label_energy",
    "lambda_map",
    "spectra",
]
