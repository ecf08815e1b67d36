"""Arguments that count something."""

from __future__ import annotations

from typing import Any

import numpy as np

from .shown import shown


def check_count(value: Any, wanted: str) -> int:
    """Check for a whole number of at least 1; `wanted` begins the message otherwise."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise ValueError(f"{wanted}, not {shown(value)}")
    return int(value)
