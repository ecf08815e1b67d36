"""Names that modules had before they moved: old imports and old pickles go on working."""

from __future__ import annotations

import importlib
import sys

_MOVED = {
    "grids": "kernels.grids",
    "heuristics": "kernels.heuristics",
    "diagnostics": "results.diagnostics",
    "serialization": "results.serialization",
    "operator_spectra": "kernels.operator_spectra",
    "kernels._ard": "kernels._families.ard_gaussian",
    "mkl._estimators": "mkl",
    "mkl._families": "mkl._kernel_families",
    "_target": "_data.target",  # of fitted learners
}


def keep() -> None:
    """Let every former name stand for the module that has its contents now."""
    for former, present in _MOVED.items():
        module = importlib.import_module(f".{present}", __package__)
        name = f"{__package__}.{former}"
        sys.modules[name] = module
        room, _, attribute = name.rpartition(".")
        setattr(sys.modules[room], attribute, module)  # as the import of a submodule does
