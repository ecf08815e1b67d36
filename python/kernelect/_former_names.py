"""Names that modules had before they moved: old imports and old pickles go on working."""

from __future__ import annotations

import importlib
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_MOVED = {
    "grids": "kernels.grids",
    "heuristics": "kernels.heuristics",
    "diagnostics": "results.diagnostics",
    "serialization": "results.serialization",
    "operator_spectra": "kernels.operator_spectra",
    "kernels._ard": "kernels._families.ard_gaussian",
    "mkl._estimators": "mkl",
    "mkl._families": "mkl._infinite.families",
    "mkl._infinite_estimators": "mkl._infinite.estimators",
    "mkl._kernel_families": "mkl._infinite.families",
    "_target": "_data.target",  # of fitted learners
    "lssvm._landmark_deviation": "lssvm._fits.landmark_deviation",  # the same
}


class _FormerModule:
    """Finds and loads, by its former name, the module that has its contents now."""

    def __init__(self, present: str) -> None:
        self._present = present
        self._own: ModuleSpec | None = None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module of today, which the import system then gives the former spec."""
        module = importlib.import_module(self._present)
        self._own = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Return its own spec to the module, which has run already."""
        module.__spec__ = self._own


class _Finder:
    """Knows the former names; asked last, when nobody else knows a name."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Return how a module of a former name is loaded, None for all others."""
        present = _MOVED.get(name.removeprefix(f"{__package__}."))
        if present is None or not name.startswith(f"{__package__}."):
            return None
        loader: Any = _FormerModule(f"{__package__}.{present}")
        return ModuleSpec(name, loader)


def keep() -> None:
    """Let every former name stand for the module that has its contents now."""
    finder: Any = _Finder
    if finder not in sys.meta_path:
        sys.meta_path.append(finder)


def load() -> None:
    """Make them attributes of their rooms as well, as the import of a submodule does."""
    for former in _MOVED:
        importlib.import_module(f"{__package__}.{former}")
