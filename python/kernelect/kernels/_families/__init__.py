"""The kernel families that the core knows, each in a file of its own with all facts about it."""

from .._base import Kernel
from .ard_gaussian import ARDGaussian
from .gaussian import Gaussian
from .laplacian import Laplacian
from .linear import Linear
from .matern import Matern
from .periodic import Periodic
from .polynomial import Polynomial
from .rational_quadratic import RationalQuadratic

# The one list of families: the faces of the package, names of learners and JSON follow it.
__all__ = [
    "ARDGaussian",
    "Gaussian",
    "Laplacian",
    "Linear",
    "Matern",
    "Periodic",
    "Polynomial",
    "RationalQuadratic",
]

FAMILIES: tuple[type[Kernel], ...] = tuple(globals()[name] for name in __all__)
BY_NAME: dict[str, type[Kernel]] = {name: kind for kind in FAMILIES for name in kind._names}
