"""Pictures: curves over a grid, kernels by lambdas, spectra, kernel matrices, relevances.

Needs matplotlib (``pip install matplotlib``). Every function draws on the Axes given, or on
new ones, and returns them.
"""

from ._curves import criterion_curves
from ._kernel_matrix import kernel_matrix
from ._lambda_map import lambda_map
from ._relevance import relevance
from ._spectra import label_energy, spectra
from ._style import COLOURS

__all__ = [
    "COLOURS",
    "criterion_curves",
    "kernel_matrix",
    "label_energy",
    "lambda_map",
    "relevance",
    "spectra",
]
