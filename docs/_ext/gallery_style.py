"""How pictures of the gallery look that are drawn by its scripts, not by the library."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def reset(settings: dict[str, Any], script: str | Path) -> None:
    """Set the style before each script: that of the library's own pictures."""
    import matplotlib as mpl

    mpl.rcParams.update(
        {
            "axes.spines.right": False,
            "axes.spines.top": False,
            "axes.linewidth": 0.6,
            "xtick.major.width": 0.6,
            "ytick.major.width": 0.6,
            "legend.frameon": False,
            "savefig.dpi": 130,
        }
    )
