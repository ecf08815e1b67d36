"""Elect a kernel: score candidate kernels straight from their matrices and pick the best.

All that is needed every day is here (``select``, ``evaluate``, kernels, learners); the rooms have
the rest.

``selection``    ``evaluate`` and ``select``
``kernels``      what can be elected: families, sums, products, matrices; ``grids``, ``heuristics``
``criteria``     what a kernel is judged by
``results``      what comes back; ``diagnostics`` (agreement, rivals, memory), ``serialization``
``plots``        pictures of results, with matplotlib
``selector``     KernelSelector, which fits any scikit-learn estimator that has a kernel
``lssvm``        LSSVM and kernel ridge regression that elect their kernel and lambda
``mkl``          combinations of kernels, learned
``bounds``       the papers' generalisation and variance bounds
``storage``      models and results in files, without pickle
``io``           data files, as the command line reads them
``cli``          the command line, ``kernelect``

``grids``, ``heuristics``, ``diagnostics`` and ``serialization`` are names of the package as well.
"""

from typing import TYPE_CHECKING, Any

from . import _former_names
from ._version import __version__ as __version__

_former_names.keep()

if TYPE_CHECKING:
    from ._names import *
    from .kernels._families import *

# Rooms are imported alone where they are asked for alone, as they ask for one another.
_ROOMS = frozenset(
    {
        "bounds",
        "cli",
        "criteria",
        "io",
        "kernels",
        "lssvm",
        "mkl",
        "plots",
        "results",
        "selection",
        "selector",
        "storage",
    }
)

if not TYPE_CHECKING:  # who checks types is to know which names there are
    # NumPy, SciPy and scikit-learn take a second to import: `kernelect --help` need not wait.
    def __getattr__(name: str) -> Any:
        from importlib import import_module

        if name in _ROOMS:
            return import_module(f".{name}", __name__)
        if name.startswith("_") and name != "__all__":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        names = import_module("._names", __name__)
        globals().update({entry: getattr(names, entry) for entry in names.__all__})
        if name == "__all__":
            return names.__all__
        try:
            return globals()[name]
        except KeyError:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None

    def __dir__() -> list[str]:
        return sorted({*__getattr__("__all__"), *_ROOMS, *globals()} - {"Any", "TYPE_CHECKING"})
