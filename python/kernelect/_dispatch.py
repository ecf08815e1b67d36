"""Load the compiled core for the widest instruction level that this machine runs.

``KERNELECT_LEVEL=baseline``, ``v3`` or ``v4`` forces one, for tests and comparisons. The core of
``v3`` holds the inner loops of ``v4`` too, and chooses by the same variable and the machine.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from typing import TYPE_CHECKING

from . import _cpu

if TYPE_CHECKING:
    from . import _core as core

# Widest first; the baseline is always built and always runs.
_CORES = {
    "v4": ("_core_v3", _cpu.v4),
    "v3": ("_core_v3", _cpu.v3),
    "baseline": ("_core", True),
}


def _choose(forced: str | None) -> str:
    if not forced:
        return next(
            module
            for module, runs in _CORES.values()
            if runs and importlib.util.find_spec(f"{__package__}.{module}")
        )
    if forced not in _CORES:
        raise ImportError(f"KERNELECT_LEVEL={forced!r} is not one of {', '.join(_CORES)}")
    module, runs = _CORES[forced]
    if not runs:
        raise ImportError(f"KERNELECT_LEVEL={forced!r}: this machine cannot run that level")
    return module


if not TYPE_CHECKING:
    core = importlib.import_module(f".{_choose(os.environ.get('KERNELECT_LEVEL'))}", __package__)

# Why Eigen factorises in place of SciPy's LAPACK, for the package to warn of; else None.
without_lapack: str | None = None
try:
    core.use_scipy_lapack()
except (ImportError, RuntimeError) as reason:  # an unusual SciPy: slower, but right
    without_lapack = str(reason)


def build_info() -> dict[str, str | bool]:
    """How the compiled core in use was built.

    Returns
    -------
    dict
        ``version``, the instruction ``level`` in use and those ``available`` here, the ``simd``
        sets that the compiler used, and the ``lapack`` behind the factorisations.

    Examples
    --------
    >>> import kernelect as ke
    >>> sorted(ke.build_info())
    ['available', 'lapack', 'level', 'simd', 'version']
    """
    available = [
        level
        for level, (module, runs) in _CORES.items()
        if runs and importlib.util.find_spec(f"{__package__}.{module}")
    ]
    return {
        "version": core.version,
        "level": core.level,
        "available": ", ".join(available),
        "simd": core.simd,
        "lapack": "SciPy" if core.has_lapack() else "Eigen",
    }


__all__ = ["build_info", "core", "without_lapack"]
