"""Evidence that is there only where a criterion asked for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

T = TypeVar("T")


def asked(value: T | None, need: str) -> T:
    """Refuse evidence that was not asked for."""
    if value is None:
        raise ValueError(f"this evidence was not asked for; let needs() give Needs({need})")
    return value


def found(kept: Mapping[Any, T], request: Any, need: str) -> T:
    return asked(kept.get(request), f"{need}=({request!r},)")
